import type { CallReport } from '../../domain/calls.ts';
import type { Presence } from '../../domain/presence.ts';
import type { Services } from '../services.ts';
import { applyReport, type ProgressNeeds } from './reportProgress.ts';

/** Why the gateway itself ends a call: the softphone vanished, nobody answered the ring, a supervisor freed the agent. */
export type AbandonCause = 'softphone_lost' | 'ring_lapsed' | 'freed_by_supervisor';

/**
 * Ends the call that an agent was on before a change of presence that left it behind, so that each call ends.
 * Does nothing when the agent still has the call or the call has ended.
 */
export async function endAbandonedCall(
  services: ProgressNeeds & Pick<Services, 'observer'>,
  before: Presence | null,
  after: Presence,
  cause: AbandonCause,
): Promise<void> {
  if (before === null || before.callId === null || before.callId === after.callId) return;
  // An offer that was never confirmed has no call yet, and wrap-up has a call that ended.
  const hadCall = before.state === 'on_call' || before.reservedFor === 'ring';
  if (!hadCall) return;
  const outcome = await applyReport(services, before.companyId, before.callId, reportFor(cause), before.agentId);
  if (outcome.kind === 'ok') services.observer.repaired('abandoned_call');
}

function reportFor(cause: AbandonCause): CallReport {
  const endReason = cause === 'ring_lapsed' ? 'missed' : 'failed';
  return { state: 'ended', endReason, endedBy: 'system', endDetail: cause };
}
