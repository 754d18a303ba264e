import type { AgentView } from '../../contract/agents.ts';
import type { CompanyView, CreateCompanyRequest, UpdateCompanyRequest } from '../../contract/companies.ts';
import { defaultDispositions, type Role, standardReasons, systemReasons } from '../../contract/vocabulary.ts';
import { type Company, shownDispositions, usesContacts, type WallboardLimits } from '../../domain/company.ts';
import { type AgentId, type CompanyId, toId } from '../../domain/ids.ts';
import { ok, type Outcome, refuse } from '../../domain/outcome.ts';
import type { CompanyChange } from '../../ports/companies.ts';
import type { Services } from '../services.ts';
import { readEntries } from '../dialing/speedDials.ts';
import { agentView } from '../views/agentViews.ts';

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
    return refuse('conflict', 'Another company has this slug.', { errors: [{ path: 'slug', message: 'is taken', code: 'taken' }] });
  }
  const [first] = created.agents;
  if (first === undefined) throw new Error('a company is created with its admin');
  return ok({ company: companyView(created.company, false), admin: agentView(first) });
}

/** Every company, for the platform's operator. */
export async function listCompanies({ companies }: Pick<Services, 'companies'>): Promise<CompanyView[]> {
  return (await companies.list()).map((company) => companyView(company));
}

/** The caller's company. */
export async function readCompany(
  { companies, settings }: Pick<Services, 'companies' | 'settings'>,
  companyId: CompanyId,
): Promise<Outcome<CompanyView>> {
  const company = await companies.find(companyId);
  return company === null ? refuse('not_found', 'The company is gone.') : ok(companyView(company, usesContacts(await settings(companyId))));
}

/**
 * Changes the company's name, language, wrap-up time, lists of its own (dispositions, tags, Not Ready reasons, speed dials, reasons for skipping a call)
 * and the limits of its wallboard; a list replaces the former one, a limit that is left out stays.
 * Softphones are told to read their settings again.
 */
export async function updateCompany(
  { companies, forget, settings, softphones }: Pick<Services, 'companies' | 'forget' | 'settings' | 'softphones'>,
  companyId: CompanyId,
  body: UpdateCompanyRequest,
): Promise<Outcome<CompanyView>> {
  const reserved: readonly string[] = [...standardReasons, ...systemReasons];
  const clash = body.not_ready_reasons?.findIndex((reason) => reserved.includes(reason.code)) ?? -1;
  if (clash >= 0) {
    return refuse('invalid_request', 'A Not Ready reason has a code that every company has.', {
      errors: [{ path: `not_ready_reasons.${String(clash)}.code`, message: 'is reserved', code: 'reserved' }],
    });
  }
  const speedDials = body.speed_dials === undefined ? null : readEntries(body.speed_dials, 'speed_dials', await settings(companyId));
  if (speedDials?.kind === 'refused') return speedDials;
  const change: CompanyChange = {
    ...(body.name === undefined ? {} : { name: body.name }),
    ...(body.wrap_up_seconds === undefined ? {} : { wrapUpSeconds: body.wrap_up_seconds }),
    ...(body.contact_scope === undefined ? {} : { contactScope: body.contact_scope }),
    ...(body.callback_assignee === undefined ? {} : { callbackAssignee: body.callback_assignee }),
    ...(body.listening === undefined ? {} : { listening: body.listening }),
    ...(body.wrap_up_max_seconds === undefined ? {} : { wrapUpMaxSeconds: body.wrap_up_max_seconds }),
    ...(body.language === undefined ? {} : { language: body.language }),
    ...(body.dispositions === undefined ? {} : { dispositions: body.dispositions }),
    ...(body.tags === undefined ? {} : { tags: body.tags }),
    ...(body.free_tags === undefined ? {} : { freeTags: body.free_tags }),
    ...(body.not_ready_reasons === undefined ? {} : { notReadyReasons: body.not_ready_reasons }),
    ...(speedDials === null ? {} : { speedDials: speedDials.value }),
    ...(body.preview_dial === undefined ? {} : { previewDial: body.preview_dial }),
    ...(body.skip_reasons === undefined ? {} : { skipReasons: body.skip_reasons }),
  };
  if (body.wallboard_limits !== undefined) {
    const before = (await companies.find(companyId))?.wallboardLimits;
    if (before !== undefined) change.wallboardLimits = { ...before, ...withoutAbsent(body.wallboard_limits) };
  }
  const company = await companies.update(companyId, change);
  forget(companyId);
  if (company === null) return refuse('not_found', 'The company is gone.');
  const { name: _, language: __, ...shown } = change;
  if (Object.keys(shown).length > 0) softphones.settingsChanged(companyId);
  return ok(companyView(company, usesContacts(await settings(companyId))));
}

/** The limits that are given. */
function withoutAbsent(given: NonNullable<UpdateCompanyRequest['wallboard_limits']>): Partial<WallboardLimits> {
  return Object.fromEntries(Object.entries(given).filter(([, seconds]) => seconds !== undefined));
}

/** A company as its admins and the platform see it. @param hasContacts undefined: not told */
function companyView(company: Company, hasContacts?: boolean): CompanyView {
  return {
    id: company.id,
    slug: company.slug,
    name: company.name,
    wrap_up_seconds: company.wrapUpSeconds,
    wrap_up_max_seconds: company.wrapUpMaxSeconds,
    contact_scope: company.contactScope,
    callback_assignee: company.callbackAssignee,
    listening: company.listening,
    language: company.language,
    dispositions: shownDispositions(company.dispositions),
    tags: company.tags,
    free_tags: company.freeTags,
    not_ready_reasons: company.notReadyReasons,
    speed_dials: company.speedDials,
    ...(hasContacts === undefined ? {} : { contacts: hasContacts }),
    preview_dial: company.previewDial,
    skip_reasons: company.skipReasons,
    wallboard_limits: company.wallboardLimits,
    created_at: company.createdAt.toISOString(),
    updated_at: company.updatedAt.toISOString(),
  };
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
