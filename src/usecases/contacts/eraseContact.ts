import type { EraseContactRequest, ErasureView } from '../../contract/eraseContact.ts';
import type { Principal } from '../../domain/access.ts';
import type { Contact } from '../../domain/contacts.ts';
import { toId } from '../../domain/ids.ts';
import { ok, type Outcome, refuse } from '../../domain/outcome.ts';
import type { Services } from '../services.ts';
import { noSuchContact } from './contactScope.ts';
import { contactEvents } from './contactEvents.ts';
import { changedBy } from './manageContacts.ts';

/**
 * Erases a person, and all that is kept of them; their calls stay as figures.
 * Refuses when the contact is not as it was read, and while it is on a call, which would be written anew.
 */
export async function eraseContact(
  services: Pick<
    Services,
    'agentCard' | 'clock' | 'contacts' | 'hashErased' | 'newId' | 'companyOf' | 'wakeDispatcher'
  >,
  principal: Principal,
  id: string,
  body: EraseContactRequest,
): Promise<Outcome<ErasureView>> {
  const { clock, contacts, hashErased, newId } = services;
  const { companyId } = principal;
  const contact = await contacts.find(companyId, 'all', toId(id));
  if (contact === null) return noSuchContact;
  if (contact.version !== body.version) return changedMeanwhile(contact);
  const made = { by: changedBy(principal), at: new Date(clock.now()) };
  const events = await contactEvents(services, contact, { ...made, kind: 'erased' });
  const erased = await contacts.erase(contact, { id: newId(), hashOf: hashErased, ...made, events });
  if (erased === 'not_written') {
    const now = await contacts.find(companyId, 'all', contact.id);
    return now === null ? noSuchContact : changedMeanwhile(now);
  }
  if (erased === 'on_call')
    return refuse('conflict', 'The contact is on a call.', { cause: { code: 'contact_on_call' } });
  if (events.length > 0) services.wakeDispatcher(companyId);
  const { counts, remembered } = erased;
  return ok({
    contact_id: contact.id,
    phones: remembered.phones,
    emails: remembered.emails,
    external_ids: remembered.externalIds,
    erased: counts,
  });
}

function changedMeanwhile({ version }: Contact) {
  return refuse('conflict', `The contact is at version ${version} now.`, {
    cause: { code: 'changed_meanwhile', params: { version } },
  });
}
