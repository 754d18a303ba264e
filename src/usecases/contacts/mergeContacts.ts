import type { ContactView } from '../../contract/contacts.ts';
import type { MergeContactRequest } from '../../contract/mergeContacts.ts';
import type { Principal } from '../../domain/access.ts';
import { type Contact, type ContactContent, editsOf } from '../../domain/contacts.ts';
import { toId } from '../../domain/ids.ts';
import { ok, type Outcome, refuse } from '../../domain/outcome.ts';
import type { Services } from '../services.ts';
import { contactEvents } from './contactEvents.ts';
import { noSuchContact, scopeOf } from './contactScope.ts';
import { contactView } from './contactViews.ts';
import { changedBy, sharingOf } from './manageContacts.ts';

/**
 * Puts another contact into this one: its numbers, addresses, tags, timeline and tasks; its id leads here from then on.
 * Refuses when one of both is not as it was read, and when both are one already.
 * @param id the contact that stays
 */
export async function mergeContacts(
  services: Pick<Services, 'agentCard' | 'clock' | 'contacts' | 'newId' | 'companyOf' | 'wakeDispatcher'>,
  principal: Principal,
  id: string,
  body: MergeContactRequest,
): Promise<Outcome<ContactView>> {
  const { companyId } = principal;
  const scope = await scopeOf(services, principal);
  const [kept, other] = await Promise.all([
    services.contacts.find(companyId, scope, toId(id)),
    services.contacts.find(companyId, scope, toId(body.contact_id)),
  ]);
  if (kept === null || other === null) return noSuchContact;
  if (kept.id === other.id) return changedMeanwhile('Both are one contact.', kept);
  if (kept.version !== body.version) return changedMeanwhile(`The contact is at version ${kept.version} now.`, kept);
  if (other.version !== body.other_version)
    return changedMeanwhile(`The other contact is at version ${other.version} now.`, other);
  const at = new Date(services.clock.now());
  const after: Contact = { ...kept, ...mergedContent(kept, other, body), version: kept.version + 1, updatedAt: at };
  const entry = {
    id: services.newId(),
    at,
    kind: 'merged',
    by: changedBy(principal),
    text: other.name,
    edits: editsOf(kept, after),
  } as const;
  const events = await contactEvents(services, after, entry, other.id);
  if ((await services.contacts.merge(after, other, { ...entry, events })) === 'written') {
    if (events.length > 0) services.wakeDispatcher(companyId);
    return ok(contactView(after, await sharingOf(services, principal, after)));
  }
  return changedMeanwhile(
    'One of the contacts was changed meanwhile.',
    (await services.contacts.find(companyId, scope, kept.id)) ?? kept,
  );
}

function changedMeanwhile(detail: string, { version }: Contact) {
  return refuse('conflict', detail, { cause: { code: 'changed_meanwhile', params: { version } } });
}

function mergedContent(
  kept: ContactContent,
  other: ContactContent,
  { take = [], take_fields: takeFields = [] }: MergeContactRequest,
): ContactContent {
  const right = <T>(field: (typeof take)[number], own: T | null, others: T | null): T | null =>
    take.includes(field) ? others : (own ?? others);
  return {
    name: right('name', kept.name, other.name),
    organisation: right('organisation_id', kept.organisation, other.organisation),
    owner: right('owner_id', kept.owner, other.owner),
    phones: both(
      kept.phones,
      other.phones.filter(({ phone }) => kept.phones.every((own) => own.phone !== phone)),
    ),
    emails: both(
      kept.emails,
      other.emails.filter(({ email }) => kept.emails.every((own) => own.email !== email)),
    ),
    tags: [...new Set([...kept.tags, ...other.tags])],
    tier: right('tier', kept.tier, other.tier),
    language: right('language', kept.language, other.language),
    timeZone: right('time_zone', kept.timeZone, other.timeZone),
    notes: right('notes', kept.notes, other.notes),
    doNotCall: take.includes('do_not_call') ? other.doNotCall : kept.doNotCall || other.doNotCall,
    externalId: right('external_id', kept.externalId, other.externalId),
    fields: {
      ...other.fields,
      ...kept.fields,
      ...Object.fromEntries(Object.entries(other.fields).filter(([key]) => takeFields.includes(key))),
    },
  };
}

/** The primary one stays; the other's is one where there was none. */
function both<T extends { isPrimary: boolean }>(own: T[], others: T[]): T[] {
  const hasPrimary = own.some(({ isPrimary }) => isPrimary);
  return [...own, ...others.map((each) => ({ ...each, isPrimary: each.isPrimary && !hasPrimary }))];
}
