import { isRefused, isCaught, lastTry, storyOf, type Invariant } from './finding.ts';

/** A click is decided within 5 s, and its record may take one more; half a second for the ways. Milliseconds. */
const answerWithinMs = 6_500;
/**
 * A pop of a click that has failed is off the screen within this time of the answer,
 * but for what the machine takes. Milliseconds.
 */
const takenBackWithinMs = 2_000;

const allowedRefusals = [
  '503 no_ready_agent',
  '503 agent_not_ready',
  '503 dependency_unavailable',
  '503 outcome_unknown',
  '409 idempotency_in_progress',
];

/** Every click is answered in time, with a 201 or a refusal of the agreed kinds. */
export const answered: Invariant = ({ ledger, faults, mayBreak, pulse }) => {
  const figures: Record<string, number> = {
    clicks: ledger.clicks.length,
    requests: 0,
    dialed: 0,
    broken: 0,
    'at a gateway that was down': 0,
    'slowest ms': 0,
    'slowest pulse ms': Math.round(pulse.slowest(null, 0, Infinity)),
  };
  const violations: string[] = [];
  const count = (what: string) => (figures[what] = (figures[what] ?? 0) + 1);
  for (const { id, tries } of ledger.clicks) {
    for (const attempt of tries) {
      count('requests');
      const { answer, answeredAt, sentAt, via } = attempt;
      const caught = isCaught(attempt, faults);
      if (caught) count('at a gateway that was down');
      const tookMs = (answeredAt ?? Infinity) - sentAt;
      const about = `click ${id} via ${via}, sent at ${sentAt}`;
      if (!caught) figures['slowest ms'] = Math.max(figures['slowest ms'] ?? 0, Math.round(tookMs));
      // The time in which the gateway did not get to anything is the machine's.
      const machineMs = pulse.slowest(via === 'balancer' ? null : via, sentAt, answeredAt ?? Infinity);
      if (!caught && tookMs > answerWithinMs + machineMs)
        violations.push(`${about}: took ${Math.round(tookMs)} ms (${answer?.kind})`);
      if (answer === null) violations.push(`${about}: never answered`);
      else if (answer.kind === 'dialed') count('dialed');
      else if (answer.kind === 'broken') {
        count('broken');
        if (!caught && !mayBreak) violations.push(`${about}: ${answer.detail}`);
      } else {
        const kind = `${answer.status} ${answer.code}`;
        count(kind);
        if (!allowedRefusals.includes(kind)) violations.push(`${about}: refused with ${kind}`);
      }
    }
  }
  return {
    invariant: 'each click is answered in time, with a 201 or a refusal of the agreed kinds',
    figures,
    violations,
  };
};

/** The tries of one Idempotency-Key never dial twice. */
export const keysDialOnce: Invariant = ({ ledger, calls }) => {
  const violations: string[] = [];
  const keyed = ledger.clicks.filter(({ key }) => key !== null);
  for (const { id, tries } of keyed) {
    const promised = new Set(tries.flatMap(({ answer }) => (answer?.kind === 'dialed' ? [answer.callId] : [])));
    const recorded = calls.filter(({ clickId }) => clickId === id);
    if (promised.size > 1) violations.push(`click ${id}: dialed as ${[...promised].join(', ')}`);
    if (recorded.length > 1) violations.push(`click ${id}: recorded as ${recorded.map((call) => call.id).join(', ')}`);
  }
  return { invariant: 'an Idempotency-Key dials once', figures: { keys: keyed.length }, violations };
};

/** A click that a gateway has answered with failure shows no pop from then on, and what it showed is taken back. */
export const noPopOfFailure: Invariant = (aftermath) => {
  const { ledger, faults, pulse } = aftermath;
  const violations: string[] = [];
  let pops = 0;
  const gone = new Map(
    ledger.events.flatMap((event) => (event.kind === 'pop_gone' ? [[event.callId, event.at] as const] : [])),
  );
  const failed = new Map(ledger.clicks.filter(isRefused).map((click) => [click.id, lastTry(click)] as const));
  const lineLost = (agentId: string, from: number) =>
    ledger.events.some(
      (event) => event.kind === 'line' && event.agentId === agentId && event.state !== 'connected' && event.at >= from,
    );
  for (const event of ledger.events) {
    if (event.kind !== 'pop' || event.clickId === null) continue;
    const failure = failed.get(event.clickId);
    const failedAt = failure?.answeredAt ?? null;
    if (failure === undefined || failedAt === null) continue;
    pops += 1;
    const story =
      `click ${event.clickId}, pop of call ${event.callId} ` +
      `at ${event.at}, answered ${JSON.stringify(failure?.answer)} at ${failedAt}`;
    if (event.at > failedAt) violations.push(`${story}: shown after the failure (${storyOf(event.callId, aftermath)})`);
    const goneAt = gone.get(event.callId);
    if (goneAt === undefined) violations.push(`${story}: never taken back (${storyOf(event.callId, aftermath)})`);
    else if (
      goneAt - failedAt > takenBackWithinMs + pulse.slowest(null, failedAt, goneAt) &&
      !lineLost(event.agentId, event.at) &&
      faults.length === 0
    ) {
      violations.push(`${story}: taken back only at ${goneAt}`);
    }
  }
  return {
    invariant: 'no pop for a click that failed, and each is taken back',
    figures: { 'failed clicks': failed.size, 'their pops': pops },
    violations,
  };
};

/**
 * Each 201 was acknowledged by a softphone, and dialed by exactly one, once; but for those whose softphone was lost.
 */
export const dialsKept: Invariant = (aftermath) => {
  const { ledger, calls } = aftermath;
  const figures: Record<string, number> = {
    promised: 0,
    dialed: 0,
    'softphone lost before it dialed': 0,
    'dials of unknown clicks': 0,
  };
  const count = (what: string) => (figures[what] = (figures[what] ?? 0) + 1);
  const violations: string[] = [];
  const offers = new Set(
    ledger.events.flatMap((event) => (event.kind === 'offer' ? [`${event.agentId} ${event.callId}`] : [])),
  );
  const dials = new Map<string, string[]>();
  for (const event of ledger.events) {
    if (event.kind === 'dial') dials.set(event.callId, [...(dials.get(event.callId) ?? []), event.agentId]);
  }
  const promised = new Set<string>();
  for (const { id, tries } of ledger.clicks) {
    for (const { answer } of tries) {
      if (answer?.kind !== 'dialed' || promised.has(answer.callId)) continue;
      promised.add(answer.callId);
      count('promised');
      const { callId, agentId } = answer;
      const row = calls.find((call) => call.id === callId);
      const by = dials.get(callId) ?? [];
      const story = `click ${id}, call ${callId}: ${storyOf(callId, aftermath)}`;
      if (!offers.has(`${agentId} ${callId}`)) violations.push(`no softphone acknowledged. ${story}`);
      if (row === undefined) violations.push(`201 without a record. ${story}`);
      if (by.length > 1 || by.some((dialer) => dialer !== agentId))
        violations.push(`dialed by ${by.join(', ')}. ${story}`);
      if (by.length === 1) count('dialed');
      if (by.length > 0) continue;
      count('softphone lost before it dialed');
      const wasAway = ledger.events.some(
        (event) => event.agentId === agentId && event.kind === 'line' && event.state !== 'connected',
      );
      if (row?.endReason !== 'failed' || !wasAway) violations.push(`never dialed. ${story}`);
    }
  }
  const failedIds = new Set(ledger.clicks.filter(isRefused).map(({ id }) => id));
  for (const [callId, by] of dials) {
    if (promised.has(callId)) continue;
    const row = calls.find((call) => call.id === callId);
    count('dials of unknown clicks');
    if (row === undefined || by.length > 1)
      violations.push(`dialed by ${by.join(', ')} without a promise. call ${callId}: ${storyOf(callId, aftermath)}`);
    else if (row.clickId !== null && failedIds.has(row.clickId))
      violations.push(`dialed though the click failed. call ${callId}: ${storyOf(callId, aftermath)}`);
  }
  return { invariant: 'each 201 is acknowledged and dialed once, by one softphone', figures, violations };
};
