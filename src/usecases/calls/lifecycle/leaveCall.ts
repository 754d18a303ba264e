import type { Principal } from '../../../domain/access.ts';
import type { CallId, SessionId } from '../../../domain/ids.ts';
import { ok, type Outcome, refuse } from '../../../domain/outcome.ts';
import { retryUntilSuccess } from '../../concurrency/retryUntilSuccess.ts';
import type { CallServices, Services } from '../../services.ts';
import { reportFor } from '../repair/endAbandonedCall.ts';
import { findCall } from './readCalls.ts';
import { applyReport, followStoredCalls } from './reportProgress.ts';

/**
 * A softphone was closed in the middle of a call, and has hung up on its way out: the call ends as one whose softphone
 * was lost, at once. The connection may be gone already, so the session stands for it. Said again, or of a call that is
 * over, it changes nothing. Refuses with `wrong_company`, `not_found` (also a call of somebody else) and
 * `session_replaced` (another softphone has the call).
 */
export async function leaveCall(
  services: CallServices & Pick<Services, 'ledAgents'>,
  principal: Extract<Principal, { kind: 'agent' }>,
  callId: CallId,
  session: SessionId,
): Promise<Outcome<null>> {
  const { companyId, agentId } = principal;
  const found = await findCall(services, principal, callId);
  if (found.kind === 'refused') return found;
  if (found.value.agentId !== agentId) return refuse('not_found', 'This agent has no such call.');
  const presence = await services.presence.find(companyId, agentId);
  if (presence?.sessionId !== session)
    return refuse('session_replaced', 'Another softphone of this agent has taken over.');
  const ended = await applyReport(services, companyId, callId, reportFor('softphone_lost'), agentId);
  if (ended.kind === 'refused') return ended;
  await retryUntilSuccess(services, 'an agent could not be brought in line with the call', () =>
    followStoredCalls(services, presence),
  );
  return ok(null);
}
