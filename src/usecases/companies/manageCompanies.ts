import type { CompanyLine } from '../../contract/callRules.ts';
import type { AgentView } from '../../contract/agents.ts';
import type { CompanyView, CreateCompanyRequest, UpdateCompanyRequest } from '../../contract/companies.ts';
import { type Role, standardNotReadyReasons, systemReasons } from '../../contract/vocabulary.ts';
import { type Company, usesContacts } from '../../domain/company.ts';
import { type AgentId, type CompanyId, toId } from '../../domain/ids.ts';
import { ok, type Outcome, refuse } from '../../domain/outcome.ts';
import type { Services } from '../services.ts';
import { readEnd } from '../screenPops/lookUp.ts';
import { readEntries } from '../dialing/speedDials.ts';
import { agentView } from '../views/agentViews.ts';

/** Creates a company with its first admin, in one transaction. */
export async function createCompany(
  { companies, passwords, newId }: Pick<Services, 'companies' | 'passwords' | 'newId'>,
  body: CreateCompanyRequest,
): Promise<Outcome<{ company: CompanyView; admin: AgentView }>> {
  const { slug, name, admin } = body;
  const created = await companies.create({ id: toId<CompanyId>(newId()), slug, name }, [
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
    return refuse('conflict', 'Another company has this slug.', {
      errors: [{ path: 'slug', message: 'is taken', code: 'taken' }],
    });
  }
  const [first] = created.agents;
  if (first === undefined) throw new Error('a company is created with its admin');
  return ok({ company: companyView(created.company), admin: agentView(first) });
}

/** Every company, for the platform's operator. */
export async function listCompanies({ companies }: Pick<Services, 'companies'>): Promise<CompanyView[]> {
  return (await companies.list()).map(listedView);
}

/** The caller's company. */
export async function readCompany(
  { companies }: Pick<Services, 'companies'>,
  companyId: CompanyId,
): Promise<Outcome<CompanyView>> {
  const company = await companies.find(companyId);
  return company === null ? refuse('not_found', 'The company is gone.') : ok(companyView(company));
}

/**
 * Changes the company's name and settings; a list replaces the former one,
 * a limit of the wallboard that is left out stays. Softphones are told to read their settings again.
 */
export async function updateCompany(
  { companies, companyOf, forget, softphones }: Pick<Services, 'companies' | 'companyOf' | 'forget' | 'softphones'>,
  companyId: CompanyId,
  { name, speed_dials: dials, lines, outgoing_numbers: outgoing, ...given }: UpdateCompanyRequest,
): Promise<Outcome<CompanyView>> {
  const reserved: readonly string[] = [...standardNotReadyReasons, ...systemReasons];
  const clash = given.not_ready_reasons?.findIndex((reason) => reserved.includes(reason.code)) ?? -1;
  if (clash >= 0) {
    return refuse('invalid_request', 'A Not Ready reason has a code that every company has.', {
      errors: [{ path: `not_ready_reasons.${String(clash)}.code`, message: 'is reserved', code: 'reserved' }],
    });
  }
  const read = dials === undefined ? null : readEntries(dials, 'speed_dials', await companyOf(companyId));
  if (read?.kind === 'refused') return read;
  const numbers = outgoing === undefined ? null : readEntries(outgoing, 'outgoing_numbers', await companyOf(companyId));
  if (numbers?.kind === 'refused') return numbers;
  const settings = {
    ...given,
    outgoing_numbers: outgoing?.map((one, at) => ({ ...one, ...numbers?.value[at] })),
    speed_dials: read?.value,
    lines: lines && (await readLines(companyOf, companyId, lines)),
  };
  const changed = await companies.update(companyId, { name, settings });
  forget(companyId);
  if (changed === null) return refuse('not_found', 'The company is gone.');
  const { language: _, ...shown } = settings;
  if (Object.values(shown).some((value) => value !== undefined)) softphones.settingsChanged(companyId);
  return ok(companyView(changed));
}

/** Numbers in E.164, as calls have them; what is no number as it is. */
function readLines(
  companyOf: Services['companyOf'],
  companyId: CompanyId,
  lines: readonly CompanyLine[],
): Promise<CompanyLine[]> {
  return Promise.all(
    lines.map(async ({ name, phone_number: told }) => ({
      name: name.trim(),
      phone_number: (await readEnd({ companyOf }, companyId, told)) ?? told.trim(),
    })),
  );
}

/** A company as its admins see it. */
function companyView(company: Company): CompanyView {
  return { ...listedView(company), contacts: usesContacts(company) };
}

/** A company as the platform sees it. */
function listedView({ id, slug, name, settings, createdAt, updatedAt }: Company): CompanyView {
  return { id, slug, name, ...settings, created_at: createdAt.toISOString(), updated_at: updatedAt.toISOString() };
}

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
  const company = { id: toId<CompanyId>(services.newId()), slug, name };
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
