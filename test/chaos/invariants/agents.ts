import { acknowledgeWithinMs } from '../../../src/usecases/calls/click/claimAgent.ts';
import { storyOf, type Aftermath, type Finding, type Invariant } from './finding.ts';

/** By the durable record: the calls of one agent's 201s never last at the same time. */
export const oneCallByRecord: Invariant = (aftermath) => {
  const promised = new Set(
    aftermath.ledger.clicks.flatMap(({ tries }) =>
      tries.flatMap(({ answer }) => (answer?.kind === 'dialed' ? [answer.callId] : [])),
    ),
  );
  const violations: string[] = [];
  const latest = new Map<string, { id: string; endedAt: number }>();
  const inOrder = aftermath.calls
    .filter(({ id }) => promised.has(id))
    .toSorted((one, other) => one.createdAt - other.createdAt);
  for (const call of inOrder) {
    const before = latest.get(call.agentId);
    if (before !== undefined && before.endedAt > call.createdAt) {
      violations.push(
        `agent ${call.agentId}: call ${before.id} lasted until ${before.endedAt}, call ${call.id} ` +
          `began at ${call.createdAt}`,
      );
    }
    latest.set(call.agentId, { id: call.id, endedAt: Math.max(call.endedAt ?? Infinity, before?.endedAt ?? 0) });
  }
  return { invariant: 'no agent has two 201s at a time, by the record', figures: { calls: promised.size }, violations };
};

/** By the softphone: nobody is told to dial while on another call that was dialed. */
export const oneCallByPhone: Invariant = (aftermath) => {
  const open = new Map<string, Set<string>>();
  const violations: string[] = [];
  let dials = 0;
  for (const event of aftermath.ledger.events) {
    const own = open.get(event.agentId) ?? new Set<string>();
    open.set(event.agentId, own);
    if (event.kind === 'told_call' && event.state === 'ended') own.delete(event.callId);
    if (event.kind !== 'dial') continue;
    dials += 1;
    for (const other of own) {
      violations.push(
        `agent ${event.agentId} at ${event.at}: told to dial ${event.callId} ` +
          `during ${other} (${storyOf(other, aftermath)})`,
      );
    }
    own.add(event.callId);
  }
  return { invariant: 'no agent has two 201s at a time, by the softphone', figures: { dials }, violations };
};

/** Ready in Redis means a live session, but for the time that a lease and its discovery take. */
export const noGhosts: Invariant = ({ ledger }) => {
  const worst = new Map<string, (typeof ledger.stale)[number]>();
  for (const stale of ledger.stale) {
    if ((worst.get(stale.agentId)?.forMs ?? 0) < stale.forMs) worst.set(stale.agentId, stale);
  }
  return {
    invariant: 'nobody is Ready in Redis without a live session beyond the lease',
    figures: { agents: worst.size },
    violations: [...worst.values()].map(
      ({ at, agentId, forMs, detail }) => `agent ${agentId} at ${at}: for ${forMs} ms, ${detail}`,
    ),
  };
};

/** When all is at rest nobody is held, and the screen says what Redis says. */
export const everybodyFree: Invariant = ({ standings }) => {
  const violations: string[] = [];
  for (const { agentId, presence, screen, screenVersion } of standings) {
    const state = presence?.state ?? 'offline';
    if (state !== 'ready' && state !== 'not_ready')
      violations.push(`agent ${agentId} is left ${state} (call ${presence?.callId})`);
    if (presence?.connection !== 'connected')
      violations.push(`agent ${agentId} is left ${presence?.connection ?? 'offline'}`);
    if (screen !== state) {
      violations.push(
        `agent ${agentId} looks ${screen} (version ${screenVersion}) and is ${state} (version ${presence?.version})`,
      );
    }
  }
  return {
    invariant: 'nobody stays reserved or on a call, and each screen tells the truth',
    figures: { agents: standings.length },
    violations,
  };
};

/** Longer, and an acknowledgement may have come too late by the machine's doing. Milliseconds. */
const slowMachineMs = 500;

/**
 * These softphones acknowledge every offer: who is Not Ready for none of them is so for a
 * gateway's or a store's reasons.
 */
export const nobodyBlamed: Invariant = ({ ledger, pulse }) => {
  const blamed = ledger.events.filter(
    (event) => event.kind === 'told_agent' && event.state === 'not_ready' && event.reason === 'delivery_failed',
  );
  const violations = blamed
    .filter(({ at }) => pulse.slowest(null, at - acknowledgeWithinMs, at) < slowMachineMs)
    .map(
      ({ at, agentId }) =>
        `agent ${agentId} at ${at}: Not Ready (delivery_failed) though the softphone acknowledges at once`,
    );
  return {
    invariant: 'nobody is Not Ready for what a gateway did',
    figures: { 'on a slow machine': blamed.length - violations.length },
    violations,
  };
};

/** Each call that was recorded ends. */
export const callsEnd: Invariant = ({ calls }: Aftermath): Finding => ({
  invariant: 'each call ends',
  figures: {
    calls: calls.length,
    failed: calls.filter(({ endReason }) => endReason === 'failed').length,
  },
  violations: calls
    .filter(({ state }) => state !== 'ended')
    .map(({ id, state, agentId }) => `call ${id} of agent ${agentId} is left ${state}`),
});
