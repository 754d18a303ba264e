import type { EraseContactRequest, ErasureView } from '../../contract/eraseContact.ts';
import type { Principal } from '../../domain/access.ts';
import { toId } from '../../domain/ids.ts';
import { ok, type Outcome, refuse } from '../../domain/outcome.ts';
import type { Services } from '../services.ts';
import { noSuchContact } from './contactScope.ts';
import { changedBy } from './manageContacts.ts';

/**
 * Erases a person, and all that is kept of them; their calls stay as figures. Refuses when the contact is not as it was read, and while it
 * is on a call, which would be written anew.
 */
export async function eraseContact(
  { clock, contacts, hashErased, newId }: Pick<Services, 'clock' | 'contacts' | 'hashErased' | 'newId'>,
  principal: Principal,
  id: string,
  body: EraseContactRequest,
): Promise<Outcome<ErasureView>> {
  const { companyId } = principal;
  const contact = await contacts.find(companyId, 'all', toId(id));
  if (contact === null) return noSuchContact;
  const stale = refuse('conflict', `The contact is at version ${contact.version} now.`, { cause: { code: 'changed_meanwhile', params: { version: contact.version } } });
  if (contact.version !== body.version) return stale;
  const keys = [...contact.phones.map(({ phone }) => phone as string), ...contact.emails.map(({ email }) => email)];
  const hashes = keys.map((key) => hashErased(companyId, key));
  const erased = await contacts.erase(contact, { id: newId(), hashes, by: changedBy(principal), at: new Date(clock.now()) });
  if (erased === 'not_written') return stale;
  if (erased === 'on_call') return refuse('conflict', 'The contact is on a call.', { cause: { code: 'contact_on_call' } });
  return ok({ contact_id: contact.id, phones: contact.phones.length, emails: contact.emails.length, erased });
}
