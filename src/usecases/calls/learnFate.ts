import type { CallView } from '../../contract/calls.ts';
import type { Presence } from '../../domain/presence.ts';
import type { Services } from '../services.ts';
import { callView } from '../views/callView.ts';

/**
 * What became of an offer that a softphone has acknowledged, when no message tells: `dialed`, by the durable record;
 * `over`, since the agent is not on that call; `open`, while it is being confirmed and recorded.
 */
export async function learnFate(
  { calls, presence }: Pick<Services, 'calls' | 'presence'>,
  { companyId, agentId, callId }: Pick<Presence, 'companyId' | 'agentId' | 'callId'>,
): Promise<{ kind: 'dialed'; call: CallView } | { kind: 'over' } | { kind: 'open' }> {
  if (callId === null) return { kind: 'over' };
  const current = await presence.find(companyId, agentId);
  const found = await calls.find(companyId, callId);
  if (found.kind === 'found') return { kind: 'dialed', call: callView(found.value) };
  return current?.callId === callId ? { kind: 'open' } : { kind: 'over' };
}
