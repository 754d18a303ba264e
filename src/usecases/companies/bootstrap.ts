import { defaultDispositions } from '../../contract/vocabulary.ts';
import type { Role } from '../../contract/vocabulary.ts';
import { toId, type AgentId, type CompanyId } from '../../domain/ids.ts';
import type { Services } from '../services.ts';

type Needs = Pick<Services, 'companies' | 'passwords' | 'newId'>;
type FirstAgent = { agentCode: string; name: string; email: string | null; role: Role; password: string };
export type FirstCompany = { slug: string; name: string; agents: FirstAgent[] };

/**
 * Creates the first company if there is none. Several gateways may start at once: only one succeeds.
 * @returns whether it was created now
 */
export async function bootstrapCompany(services: Needs, first: FirstCompany): Promise<boolean> {
  if (await services.companies.any()) return false;
  const agents = await Promise.all(
    first.agents.map(async ({ password, ...agent }) => ({
      ...agent,
      id: toId<AgentId>(services.newId()),
      passwordHash: await services.passwords.hash(password),
    })),
  );
  const { slug, name } = first;
  const dispositions = [...defaultDispositions];
  const company = { id: toId<CompanyId>(services.newId()), slug, name, dispositions, notReadyReasons: [] };
  return (await services.companies.create(company, agents)).kind === 'created';
}

/** A slug from a company's name: lower-case letters, digits and dashes. */
export function slugOf(name: string): string {
  const slug = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 63)
    .replace(/-+$/, '');
  return slug === '' ? 'company' : slug;
}
