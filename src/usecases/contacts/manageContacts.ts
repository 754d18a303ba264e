import type { ContactView, CreateContactRequest, ListContactsQuery } from '../../contract/contacts.ts';
import type { Principal } from '../../domain/access.ts';
import type { Contact } from '../../domain/contacts.ts';
import { toId, type AgentId, type ContactId, type OrganisationId } from '../../domain/ids.ts';
import { ok, type Outcome, refuse, type Refused } from '../../domain/outcome.ts';
import type { ChangedBy, ContactFault, Sharing } from '../../ports/contacts.ts';
import { type Created, createOnce, keyTakenOver, type Remember } from '../concurrency/createOnce.ts';
import { atPhoneNumber, readPhone } from '../screenPops/lookUp.ts';
import { showContact } from '../screenPops/showContact.ts';
import type { Services } from '../services.ts';
import { type ContactNeeds, emptyContact, readContent } from './readContent.ts';
import { contactEvents } from './contactEvents.ts';
import { noSuchContact, otherList, scopeOf } from './contactScope.ts';
import { contactView } from './contactViews.ts';

/** Who made a change: an agent, or the company's own system. */
export function changedBy(principal: Principal): ChangedBy {
  return principal.kind === 'agent' ? principal.agentId : null;
}

/**
 * Makes a contact. Refuses an external id that another contact of the company has, and a phone number that one has who
 * is the same person as far as anybody can tell (`isSamePerson`), with the id of that one; `shared` of the request says
 * that it is another person.
 * @param idempotencyKey the first answer under this key is given again for 24 h
 */
export async function createContact(
  services: ContactNeeds & Pick<Services, 'forget' | 'idempotency' | 'retries'>,
  principal: Principal,
  body: CreateContactRequest,
  idempotencyKey: string | null,
): Promise<Outcome<Created<ContactView>>> {
  return createOnce(services, principal, { path: '/api/crm/contacts', body, idempotencyKey }, (remember) =>
    make(services, principal, body, remember),
  );
}

async function make(
  services: ContactNeeds & Pick<Services, 'forget'>,
  principal: Principal,
  { shared, ...body }: CreateContactRequest,
  remember: Remember | undefined,
): Promise<Outcome<ContactView>> {
  const { companyId } = principal;
  const at = new Date(services.clock.now());
  const content = await readContent(services, companyId, emptyContact, body);
  if (content.kind === 'refused') return content;
  const id = toId<ContactId>(services.newId());
  const contact: Contact = { ...content.value, companyId, id, version: 1, createdAt: at, updatedAt: at };
  const view = contactView(contact, await sharingOf(services, principal, contact));
  const entry = { id: services.newId(), at, kind: 'created', by: changedBy(principal), text: null, edits: [] } as const;
  const events = await contactEvents(services, contact, entry);
  const created = await services.contacts.create(
    contact,
    { ...entry, edits: [], events },
    { remember: remember && { ...remember, body: view }, isAnother: shared === true },
  );
  switch (created.kind) {
    case 'written':
      if (!(await services.companyOf(companyId)).hasContacts) services.forget(companyId);
      if (events.length > 0) services.wakeDispatcher(companyId);
      await showContact(services, contact);
      return ok(view);
    case 'not_written':
      return keyTakenOver;
    default:
      return refusalOf(created);
  }
}

/** Why a contact cannot be written, as its reader is told. */
export function refusalOf(fault: ContactFault): Refused {
  if (fault.kind === 'unknown') {
    return refuse('invalid_request', 'A reference leads nowhere.', {
      errors: [{ path: fault.field, message: 'is none of the company', code: 'not_of_company' }],
    });
  }
  const code = fault.field === 'phones' ? 'phone_taken' : 'external_id_taken';
  const why =
    fault.field === 'phones'
      ? `A contact has the phone number ${fault.value}, and nothing tells that it is another person.`
      : 'This external id belongs to another contact.';
  return refuse('conflict', why, {
    errors: [
      {
        path: fault.field,
        message: `belongs to the contact ${fault.contactId}`,
        code,
        params: { contact_id: fault.contactId },
      },
    ],
  });
}

/** With whom a contact shares its numbers, as far as the caller sees them. */
export async function sharingOf(
  services: Pick<Services, 'contacts' | 'companyOf'>,
  principal: Principal,
  contact: Contact,
): Promise<Sharing> {
  return services.contacts.sharing(principal.companyId, await scopeOf(services, principal), contact);
}

/** One contact, as far as it is shown to the caller. */
export async function readContact(
  services: Pick<Services, 'contacts' | 'companyOf'>,
  principal: Principal,
  id: string,
): Promise<Outcome<ContactView>> {
  const found = await services.contacts.find(principal.companyId, await scopeOf(services, principal), toId(id));
  return found === null ? noSuchContact : ok(contactView(found, await sharingOf(services, principal, found)));
}

/**
 * The company's contacts that fit and are shown to the caller, a page at a time.
 * Refuses what is no phone number, and a cursor of a list that is sorted otherwise.
 */
export async function listContacts(
  services: Pick<Services, 'contacts' | 'companyOf'>,
  principal: Principal,
  {
    cursor,
    limit,
    sort,
    phone,
    email,
    external_id: externalId,
    owner,
    organisation,
    tag,
    tier,
    do_not_call: doNotCall,
    language,
  }: ListContactsQuery,
): Promise<Outcome<{ contacts: ContactView[]; next_cursor: string | null }>> {
  const { companyId } = principal;
  const number = phone === undefined ? undefined : await readPhone(services, companyId, phone);
  if (number?.kind === 'refused') return atPhoneNumber(number);
  const filter = {
    phone: number?.value,
    email: email?.toLowerCase(),
    externalId,
    ownerId: owner === undefined ? undefined : toId<AgentId>(owner),
    organisationId: organisation === undefined ? undefined : toId<OrganisationId>(organisation),
    tag,
    tier,
    language,
    doNotCall: doNotCall === undefined ? undefined : doNotCall === 'true',
  };
  const listed = await services.contacts.list(companyId, await scopeOf(services, principal), filter, sort, {
    cursor: cursor ?? null,
    limit,
  });
  if (listed === null) return otherList;
  return ok({ contacts: listed.items.map((contact) => contactView(contact)), next_cursor: listed.nextCursor });
}
