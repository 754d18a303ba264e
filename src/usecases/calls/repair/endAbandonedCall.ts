import { decidePresence } from '../../../domain/agentStates.ts';
import type { CallReport } from '../../../domain/calls.ts';
import type { AgentId, CallId, CompanyId } from '../../../domain/ids.ts';
import { isAtCall, isBusyHere, type Presence, type PresenceCommand } from '../../../domain/presence.ts';
import { changePresence, type PresenceChange } from '../../agents/changePresence.ts';
import type { CallServices } from '../../services.ts';
import { releaseAgent, decideFate } from '../click/dialFate.ts';
import { applyReport, followStoredCalls } from '../lifecycle/reportProgress.ts';

/**
 * Why the gateway itself ends a call: the softphone vanished, nobody answered the ring, a supervisor freed the agent,
 * the record came so late that nobody dialed.
 */
export type AbandonCause = 'softphone_lost' | 'ring_lapsed' | 'freed_by_supervisor' | 'not_dialed';

/**
 * Changes an agent's presence in a way that may leave calls behind, and ends those first: whatever fails in
 * between, the agent is still on them and the change can be made again. An agent who came back meanwhile follows
 * the call that has ended.
 * @param freedBy the supervisor who frees the agent
 */
export async function changeLeavingCall(
  services: CallServices,
  companyId: CompanyId,
  agentId: AgentId,
  command: PresenceCommand,
  cause: AbandonCause,
  freedBy?: AgentId,
): Promise<PresenceChange> {
  const before = await services.presence.find(companyId, agentId);
  const preview = decidePresence(before, command, services.presence.now());
  const ended = preview.kind === 'changed' && (await endAbandonedCall(services, before, preview.next, cause, freedBy));
  const changed = await changePresence(services, companyId, agentId, command, before ?? undefined);
  if (ended && changed.kind !== 'changed' && changed.current !== null)
    await followStoredCalls(services, changed.current);
  return changed;
}

/**
 * Ends the calls that an agent was on before a change of presence that leaves them behind, so that each call ends.
 * @returns whether there was such a call
 */
export async function endAbandonedCall(
  services: CallServices,
  before: Presence | null,
  after: Presence,
  cause: AbandonCause,
  freedBy?: AgentId,
): Promise<boolean> {
  if (before === null || before.callId === null || !isBusyHere(before)) return false;
  // An offer that was never confirmed has no call yet, and wrap-up has a call that ended.
  if (before.state !== 'on_call' && before.reservedFor !== 'ring') return false;
  const { callId, second, ...agent } = before;
  let ended = false;
  if (second !== null && !isAtCall(after, second.callId)) {
    // A lost softphone's ring lapses before its call does.
    const lapsed = cause === 'softphone_lost' && second.ringsUntil !== null ? 'ring_lapsed' : cause;
    ended = await endOrRuleOut(services, { ...agent, callId: second.callId }, lapsed, freedBy);
  }
  if (isAtCall(after, callId)) return ended;
  return (await endOrRuleOut(services, { ...agent, callId }, cause, freedBy)) || ended;
}

/**
 * Ends a call, or rules it out if it is not recorded yet.
 * @returns whether there was such a call
 */
export async function endOrRuleOut(
  services: CallServices,
  { companyId, agentId, callId }: Pick<Presence, 'companyId' | 'agentId'> & { callId: CallId },
  cause: AbandonCause,
  freedBy?: AgentId,
): Promise<boolean> {
  const decided = await decideFate(services, { companyId, callId });
  if (decided.kind === 'ruled_out') return false;
  const outcome = await applyReport(services, companyId, callId, { ...reportFor(cause), freedBy }, agentId);
  if (outcome.kind === 'ok') services.observer.repaired('abandoned_call');
  return true;
}

/**
 * For a call that nobody will dial: ends it if it is recorded, rules it out otherwise, and frees its agent.
 * May be repeated.
 */
export async function endUndialed(
  services: CallServices,
  about: Pick<Presence, 'companyId' | 'agentId'> & { callId: CallId },
): Promise<void> {
  const { companyId, agentId, callId } = about;
  if (await endOrRuleOut(services, about, 'not_dialed')) {
    await changePresence(services, companyId, agentId, { type: 'end_call', callId, wrapUpMs: 0 });
  }
  await releaseAgent(services, about);
}

/** How a call ends when the gateway itself ends it. */
export function reportFor(cause: AbandonCause): CallReport {
  const endReason = cause === 'ring_lapsed' ? 'missed' : 'failed';
  return { state: 'ended', endReason, endedBy: 'system', endDetail: cause };
}
