import type { AgentTimes, CallFigures } from '../../ports/reports.ts';

/** Of no call. */
export const nothing: CallFigures = {
  calls: 0,
  conversations: 0,
  outbound: 0,
  inbound: 0,
  answered: 0,
  missed: 0,
  transferred: 0,
  talkSeconds: 0,
  holdSeconds: 0,
  inboundAnswered: 0,
  answerMs: 0,
  measured: 0,
  mosSum: 0,
  mosMedianSum: 0,
  mosWorst: null,
};

export function sumOf(sum: CallFigures, one: CallFigures): CallFigures {
  return {
    calls: sum.calls + one.calls,
    conversations: sum.conversations + one.conversations,
    outbound: sum.outbound + one.outbound,
    inbound: sum.inbound + one.inbound,
    answered: sum.answered + one.answered,
    missed: sum.missed + one.missed,
    transferred: sum.transferred + one.transferred,
    talkSeconds: sum.talkSeconds + one.talkSeconds,
    holdSeconds: sum.holdSeconds + one.holdSeconds,
    inboundAnswered: sum.inboundAnswered + one.inboundAnswered,
    answerMs: sum.answerMs + one.answerMs,
    measured: sum.measured + one.measured,
    mosSum: sum.mosSum + one.mosSum,
    mosMedianSum: sum.mosMedianSum + one.mosMedianSum,
    mosWorst: worstOf(sum.mosWorst, one.mosWorst),
  };
}

function worstOf(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other);
}

/** Figures as they are answered. */
export function written({
  calls,
  conversations,
  outbound,
  inbound,
  answered,
  missed,
  transferred,
  talkSeconds,
  holdSeconds,
  inboundAnswered,
  answerMs,
  measured,
  mosSum,
  mosMedianSum,
  mosWorst,
}: CallFigures) {
  const average = inboundAnswered === 0 ? null : Math.round(answerMs / inboundAnswered / 100) / 10;
  const averageOpinion = (sum: number) => (measured === 0 ? null : Math.round((sum / measured) * 100) / 100);
  return {
    calls,
    conversations,
    outbound,
    inbound,
    answered,
    missed,
    transferred,
    talk_seconds: talkSeconds,
    hold_seconds: holdSeconds,
    mos: averageOpinion(mosSum),
    mos_median: averageOpinion(mosMedianSum),
    mos_worst: mosWorst,
    answer_seconds: average,
  };
}

/** What those agents did, all together, as it is answered. Null: it is not known. */
export function writtenTimes(times: readonly AgentTimes[] | null) {
  if (times === null) return { signed_in_seconds: null, wrap_up_seconds: null, occupancy: null };
  const sum = (of: (one: AgentTimes) => number) => times.reduce((total, one) => total + of(one), 0);
  const [signedInMs, busyMs, wrapUpMs] = [
    sum((one) => one.signedInMs),
    sum((one) => one.busyMs),
    sum((one) => one.wrapUpMs),
  ];
  const occupancy = signedInMs === 0 ? null : Math.round((busyMs / signedInMs) * 1_000) / 1_000;
  return {
    signed_in_seconds: Math.round(signedInMs / 1_000),
    wrap_up_seconds: Math.round(wrapUpMs / 1_000),
    occupancy,
  };
}
