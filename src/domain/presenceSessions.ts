import { change, move, noCall } from './agentSteps.ts';
import type { AgentId, CallId, CompanyId } from './ids.ts';
import { type CommandOf, isBusyHere, type Presence, type PresenceDecision } from './presence.ts';
import { lapseUntil } from './presenceLapse.ts';

/**
 * A softphone connects: to the session it had, unless another softphone has taken over; or to a new one, taking over.
 */
export function openSession(
  presence: Presence | null,
  command: CommandOf<'open_session'>,
  now: number,
): PresenceDecision {
  const owner = {
    sessionId: command.sessionId,
    lease: command.lease,
    nodeId: command.nodeId,
    connection: 'connected',
    connectionSince: now,
  } as const;
  const { companyId, agentId } = command;
  const stored = presence ?? absent(companyId, agentId);
  const lapsed = lapseUntil(stored, now);
  const isTakenOver = lapsed.sessionId !== null && lapsed.sessionId !== command.sessionId;
  if (command.resumes && isTakenOver) return { kind: 'refused', code: 'stale_session' };
  if (lapsed.state !== 'offline') return change(lapsed, owner, stored.version);
  const login = { reason: 'login', pending: null, ...noCall, ...owner };
  return move({ ...lapsed, version: stored.version }, 'session_opened', 'not_ready', now, login);
}

/** A connection believed lost, while its gateway stood still, is there after all. */
export function keepConnection(presence: Presence, now: number): PresenceDecision {
  if (presence.connection === 'connected') return { kind: 'unchanged' };
  const lapsed = lapseUntil(presence, now);
  if (lapsed.state === 'offline') return change(lapsed, {}, presence.version);
  return change(lapsed, { connection: 'connected', connectionSince: now }, presence.version);
}

/** A gateway that restarted without presence finds a call in the durable record: its softphone may come back. */
export function restoreCall(
  presence: Presence | null,
  command: CommandOf<'restore_call'>,
  now: number,
): PresenceDecision {
  const before = presence ?? absent(command.companyId, command.agentId);
  // Of two, the other was found before it.
  if (before.state === 'on_call' && before.sessionId === null && before.second === null && isBusyHere(before)) {
    return before.callId === command.callId
      ? { kind: 'unchanged' }
      : change(before, { second: { callId: command.callId, ringsUntil: null } });
  }
  const isAtPlatformOnly = before.platform !== null && before.sessionId === null && !isBusyHere(before);
  if (before.state !== 'offline' && !isAtPlatformOnly) return { kind: 'refused', code: 'illegal_transition' };
  return move(before, 'call_found', 'on_call', now, {
    callId: command.callId,
    connection: 'lost',
    connectionSince: command.lostSince,
    sessionId: null,
    lease: null,
    nodeId: null,
  });
}

/**
 * An agent's presence, corrected by the durable record: the change to `on_call`, or to a second call, may have been
 * lost with the store's data.
 * @param callIds of the agent's calls that have not ended, the first one first; at least one
 */
export function withRecordedCalls(presence: Presence, callIds: readonly CallId[], now: number): Presence {
  const { callId: known, state } = presence;
  const isOnOne = known !== null && callIds.includes(known) && state !== 'ready' && state !== 'wrap_up';
  const callId = isOnOne ? known : (callIds[0] ?? known);
  const other = callIds.find((id) => id !== callId);
  const second =
    other === undefined || presence.second?.callId === other ? presence.second : { callId: other, ringsUntil: null };
  if (isOnOne && (second === presence.second || state !== 'on_call')) return presence;
  if (isOnOne) return { ...presence, second };
  return {
    ...presence,
    state: 'on_call',
    reason: null,
    since: now,
    ...noCall,
    toWrapUp: presence.toWrapUp,
    callId,
    second,
    idleSince: null,
    expiresAt: null,
  };
}

/** An agent the store knows nothing of. */
export function absent(companyId: CompanyId, agentId: AgentId): Presence {
  return {
    companyId,
    agentId,
    version: 0,
    state: 'offline',
    reason: null,
    since: 0,
    connection: 'lost',
    connectionSince: 0,
    pending: null,
    ...noCall,
    sessionId: null,
    lease: null,
    nodeId: null,
    idleSince: null,
    expiresAt: null,
    platform: null,
  };
}
