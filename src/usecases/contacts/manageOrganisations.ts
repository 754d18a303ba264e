import type {
  CreateOrganisationRequest,
  ListOrganisationsQuery,
  OrganisationView,
  UpdateOrganisationRequest,
} from '../../contract/organisations.ts';
import type { Principal } from '../../domain/access.ts';
import { toId, type CompanyId, type OrganisationId } from '../../domain/ids.ts';
import { ok, type Outcome, refuse } from '../../domain/outcome.ts';
import { wordsOf } from '../../domain/searchText.ts';
import type { Organisation } from '../../ports/contacts.ts';
import { type Created, createOnce, keyTakenOver, type Remember } from '../concurrency/createOnce.ts';
import type { KeyNeeds } from '../concurrency/idempotencyKey.ts';
import type { Services } from '../services.ts';
import { otherList } from './contactScope.ts';

type Needs = Pick<Services, 'organisations'>;
type Making = Needs & Pick<Services, 'clock' | 'newId'>;

const noSuchOrganisation = refuse('not_found', 'The company has no such organisation.');

/**
 * Makes an organisation. Several may have one name.
 * @param idempotencyKey the first answer under this key is given again for 24 h
 */
export async function createOrganisation(
  services: Making & KeyNeeds,
  principal: Principal,
  body: CreateOrganisationRequest,
  idempotencyKey: string | null,
): Promise<Outcome<Created<OrganisationView>>> {
  return createOnce(services, principal, { path: '/api/crm/organisations', body, idempotencyKey }, (remember) =>
    make(services, principal.companyId, body, remember),
  );
}

async function make(
  services: Making,
  companyId: CompanyId,
  body: CreateOrganisationRequest,
  remember: Remember | undefined,
): Promise<Outcome<OrganisationView>> {
  const at = new Date(services.clock.now());
  const { name, website = null, notes = null } = body;
  const organisation: Organisation = {
    companyId,
    id: toId<OrganisationId>(services.newId()),
    name,
    website,
    notes,
    version: 1,
    createdAt: at,
    updatedAt: at,
  };
  const view = organisationView(organisation);
  const isMade = await services.organisations.create(
    organisation,
    remember === undefined ? undefined : { ...remember, body: view },
  );
  return isMade ? ok(view) : keyTakenOver;
}

/** One organisation. */
export async function readOrganisation(
  { organisations }: Needs,
  companyId: CompanyId,
  id: string,
): Promise<Outcome<OrganisationView>> {
  const found = await organisations.find(companyId, toId(id));
  return found === null ? noSuchOrganisation : ok(organisationView(found));
}

/** The company's organisations that fit, a page at a time. Refuses a cursor of a list that is sorted otherwise. */
export async function listOrganisations(
  { organisations }: Needs,
  companyId: CompanyId,
  { cursor, limit, name, sort }: ListOrganisationsQuery,
): Promise<Outcome<{ organisations: OrganisationView[]; next_cursor: string | null }>> {
  const filter = { words: name === undefined ? undefined : wordsOf(name) };
  const listed = await organisations.list(companyId, filter, sort, { cursor: cursor ?? null, limit });
  if (listed === null) return otherList;
  return ok({ organisations: listed.items.map(organisationView), next_cursor: listed.nextCursor });
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
  const after: Organisation = {
    ...before,
    name,
    website,
    notes,
    version: before.version + 1,
    updatedAt: new Date(services.clock.now()),
  };
  const isExpected = expected === null || expected === before.version;
  if (isExpected && (await services.organisations.update(after))) return ok(organisationView(after));
  return refuse('conflict', 'The organisation was changed meanwhile.', {
    cause: { code: 'changed_meanwhile', params: { version: before.version } },
  });
}

function organisationView({ id, name, website, notes, version, createdAt, updatedAt }: Organisation): OrganisationView {
  return {
    id,
    name,
    website,
    notes,
    version,
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
  };
}
