import type { CallView } from '../../../contract/calls.ts';
import type { Presence } from '../../../domain/presence.ts';
import type { Services } from '../../services.ts';
import { callView } from '../../views/callView.ts';
import { releaseAgent, settleFate } from './fate.ts';

/**
 * What became of an offer that a softphone has acknowledged, when no message tells: `dialed`, by the durable record;
 * `over`, since nobody can record it any more; `open`, while it is being confirmed and recorded.
 */
export async function resolveOfferOutcome(
  services: Pick<Services, 'agentCard' | 'calls' | 'observer' | 'presence' | 'softphones'>,
  { companyId, agentId, callId }: Pick<Presence, 'companyId' | 'agentId' | 'callId'>,
): Promise<{ kind: 'dialed'; call: CallView } | { kind: 'over' } | { kind: 'open' }> {
  if (callId === null) return { kind: 'over' };
  const current = await services.presence.find(companyId, agentId);
  const isOnIt = current?.callId === callId;
  const fate = await services.calls.fate(companyId, callId);
  if (fate.kind === 'open' && isOnIt) return { kind: 'open' };
  // The agent may be elsewhere because the presence store has lost something: then the record may be about to come.
  const settled = fate.kind === 'open' ? await settleFate(services, { companyId, callId }) : fate;
  if (settled.kind === 'recorded') return { kind: 'dialed', call: callView(settled.call) };
  // The gateway of the click may not reach the presence store.
  if (isOnIt) await releaseAgent(services, { companyId, agentId, callId });
  return { kind: 'over' };
}
