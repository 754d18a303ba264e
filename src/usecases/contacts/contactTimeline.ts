import type { AddNoteRequest, ContactActivityView, ListActivitiesQuery } from '../../contract/contactActivities.ts';
import type { Principal } from '../../domain/access.ts';
import { toId } from '../../domain/ids.ts';
import { ok, type Outcome } from '../../domain/outcome.ts';
import { type Created, createOnce, keyTakenOver, type Remember } from '../concurrency/createOnce.ts';
import type { KeyNeeds } from '../concurrency/idempotencyKey.ts';
import type { Services } from '../services.ts';
import { noSuchContact, scopeOf } from './contactScope.ts';
import { activityView } from './contactViews.ts';
import { changedBy } from './manageContacts.ts';

/**
 * What happened with a contact, the latest first: the calls of its numbers, also from before it was made,
 * those whose click named it, notes, changes.
 */
export async function listActivities(
  services: Pick<Services, 'contacts' | 'companyOf'>,
  principal: Principal,
  { contact, cursor, kind, limit }: ListActivitiesQuery,
): Promise<Outcome<{ activities: ContactActivityView[]; next_cursor: string | null }>> {
  const listed = await services.contacts.activities(
    principal.companyId,
    await scopeOf(services, principal),
    toId(contact),
    kind ?? null,
    { cursor: cursor ?? null, limit },
  );
  return listed === null
    ? noSuchContact
    : ok({ activities: listed.items.map(activityView), next_cursor: listed.nextCursor });
}

type Writing = Pick<Services, 'agentCard' | 'clock' | 'contacts' | 'newId' | 'companyOf'>;

/**
 * Writes a note on a contact's timeline.
 * @param idempotencyKey the first answer under this key is given again for 24 h
 */
export async function addNote(
  services: Writing & KeyNeeds,
  principal: Principal,
  body: AddNoteRequest,
  idempotencyKey: string | null,
): Promise<Outcome<Created<ContactActivityView>>> {
  return createOnce(services, principal, { path: '/api/crm/activities', body, idempotencyKey }, (remember) =>
    write(services, principal, body, remember),
  );
}

async function write(
  services: Writing,
  principal: Principal,
  { contact_id, text }: AddNoteRequest,
  remember: Remember | undefined,
): Promise<Outcome<ContactActivityView>> {
  const { companyId } = principal;
  const by = changedBy(principal);
  const note = { id: services.newId(), at: new Date(services.clock.now()), kind: 'note', by, text, edits: [] } as const;
  const name = by === null ? null : (await services.agentCard(companyId, by)).name;
  const view = activityView({ ...note, edits: [], name });
  const scope = await scopeOf(services, principal);
  switch (
    await services.contacts.addNote(
      companyId,
      scope,
      toId(contact_id),
      { ...note, edits: [] },
      remember === undefined ? undefined : { ...remember, body: view },
    )
  ) {
    case 'written':
      return ok(view);
    case 'unseen':
      return noSuchContact;
    case 'not_written':
      return keyTakenOver;
  }
}
