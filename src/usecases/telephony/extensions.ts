import type { AgentId, CompanyId } from '../../domain/ids.ts';
import type { Agent } from '../../ports/agents.ts';
import type { Services } from '../services.ts';

type Needs = Pick<Services, 'agents' | 'demoCarrier' | 'telephony'>;

/**
 * By which the PBX knows an agent; null: they have no account there, or there is no PBX. In the demo everybody has one.
 */
export async function extensionOf(
  { demoCarrier, telephony }: Needs,
  { companyId, hasSipSecret, id, sipUser }: Pick<Agent, 'companyId' | 'hasSipSecret' | 'id' | 'sipUser'>,
): Promise<string | null> {
  const { mode } = await telephony.find(companyId);
  if (mode === 'sip') return hasSipSecret ? sipUser : null;
  return mode === 'none' ? (demoCarrier?.account(companyId, id).user ?? null) : null;
}

/** The same of all active people who have one. */
export async function extensionsOf(
  { agents, demoCarrier, telephony }: Needs,
  companyId: CompanyId,
): Promise<Map<AgentId, string>> {
  const { mode } = await telephony.find(companyId);
  if (mode === 'sip') return agents.extensions(companyId);
  if (mode === 'desk_phone' || demoCarrier === null) return new Map();
  const people = await agents.people(companyId);
  return new Map(people.map(({ id }) => [id, demoCarrier.account(companyId, id).user]));
}
