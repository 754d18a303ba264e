import { isUuid, toId, type AgentId, type CompanyId } from '../../domain/ids.ts';
import { ok, refuse, type Outcome } from '../../domain/outcome.ts';
import type { Agent } from '../../ports/agents.ts';
import type { Services } from '../services.ts';

/** An agent of the company by id; refuses an id of another company as such. */
export async function findAgent(
  { agents }: Pick<Services, 'agents'>,
  companyId: CompanyId,
  id: string,
): Promise<Outcome<Agent>> {
  if (!isUuid(id)) return refuse('unknown_agent', 'The company has no such agent.');
  const found = await agents.find(companyId, toId<AgentId>(id));
  switch (found.kind) {
    case 'found':
      return ok(found.value);
    case 'unknown':
      return refuse('unknown_agent', 'The company has no such agent.');
    case 'wrong_company':
      return refuse('wrong_company', 'That agent belongs to another company.');
  }
}
