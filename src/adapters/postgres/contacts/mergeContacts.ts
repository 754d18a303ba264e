import type { Pool, PoolClient } from 'pg';
import type { Contact } from '../../../domain/contacts.ts';
import type { ContactId } from '../../../domain/ids.ts';
import type { AnnouncedChange } from '../../../ports/contacts.ts';
import { inTransaction } from '../inTransaction.ts';
import { isDeadlock } from '../postgresErrors.ts';
import { run } from '../queries.ts';
import { addToAudit } from './auditStore.ts';
import { replaceContact } from './writeContact.ts';

/** In one order, so that merges that cross each other wait. $1 company id, $2 contact ids. */
export const lockContacts = {
  name: 'lock_contacts',
  text: 'SELECT id, version FROM contact WHERE company_id = $1 AND id = ANY ($2::uuid[]) ORDER BY id FOR UPDATE',
};

// What names a contact goes over to another. Each: $1 company id, $2 the contact that stays, $3 the other. What is not
// here goes with the other's row: its search text, its tags, whom it may be the same as; its addresses are among those
// that the one that stays is written with.

/** A number that both have stays where it is. */
export const movePhones = {
  name: 'move_phones',
  text: `UPDATE contact_phone SET contact_id = $2 WHERE company_id = $1 AND contact_id = $3
    AND NOT EXISTS (SELECT FROM contact_phone own WHERE own.company_id = $1 AND own.contact_id = $2
      AND own.phone = contact_phone.phone)`,
};
export const moveChanges = {
  name: 'move_changes',
  text: 'UPDATE contact_change SET contact_id = $2 WHERE company_id = $1 AND contact_id = $3',
};
export const moveTasks = {
  name: 'move_tasks',
  text: 'UPDATE task SET contact_id = $2 WHERE company_id = $1 AND contact_id = $3',
};
export const moveDeals = {
  name: 'move_deals',
  text: 'UPDATE deal SET contact_id = $2 WHERE company_id = $1 AND contact_id = $3',
};
/** What an import wrote cannot be taken back any more: no contact has this version. */
export const moveImportRows = {
  name: 'move_import_rows',
  text: 'UPDATE import_row SET contact_id = $2, contact_version = -1 WHERE company_id = $1 AND contact_id = $3',
};
export const moveRedirects = {
  name: 'move_redirects',
  text: 'UPDATE contact_redirect SET contact_id = $2 WHERE company_id = $1 AND contact_id = $3',
};
export const addRedirect = {
  name: 'add_redirect',
  text: 'INSERT INTO contact_redirect (company_id, contact_id, id) VALUES ($1, $2, $3)',
};
/** Whoever is another person than the other one is another than the one that stays. */
export const moveDismissals = {
  name: 'move_dismissals',
  text: `INSERT INTO contact_duplicate AS d (company_id, id, contact_id, other_id, score, reasons,
    dismissed_at, dismissed_by)
  SELECT $1, gen_random_uuid(), least(s.third, $2), greatest(s.third, $2), s.score, s.reasons, s.dismissed_at,
    s.dismissed_by FROM (
    SELECT CASE WHEN o.contact_id = $3 THEN o.other_id ELSE o.contact_id END AS third, o.* FROM contact_duplicate o
    WHERE o.company_id = $1 AND (o.contact_id = $3 OR o.other_id = $3) AND o.dismissed_at IS NOT NULL
  ) s WHERE s.third <> $2
  ON CONFLICT (company_id, contact_id, other_id) DO UPDATE SET dismissed_at = excluded.dismissed_at,
    dismissed_by = excluded.dismissed_by WHERE d.dismissed_at IS NULL`,
};
const moves = [
  movePhones,
  moveChanges,
  moveTasks,
  moveDeals,
  moveImportRows,
  moveRedirects,
  addRedirect,
  moveDismissals,
];

/** $1 company id, $2 contact id. */
export const removeContact = { name: 'remove_contact', text: 'DELETE FROM contact WHERE company_id = $1 AND id = $2' };

/**
 * Writes the contact that stays with all that the other had, in one transaction.
 * `not_written`: one of both has another version.
 */
export async function writeMerged(
  pool: Pool,
  after: Contact,
  other: Pick<Contact, 'id' | 'version'>,
  change: AnnouncedChange,
): Promise<'written' | 'not_written'> {
  try {
    const isWritten = await inTransaction(pool, (client) => mergeIn(client, after, other, change), {
      isUndone: (written) => !written,
    });
    return isWritten ? 'written' : 'not_written';
  } catch (error) {
    if (isDeadlock(error)) return 'not_written';
    throw error;
  }
}

async function mergeIn(
  client: PoolClient,
  after: Contact,
  other: Pick<Contact, 'id' | 'version'>,
  change: AnnouncedChange,
): Promise<boolean> {
  const { companyId, id } = after;
  const locked = await run<{ id: ContactId; version: number }>(client, lockContacts, [companyId, [id, other.id]]);
  const versionOf = (wanted: ContactId) => locked.find((row) => row.id === wanted)?.version;
  if (versionOf(id) !== after.version - 1 || versionOf(other.id) !== other.version) return false;
  for (const move of moves) await run(client, move, [companyId, id, other.id]);
  await run(client, removeContact, [companyId, other.id]);
  const { id: entryId, by, at } = change;
  await addToAudit(client, companyId, {
    id: entryId,
    kind: 'contact_merged',
    contactId: id,
    otherId: other.id,
    by,
    counts: null,
    at,
  });
  return (await replaceContact(client, after, change)).kind === 'written';
}
