import type { ContactView, UpdateContactRequest } from '../../contract/contacts.ts';
import type { Principal } from '../../domain/access.ts';
import { type Contact, editsOf } from '../../domain/contacts.ts';
import { toId } from '../../domain/ids.ts';
import { ok, type Outcome, refuse } from '../../domain/outcome.ts';
import { inTurn } from '../concurrency/inTurn.ts';
import { showContact } from '../screenPops/showContact.ts';
import type { Services } from '../services.ts';
import { contactEvents } from './contactEvents.ts';
import { noSuchContact, scopeOf } from './contactScope.ts';
import { contactView } from './contactViews.ts';
import { changedBy, refusalOf, sharingOf } from './manageContacts.ts';
import { type ContactNeeds, readContent } from './readContent.ts';

/**
 * Changes a contact, and writes what was changed on its timeline; a change of nothing leaves it as it is.
 * @param expected the version that the caller has read: another one now is refused. Null: whatever it is
 */
export async function changeContact(
  services: ContactNeeds & Pick<Services, 'turns'>,
  principal: Principal,
  id: string,
  body: UpdateContactRequest,
  expected: number | null,
): Promise<Outcome<ContactView>> {
  const { companyId } = principal;
  const scope = await scopeOf(services, principal);
  let version = 0;
  const changed = await inTurn<Outcome<ContactView>>(services.turns, `contact ${companyId} ${id}`, async () => {
    const before = await services.contacts.find(companyId, scope, toId(id));
    if (before === null) return noSuchContact;
    version = before.version;
    if (expected !== null && expected !== version) return changedMeanwhile(version);
    const content = await readContent(services, companyId, before, body);
    if (content.kind === 'refused') return content;
    const edits = editsOf(before, content.value);
    if (edits.length === 0) return ok(contactView(before, await sharingOf(services, principal, before)));
    const at = new Date(services.clock.now());
    const after: Contact = { ...before, ...content.value, version: before.version + 1, updatedAt: at };
    const entry = { id: services.newId(), at, kind: 'edited', by: changedBy(principal), text: null, edits } as const;
    const events = await contactEvents(services, after, entry);
    const updated = await services.contacts.update(after, { ...entry, events });
    if (updated.kind === 'written') {
      if (events.length > 0) services.wakeDispatcher(companyId);
      if (body.phones !== undefined || body.name !== undefined) await showContact(services, after);
      return ok(contactView(after, await sharingOf(services, principal, after)));
    }
    return updated.kind === 'not_written' ? null : refusalOf(updated);
  });
  return changed ?? changedMeanwhile(version);
}

function changedMeanwhile(version: number) {
  return refuse('conflict', `The contact was changed meanwhile; it is at version ${version} now.`, {
    cause: { code: 'changed_meanwhile', params: { version } },
  });
}
