import type { CallView } from '../../contract/calls.ts';
import type { Presence } from '../../domain/presence.ts';
import type { Services } from '../services.ts';
import { callView } from '../views/callView.ts';
import { vouchForRecord } from './vouchForRecord.ts';

/**
 * What became of an offer that a softphone has acknowledged, when no message tells: `dialed`, by the durable record;
 * `over`, since the agent is not on that call; `open`, while it is being confirmed and recorded. A record alone does not
 * mean a dial: the click may have given it up because it came too late.
 */
export async function learnFate(
  services: Pick<Services, 'agentCard' | 'calls' | 'observer' | 'presence' | 'softphones'>,
  { companyId, agentId, callId }: Pick<Presence, 'companyId' | 'agentId' | 'callId'>,
): Promise<{ kind: 'dialed'; call: CallView } | { kind: 'over' } | { kind: 'open' }> {
  if (callId === null) return { kind: 'over' };
  const current = await services.presence.find(companyId, agentId);
  const found = await services.calls.find(companyId, callId);
  if (found.kind === 'found') {
    const isTrue = found.value.state !== 'dialing' || (await vouchForRecord(services, found.value));
    return isTrue ? { kind: 'dialed', call: callView(found.value) } : { kind: 'over' };
  }
  return current?.callId === callId ? { kind: 'open' } : { kind: 'over' };
}
