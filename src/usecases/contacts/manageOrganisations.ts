import type { CreateOrganisationRequest, OrganisationView, UpdateOrganisationRequest } from '../../contract/organisations.ts';
import { toId, type CompanyId, type OrganisationId } from '../../domain/ids.ts';
import { ok, type Outcome, refuse } from '../../domain/outcome.ts';
import type { Organisation } from '../../ports/contacts.ts';
import type { Services } from '../services.ts';

type Needs = Pick<Services, 'organisations'>;

const noSuchOrganisation = refuse('not_found', 'The company has no such organisation.');

/** Makes an organisation. Several may have one name. */
export async function createOrganisation(services: Needs & Pick<Services, 'clock' | 'newId'>, companyId: CompanyId, body: CreateOrganisationRequest): Promise<OrganisationView> {
  const at = new Date(services.clock.now());
  const { name, website = null, notes = null } = body;
  const organisation: Organisation = { companyId, id: toId<OrganisationId>(services.newId()), name, website, notes, version: 1, createdAt: at, updatedAt: at };
  await services.organisations.create(organisation);
  return organisationView(organisation);
}

/** One organisation. */
export async function readOrganisation({ organisations }: Needs, companyId: CompanyId, id: string): Promise<Outcome<OrganisationView>> {
  const found = await organisations.find(companyId, toId(id));
  return found === null ? noSuchOrganisation : ok(organisationView(found));
}

/** The company's organisations, a page at a time. */
export async function listOrganisations(
  { organisations }: Needs,
  companyId: CompanyId,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
): Promise<{ organisations: OrganisationView[]; next_cursor: string | null }> {
  const listed = await organisations.list(companyId, { cursor: cursor ?? null, limit });
  return { organisations: listed.items.map(organisationView), next_cursor: listed.nextCursor };
}

/**
 * Changes an organisation.
 * @param expected the version that the caller has read: another one now is refused. Null: whatever it is
 */
export async function updateOrganisation(
  services: Needs & Pick<Services, 'clock'>,
  companyId: CompanyId,
  id: string,
  body: UpdateOrganisationRequest,
  expected: number | null,
): Promise<Outcome<OrganisationView>> {
  const before = await services.organisations.find(companyId, toId(id));
  if (before === null) return noSuchOrganisation;
  const { name = before.name, website = before.website, notes = before.notes } = body;
  const after: Organisation = { ...before, name, website, notes, version: before.version + 1, updatedAt: new Date(services.clock.now()) };
  const isExpected = expected === null || expected === before.version;
  if (isExpected && (await services.organisations.update(after))) return ok(organisationView(after));
  return refuse('conflict', 'The organisation was changed meanwhile.', { cause: { code: 'changed_meanwhile', params: { version: before.version } } });
}

function organisationView({ id, name, website, notes, version, createdAt, updatedAt }: Organisation): OrganisationView {
  return { id, name, website, notes, version, created_at: createdAt.toISOString(), updated_at: updatedAt.toISOString() };
}
