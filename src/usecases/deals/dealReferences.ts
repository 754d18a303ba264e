import type { CreateDealRequest, UpdateDealRequest } from '../../contract/deals.ts';
import type { Principal } from '../../domain/access.ts';
import { plainDecimal, type ShownDeal, type Stage } from '../../domain/deals.ts';
import {
  type AgentId,
  type ContactId,
  type OrganisationId,
  type PipelineId,
  type StageId,
  toId,
} from '../../domain/ids.ts';
import { ok, type Outcome, refuse, type Refused } from '../../domain/outcome.ts';
import { scopeOf } from '../contacts/contactScope.ts';
import type { Services } from '../services.ts';

export type DealNeeds = Pick<
  Services,
  | 'agents'
  | 'agentCard'
  | 'clock'
  | 'contacts'
  | 'deals'
  | 'newId'
  | 'organisations'
  | 'pipelines'
  | 'companyOf'
  | 'wakeDispatcher'
>;

/** What a request can say of a deal. */
export type DealContent = Pick<
  ShownDeal,
  'name' | 'value' | 'currency' | 'owner' | 'contact' | 'contactId' | 'organisation' | 'expectedClose'
>;

/**
 * What a deal says after a request. Refuses a value without currency, and an owner,
 * contact or organisation that is none of the company or not shown to the caller.
 */
export async function readContent(
  services: DealNeeds,
  principal: Principal,
  before: DealContent,
  body: CreateDealRequest | UpdateDealRequest,
): Promise<Outcome<DealContent>> {
  const { companyId } = principal;
  const asked = body.value == null ? null : plainDecimal(body.value);
  const value = body.value === undefined ? before.value : asked;
  const currency = body.currency === undefined ? before.currency : body.currency;
  if (value !== null && currency === null) {
    return refuse('invalid_request', 'A value needs its currency.', {
      errors: [{ path: 'currency', message: 'is needed for a value', code: 'currency_needed' }],
    });
  }
  const content: DealContent = { ...before, name: body.name ?? before.name, value, currency };
  if (body.expected_close !== undefined) content.expectedClose = body.expected_close;
  if (body.owner_id === null) content.owner = null;
  if (body.owner_id != null) {
    const found = await services.agents.find(companyId, toId<AgentId>(body.owner_id));
    if (found.kind !== 'found' || !found.value.active) return notOfCompany('owner_id');
    content.owner = { id: found.value.id, name: found.value.name };
  }
  if (body.organisation_id === null) content.organisation = null;
  if (body.organisation_id != null) {
    const found = await services.organisations.find(companyId, toId<OrganisationId>(body.organisation_id));
    if (found === null) return notOfCompany('organisation_id');
    content.organisation = { id: found.id, name: found.name };
  }
  if (body.contact_id === null) [content.contactId, content.contact] = [null, null];
  if (body.contact_id != null && body.contact_id.toLowerCase() !== before.contact?.id) {
    const found = await services.contacts.find(
      companyId,
      await scopeOf(services, principal),
      toId<ContactId>(body.contact_id),
    );
    if (found === null) return notOfCompany('contact_id');
    [content.contactId, content.contact] = [found.id, { id: found.id, name: found.name }];
  }
  return ok(content);
}

/** The stage that a request names; else the first of the company's first pipeline. */
export async function readStage(
  { pipelines }: DealNeeds,
  { companyId }: Principal,
  id: string | undefined,
): Promise<Outcome<{ pipelineId: PipelineId; stage: Stage }>> {
  if (id !== undefined) {
    const found = await pipelines.findStage(companyId, toId<StageId>(id));
    return found === null ? notOfCompany('stage_id') : ok(found);
  }
  const [first] = await pipelines.list(companyId);
  const stage = first?.stages[0];
  if (first === undefined || stage === undefined) {
    return refuse('conflict', 'The company has no pipeline yet; an admin defines one.', {
      cause: { code: 'no_pipeline' },
    });
  }
  return ok({ pipelineId: first.id, stage });
}

/** A reference leads nowhere, or to what is not shown to the caller. */
export function notOfCompany(path: 'stage_id' | 'owner_id' | 'contact_id' | 'organisation_id'): Refused {
  return refuse('invalid_request', 'A reference leads nowhere.', {
    errors: [{ path, message: 'is none of the company', code: 'not_of_company' }],
  });
}
