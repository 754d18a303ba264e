import type { AddNoteRequest, ContactActivityView } from '../../contract/contactActivities.ts';
import type { Principal } from '../../domain/access.ts';
import { toId } from '../../domain/ids.ts';
import { ok, type Outcome } from '../../domain/outcome.ts';
import type { Services } from '../services.ts';
import { noSuchContact, scopeOf } from './contactScope.ts';
import { activityView } from './contactViews.ts';
import { changedBy } from './manageContacts.ts';

/** What happened with a contact, the latest first: the calls of its numbers, also from before it was made, notes, changes. */
export async function listActivities(
  services: Pick<Services, 'contacts' | 'settings'>,
  principal: Principal,
  { contact, cursor, limit }: { contact: string; cursor?: string | undefined; limit: number },
): Promise<Outcome<{ activities: ContactActivityView[]; next_cursor: string | null }>> {
  const listed = await services.contacts.activities(principal.companyId, await scopeOf(services, principal), toId(contact), { cursor: cursor ?? null, limit });
  return listed === null ? noSuchContact : ok({ activities: listed.items.map(activityView), next_cursor: listed.nextCursor });
}

/** Writes a note on a contact's timeline. */
export async function addNote(
  services: Pick<Services, 'agentCard' | 'clock' | 'contacts' | 'newId' | 'settings'>,
  principal: Principal,
  { contact_id, text }: AddNoteRequest,
): Promise<Outcome<ContactActivityView>> {
  const { companyId } = principal;
  const by = changedBy(principal);
  const note = { id: services.newId(), at: new Date(services.clock.now()), kind: 'note', by, text, edits: [] } as const;
  const added = await services.contacts.addNote(companyId, await scopeOf(services, principal), toId(contact_id), { ...note, edits: [] });
  if (!added) return noSuchContact;
  const name = by === null ? null : (await services.agentCard(companyId, by)).name;
  return ok(activityView({ ...note, edits: [], name }));
}
