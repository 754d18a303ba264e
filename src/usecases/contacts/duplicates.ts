import type { DuplicateList, DuplicateView, ListDuplicatesQuery } from '../../contract/duplicates.ts';
import type { Principal } from '../../domain/access.ts';
import { toId } from '../../domain/ids.ts';
import { ok, type Outcome, refuse } from '../../domain/outcome.ts';
import type { Duplicate } from '../../ports/duplicates.ts';
import type { Services } from '../services.ts';
import { contactView } from './contactViews.ts';
import { changedBy } from './manageContacts.ts';

function duplicateView({ id, score, reasons, contacts }: Duplicate): DuplicateView {
  return { id, score, reasons, contacts: contacts.map((contact) => contactView(contact)) };
}

/** Contacts of the company that are probably one person, a page at a time; those for which most speaks first. */
export async function listDuplicates(
  { duplicates, wakeDuplicateFinder }: Pick<Services, 'duplicates' | 'wakeDuplicateFinder'>,
  { companyId }: Principal,
  { cursor, limit }: ListDuplicatesQuery,
): Promise<DuplicateList> {
  // Asked first: what is compared between the two is in the list.
  const comparing = await duplicates.isComparing(companyId);
  if (comparing) wakeDuplicateFinder();
  const listed = await duplicates.list(companyId, { cursor: cursor ?? null, limit });
  return { duplicates: listed.items.map(duplicateView), comparing, next_cursor: listed.nextCursor };
}

/** Notes that two contacts are two people: they are not suggested again, whatever becomes of them. */
export async function dismissDuplicate(
  services: Pick<Services, 'clock' | 'duplicates'>,
  principal: Principal,
  id: string,
): Promise<Outcome<null>> {
  const isDismissed = await services.duplicates.dismiss(
    principal.companyId,
    toId(id),
    changedBy(principal),
    new Date(services.clock.now()),
  );
  return isDismissed ? ok(null) : refuse('not_found', 'The company has no such suggestion.');
}
