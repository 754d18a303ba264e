import type { Call } from '../../domain/calls.ts';
import { changePresence } from '../agents/changePresence.ts';
import type { Services } from '../services.ts';

/**
 * Decides for a call that is found in the durable record: whether its agent is on it, and stays so. Whoever releases an
 * agent for want of a record does it by compare-and-set on the same presence, so only one of the two can happen; a
 * softphone may dial what was vouched for, and a click whose dial was vouched for must be answered with 201.
 */
export async function vouchForRecord(
  services: Pick<Services, 'agentCard' | 'observer' | 'presence' | 'softphones'>,
  { companyId, agentId, id: callId }: Pick<Call, 'companyId' | 'agentId' | 'id'>,
): Promise<boolean> {
  const kept = await changePresence(services, companyId, agentId, { type: 'keep_recorded', callId });
  return kept.kind === 'changed' || (kept.kind === 'unchanged' && kept.current?.callId === callId);
}
