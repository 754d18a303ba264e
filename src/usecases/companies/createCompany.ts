import type { AgentView } from '../../contract/agents.ts';
import type { CompanyView, CreateCompanyRequest } from '../../contract/companies.ts';
import { defaultDispositions } from '../../contract/vocabulary.ts';
import { toId, type AgentId, type CompanyId } from '../../domain/ids.ts';
import { ok, refuse, type Outcome } from '../../domain/outcome.ts';
import type { Services } from '../services.ts';
import { agentView } from '../views/agentView.ts';
import { companyView } from '../views/companyView.ts';

/** Creates a company with its first admin, in one transaction. */
export async function createCompany(
  { companies, passwords, newId }: Pick<Services, 'companies' | 'passwords' | 'newId'>,
  body: CreateCompanyRequest,
): Promise<Outcome<{ company: CompanyView; admin: AgentView }>> {
  const { slug, name, admin } = body;
  const dispositions = [...defaultDispositions];
  const created = await companies.create({ id: toId<CompanyId>(newId()), slug, name, dispositions, notReadyReasons: [] }, [
    {
      id: toId<AgentId>(newId()),
      agentCode: admin.agent_code,
      name: admin.name,
      email: admin.email.toLowerCase(),
      role: 'admin',
      passwordHash: await passwords.hash(admin.password),
    },
  ]);
  if (created.kind === 'slug_taken') {
    return refuse('conflict', 'Another company has this slug.', { errors: [{ path: 'slug', message: 'is taken' }] });
  }
  const [first] = created.agents;
  if (first === undefined) throw new Error('a company is created with its admin');
  return ok({ company: companyView(created.company), admin: agentView(first) });
}
