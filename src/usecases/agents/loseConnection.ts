import type { AgentId, CompanyId, Lease } from '../../domain/ids.ts';
import type { Services } from '../services.ts';
import { changePresence } from './changePresence.ts';

/** A softphone's connection broke: the agent is unroutable at once. A lease that was replaced changes nothing. */
export async function loseConnection(
  services: Pick<Services, 'presence' | 'softphones' | 'agentCard' | 'observer'>,
  { companyId, agentId, lease }: { companyId: CompanyId; agentId: AgentId; lease: Lease },
): Promise<void> {
  await changePresence(services, companyId, agentId, { type: 'lose_connection', lease });
}
