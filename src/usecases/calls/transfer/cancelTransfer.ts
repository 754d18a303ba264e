import type { Call } from '../../../domain/calls.ts';
import type { AgentId, CallId, CompanyId, Lease } from '../../../domain/ids.ts';
import { ok, type Outcome, refuse } from '../../../domain/outcome.ts';
import { changePresence } from '../../agents/changePresence.ts';
import { retryUntilSuccess } from '../../concurrency/retryUntilSuccess.ts';
import type { CallServices } from '../../services.ts';
import { applyReport } from '../lifecycle/reportProgress.ts';

/**
 * Frees a colleague whom an agent's softphone will not call, or calls no more. One who has answered stays in the call,
 * whose end their own softphone tells; so asking twice, or too late, changes nothing.
 */
export async function cancelTransfer(
  services: CallServices,
  { companyId, agentId, lease }: { companyId: CompanyId; agentId: AgentId; lease: Lease },
  callId: CallId,
): Promise<Outcome<null>> {
  const presence = await services.presence.find(companyId, agentId);
  if (presence?.lease !== lease) return refuse('session_replaced', 'Another softphone of this agent has taken over.');
  const found = await services.calls.find(companyId, callId);
  if (found.kind !== 'found' || found.value.transferredFrom?.agent_id !== agentId)
    return refuse('not_found', 'This agent hands on no such call.');
  await cancelRinging(services, found.value);
  return ok(null);
}

/** Ends the call of a colleague who has not answered. @returns false: they have, and are in the call */
export async function cancelRinging(
  services: CallServices,
  { companyId, agentId, id: callId }: Call,
): Promise<boolean> {
  const report = { state: 'ended', endReason: 'canceled', endedBy: 'system', endDetail: 'transfer_canceled' } as const;
  const ended = await applyReport(services, companyId, callId, report, agentId, { from: 'ringing' });
  if (ended.kind === 'refused') return false;
  await retryUntilSuccess(services, 'a colleague could not be freed from a transfer', () =>
    changePresence(services, companyId, agentId, { type: 'cancel', callId }),
  );
  return true;
}
