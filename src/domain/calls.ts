import type { CallCourse } from '../contract/callRules.ts';
import type { CallQuality, TransferredFrom } from '../contract/calls.ts';
import type { JsonText } from '../contract/jsonText.ts';
import type { ExactScreenPop } from '../contract/screenPops.ts';
import type { CallState, Direction, EndedBy, EndReason, ReportableCallState, Trigger } from '../contract/vocabulary.ts';
import type { AgentId, CallId, CompanyId } from './ids.ts';
import { type CallTag, sameTags } from './tags.ts';
import type { PhoneNumber } from './phones/phoneNumbers.ts';

export type Disposition = {
  code: string;
  label: string;
  notes: string | null;
  callbackAt: Date | null;
  submittedAt: Date;
};

/** Who is at the other end. */
export type OtherEnd = {
  /** Null: the network gave no number that can be dialed. */
  phone: PhoneNumber | null;
  /** What the network gave instead, e.g. an extension; null where there is a number, or nothing was given. */
  caller: string | null;
};

/** A call that a telephony platform has, and not a softphone of ours. */
export type OfPlatform = {
  /** Its connector, e.g. `genesys`. */
  source: string;
  /**
   * What the platform calls it; an agent has it once in each round.
   * Null: a click had the platform dial, and it has not said yet.
   */
  callId: string | null;
  /** How many calls with that name the agent had before: ids are used again, and calls come back. */
  round: number;
  /**
   * When it was in the state that the platform told last: what is told of earlier changes it no more.
   * By the platform's clock, where it dates what it tells.
   */
  at: Date;
  /** Since when it rings by the platform's clock; null: not told. */
  rangAt: Date | null;
  /** When it ended by the platform's clock; null: it has not, or not told. */
  endedAt: Date | null;
};

/** One call, from dial or ring to wrap-up. `version` guards every write; `sequence` is that of its latest event. */
export type Call = OtherEnd & {
  id: CallId;
  companyId: CompanyId;
  agentId: AgentId;
  direction: Direction;
  trigger: Trigger;
  state: CallState;
  /** Of a call that came in, the number that the customer called: E.164, or as the network told it. Null: not told. */
  dialedNumber: string | null;
  /** Of a call that came in, where it waited, as the PBX or platform calls that. Null: not told. */
  queue: string | null;
  /** Of an outbound call: E.164, what the customer is to see. Null: as the PBX has it. */
  callerId: string | null;
  externalId: string | null;
  contactId: string | null;
  campaignId: string | null;
  metadata: JsonText | null;
  screenPop: ExactScreenPop | null;
  createdAt: Date;
  ringingAt: Date | null;
  answeredAt: Date | null;
  endedAt: Date | null;
  /** Since when it is on hold; null: it is not. */
  heldAt: Date | null;
  /** For how long it was on hold before, all together. Milliseconds. */
  holdMs: number;
  /** Null: not measured. */
  quality: CallQuality | null;
  endReason: EndReason | null;
  endedBy: EndedBy | null;
  endDetail: string | null;
  /** Whom the agent handed it on to: E.164, or as it was dialed; null: nobody, or not told. */
  transferredTo: string | null;
  /** The call that a colleague hands on to this agent, or asks about first; null: none. */
  parentCallId: CallId | null;
  /** Of such a call alone. */
  transferredFrom: TransferredFrom | null;
  sipCode: number | null;
  /** What SIP calls it, as the softphone told first; a reload or a transfer by the PBX makes others. Null: not told. */
  sipCallId: string | null;
  disposition: Disposition | null;
  /** Null: the agent's own softphone has it. */
  platform: OfPlatform | null;
  /** Which of the two calls that a softphone may have at once: its place among those under way. */
  slot: 0 | 1;
  /** What the agent marked it with, from its first ring. */
  tags: readonly CallTag[];
  /** What the agent has noted so far; of no account once the call is wrapped up. */
  notesDraft: string | null;
  /** The code of the disposition that is chosen so far, likewise. */
  codeDraft: string | null;
  /** The time to call back that is chosen so far, likewise. */
  callbackDraft: Date | null;
  /** When the three of them were entered; null: nothing was, or before it was kept. */
  draftAt: Date | null;
  /** Where its recording is heard; null: none was attached. */
  recordingUrl: string | null;
  /** The supervisor or admin who had it dialed although the number is not to be called; null: nobody had to. */
  overrideBy: AgentId | null;
  /** When the person was erased whom it was with; from then on it stays a figure. Null: nobody was. */
  erasedAt: Date | null;
  sequence: number;
  version: number;
};

/** Which state may follow which. A call is `queued` only until its dial is confirmed and recorded. */
export const callTransitions = {
  queued: ['dialing', 'ringing'],
  dialing: ['ringing', 'connected', 'ended'],
  ringing: ['connected', 'ended'],
  connected: ['held', 'ended'],
  held: ['connected', 'ended'],
  ended: [],
} as const satisfies Record<CallState, readonly CallState[]>;

export type CallReport = {
  state: ReportableCallState;
  endReason?: EndReason | undefined;
  endedBy?: EndedBy | undefined;
  endDetail?: string | undefined;
  /** Of end reason `transferred`, or end detail `passed_on`, alone. */
  transferredTo?: string | undefined;
  sipCode?: number | undefined;
  /** Kept where the call has none. */
  sipCallId?: string | undefined;
  /** Of an end alone. */
  quality?: CallQuality | undefined;
  /** Of an end by which a supervisor freed the agent: who that was. */
  freedBy?: AgentId | undefined;
};

export type CallDecision =
  /** `answered`: this change is the call's answer, and is announced as such. */
  { kind: 'changed'; next: Call; answered: boolean } | { kind: 'unchanged' } | { kind: 'refused' };

/**
 * Applies a report from the softphone (or from the gateway, when the softphone vanished) to a call. The same
 * report twice changes nothing; a report of an earlier state is refused, and so is the transfer of a call
 * that nobody has answered.
 */
export function reportCall(call: Call, report: CallReport, now: Date): CallDecision {
  if (call.state === report.state) return { kind: 'unchanged' };
  const allowed: readonly CallState[] = callTransitions[call.state];
  if (!allowed.includes(report.state)) return { kind: 'refused' };
  if (report.state === 'ended' && report.endReason === 'transferred' && call.answeredAt === null)
    return { kind: 'refused' };
  const next: Call = { ...call, ...holdAt(call, report.state, now), state: report.state, version: call.version + 1 };
  if (report.sipCode !== undefined) next.sipCode = report.sipCode;
  next.sipCallId ??= report.sipCallId ?? null;
  if (report.state === 'ringing') next.ringingAt = now;
  const answered = report.state === 'connected' && call.answeredAt === null;
  if (answered) next.answeredAt = now;
  if (report.state === 'ended') end(next, report, now);
  return { kind: 'changed', next, answered };
}

/** How long a call was and is on hold once it is in that state. */
export function holdAt({ heldAt, holdMs }: Call, state: CallState, at: Date): Pick<Call, 'heldAt' | 'holdMs'> {
  const isHeld = state === 'held';
  if (heldAt === null) return { heldAt: isHeld ? at : null, holdMs };
  return isHeld ? { heldAt, holdMs } : { heldAt: null, holdMs: holdMs + Math.max(0, at.getTime() - heldAt.getTime()) };
}

function end(call: Call, report: CallReport, now: Date): void {
  const endReason = report.endReason ?? usualEndReason(call);
  call.endedAt = now;
  call.endReason = endReason;
  call.endedBy = report.endedBy ?? usualEndedBy(call, endReason, report.endDetail ?? null);
  call.endDetail = report.endDetail ?? null;
  call.quality = report.quality ?? null;
  call.transferredTo = report.transferredTo ?? null;
}

/** The end reason where the softphone gives none. */
function usualEndReason(call: Call): EndReason {
  if (call.answeredAt !== null) return 'completed';
  return call.direction === 'inbound' ? 'missed' : 'failed';
}

/** Who ended a call where nobody says. */
export function usualEndedBy(call: Pick<Call, 'direction'>, reason: EndReason, detail: string | null): EndedBy | null {
  // The customer is still there, with somebody else.
  if (detail === 'answered_elsewhere') return null;
  if (detail === 'passed_on') return 'agent';
  switch (reason) {
    case 'completed':
    case 'failed':
      return null;
    case 'transferred':
      return 'agent';
    case 'busy':
      return 'customer';
    case 'rejected':
    case 'no_answer':
      return call.direction === 'outbound' ? 'customer' : 'agent';
    case 'canceled':
      return call.direction === 'outbound' ? 'agent' : 'customer';
    case 'missed':
      return 'customer';
  }
}

export type DispositionDecision =
  | { kind: 'changed'; next: Call }
  | { kind: 'unchanged' }
  | { kind: 'refused'; reason: 'not_ended' | 'already_submitted' };

/**
 * Wraps a call up: once, after its end. The same disposition again changes nothing.
 * @param tags what it is marked with from then on
 */
export function disposeCall(call: Call, disposition: Disposition, tags: readonly CallTag[]): DispositionDecision {
  if (call.state !== 'ended') return { kind: 'refused', reason: 'not_ended' };
  if (call.disposition !== null) {
    return sameDisposition(call.disposition, disposition) && sameTags(call.tags, tags)
      ? { kind: 'unchanged' }
      : { kind: 'refused', reason: 'already_submitted' };
  }
  return { kind: 'changed', next: { ...call, disposition, tags, version: call.version + 1 } };
}

function sameDisposition(a: Disposition, b: Disposition): boolean {
  return a.code === b.code && a.notes === b.notes && a.callbackAt?.getTime() === b.callbackAt?.getTime();
}

/** How an ended call counts: whether it was missed, and is wrapped up. */
export function courseOf({ direction, answeredAt, endDetail }: Call): CallCourse {
  return { direction, wasAnswered: answeredAt !== null, endDetail };
}

/** For how many whole seconds it was on hold, without a hold that lasts. */
export function holdSeconds({ holdMs }: Pick<Call, 'holdMs'>): number {
  return Math.round(holdMs / 1000);
}

/** Whole seconds from answer to end, 0 for a call that nobody answered, null while the call lasts. */
export function durationSeconds(call: Pick<Call, 'answeredAt' | 'endedAt'>): number | null {
  if (call.endedAt === null) return null;
  if (call.answeredAt === null) return 0;
  return Math.max(0, Math.round((call.endedAt.getTime() - call.answeredAt.getTime()) / 1000));
}
