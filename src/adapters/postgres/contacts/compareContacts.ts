import type { Pool, PoolClient } from 'pg';
import { type Comparable, isNameAlone, type Likeness, likenessOf } from '../../../domain/duplicates.ts';
import type { CompanyId } from '../../../domain/ids.ts';
import { inTransaction } from '../inTransaction.ts';
import { brokenReference, isDeadlock } from '../postgresErrors.ts';
import { run } from '../queries.ts';
import { proposeDuplicates, readCompared } from './proposeDuplicates.ts';

/** A name that more others have than this says too little alone. */
const commonName = 3;

/**
 * One gateway at a time, so that none writes what another has just found to be no more; and none while an import of
 * the company makes contacts, or takes them back: it would take turns for longer than both one after the other.
 * $1 company id.
 */
export const lockComparisons = {
  name: 'lock_comparisons',
  text: `SELECT NOT EXISTS (
    SELECT FROM import WHERE company_id = $1 AND due_at IS NOT NULL AND state IN ('running', 'undoing')
  ) AND pg_try_advisory_xact_lock(hashtextextended('contact_to_compare ' || $1::text, 0)) AS locked`,
};

/** With all changes of each. $1 company id, $2 how many contacts. */
export const takeComparisons = {
  name: 'take_comparisons',
  text: `DELETE FROM contact_to_compare t WHERE t.company_id = $1 AND t.contact_id = ANY (ARRAY (
    SELECT w.contact_id FROM contact_to_compare w WHERE w.company_id = $1 GROUP BY w.contact_id
    ORDER BY w.contact_id LIMIT $2
  )) RETURNING t.contact_id AS id`,
};

/**
 * What is suggested of contacts that were compared, in place of what was; what somebody has said about two of them
 * stays. $1 company id, $2 contact ids, $3 suggestions as JSON: [{contactId, otherId, score, reasons}].
 */
export const writeDuplicates = {
  name: 'write_duplicates',
  text: `WITH given AS MATERIALIZED (
    SELECT g.* FROM jsonb_to_recordset($3::jsonb) AS g ("contactId" uuid, "otherId" uuid, score int, reasons text[])
  ), gone AS (
    DELETE FROM contact_duplicate d WHERE d.company_id = $1
      AND (d.contact_id = ANY ($2::uuid[]) OR d.other_id = ANY ($2::uuid[])) AND d.dismissed_at IS NULL
      AND NOT EXISTS (SELECT FROM given g WHERE g."contactId" = d.contact_id AND g."otherId" = d.other_id)
  )
  INSERT INTO contact_duplicate AS d (company_id, id, contact_id, other_id, score, reasons)
  SELECT $1, gen_random_uuid(), g."contactId", g."otherId", g.score, g.reasons FROM given g
  ON CONFLICT (company_id, contact_id, other_id) DO UPDATE SET score = excluded.score, reasons = excluded.reasons
    WHERE d.score <> excluded.score OR d.reasons <> excluded.reasons`,
};

type Pair = { contactId: string; otherId: string };

/**
 * Compares contacts that have waited, in one transaction.
 * `busy`: another gateway does, an import is under way, or one of them was changed or removed at this moment.
 */
export async function compareWaiting(pool: Pool, companyId: CompanyId, limit: number): Promise<number | 'busy'> {
  try {
    return await inTransaction(pool, (client) => compare(client, companyId, limit));
  } catch (error) {
    if (isDeadlock(error) || brokenReference(error) !== null) return 'busy';
    throw error;
  }
}

async function compare(client: PoolClient, companyId: CompanyId, limit: number): Promise<number | 'busy'> {
  const [lock] = await run<{ locked: boolean }>(client, lockComparisons, [companyId]);
  if (lock?.locked !== true) return 'busy';
  const taken = await run<{ id: string }>(client, takeComparisons, [companyId, limit]);
  if (taken.length === 0) return 0;
  const changed = [...new Set(taken.map(({ id }) => id))];
  const proposed = await run<Pair>(client, proposeDuplicates, [companyId, changed]);
  const ids = [...new Set(proposed.flatMap(({ contactId, otherId }) => [contactId, otherId]))];
  const read = ids.length === 0 ? [] : await run<Comparable & { id: string }>(client, readCompared, [companyId, ids]);
  const suggested = judge(proposed, new Map(read.map((contact) => [contact.id, contact])), new Set(changed));
  await run(client, writeDuplicates, [companyId, changed, JSON.stringify(suggested)]);
  return changed.length;
}

function judge(proposed: Pair[], contacts: Map<string, Comparable>, changed: Set<string>): (Pair & Likeness)[] {
  const alike = proposed.flatMap((pair) => {
    const [one, other] = [contacts.get(pair.contactId), contacts.get(pair.otherId)];
    const likeness = one === undefined || other === undefined ? null : likenessOf(one, other);
    return likeness === null ? [] : [{ ...pair, ...likeness }];
  });
  const byName = new Map<string, number>();
  for (const { contactId, otherId } of alike.filter(isNameAlone)) {
    for (const id of [contactId, otherId]) byName.set(id, (byName.get(id) ?? 0) + 1);
  }
  const hasCommonName = (id: string) => changed.has(id) && (byName.get(id) ?? 0) > commonName;
  return alike.filter((pair) => !isNameAlone(pair) || !(hasCommonName(pair.contactId) || hasCommonName(pair.otherId)));
}
