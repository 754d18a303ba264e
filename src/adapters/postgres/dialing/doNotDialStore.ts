import type { Pool } from 'pg';
import type { CompanyId } from '../../../domain/ids.ts';
import type { DoNotDialEntry, DoNotDialFilter, DoNotDialStore } from '../../../ports/dialing.ts';
import type { Page, PageRequest } from '../../../ports/queryResults.ts';
import { inTransaction } from '../inTransaction.ts';
import { placeCursor, readPlace } from '../placeCursor.ts';
import { Prisma } from '../generated/client.ts';
import type { StoreParts } from '../pool.ts';
import { fieldColumns, run, type Statement } from '../queries.ts';
import { textFor } from '../storableValues.ts';
import { dialBanOf } from './dialBan.ts';

/** Rows of one statement when many numbers are added at once. */
const rowsAtOnce = 5_000;

/** The do-not-dial lists of companies in PostgreSQL. */
export function createDoNotDialStore({ pool, prisma }: Pick<StoreParts, 'pool' | 'prisma'>): DoNotDialStore {
  return {
    ban: (companyId, phone, named) => dialBanOf(pool, companyId, phone, named),

    async add(companyId, { id, pattern, note, addedBy, createdAt }) {
      const [row] = await run<DoNotDialEntry>(pool, addDoNotDial, [
        companyId,
        id,
        pattern,
        textFor('note', note),
        addedBy,
        createdAt,
      ]);
      if (row === undefined) throw new Error('an entry that is added is there');
      return row;
    },

    addMany: (companyId, entries) => addAll(pool, companyId, entries),

    count: (companyId, atMost) => prisma.doNotDial.count({ where: { companyId }, take: atMost }),

    list: (companyId, filter, page) => listOf(pool, companyId, filter, page),

    remove: async (companyId, id) => (await prisma.doNotDial.deleteMany({ where: { companyId, id } })).count > 0,
  };
}

const columns = fieldColumns(Prisma.DoNotDialScalarFieldEnum, { but: ['companyId'] });

/**
 * $1 company id, $2 id, $3 pattern, $4 note or null, $5 who or null, $6 when.
 * Twice is once: a note that comes later counts.
 */
export const addDoNotDial = {
  name: 'add_do_not_dial',
  text: `INSERT INTO do_not_dial AS listed (company_id, id, pattern, note, added_by, created_at)
    VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (company_id, pattern) DO UPDATE SET note = coalesce(excluded.note, listed.note)
  RETURNING ${columns}`,
};

/**
 * $1 company id, $2 ids, $3 patterns, $4 notes, $5 who or null, $6 when.
 * In the order of their patterns, so that two of them never wait for each other.
 */
export const addManyDoNotDial = {
  name: 'add_many_do_not_dial',
  text: `INSERT INTO do_not_dial (company_id, id, pattern, note, added_by, created_at)
  SELECT $1::uuid, id, pattern, note, $5::uuid, $6::timestamptz
  FROM unnest($2::uuid[], $3::text[], $4::text[]) AS listed (id, pattern, note) ORDER BY pattern
  ON CONFLICT DO NOTHING RETURNING id`,
};

/** In one transaction. */
async function addAll(pool: Pool, companyId: CompanyId, entries: DoNotDialEntry[]): Promise<number> {
  const [first] = entries;
  if (first === undefined) return 0;
  const sorted = entries.toSorted((one, other) => (one.pattern < other.pattern ? -1 : 1));
  return inTransaction(pool, async (client) => {
    let added = 0;
    for (let start = 0; start < sorted.length; start += rowsAtOnce) {
      const rows = sorted.slice(start, start + rowsAtOnce);
      const values = [
        companyId,
        rows.map(({ id }) => id),
        rows.map(({ pattern }) => pattern),
        rows.map(({ note }) => textFor('note', note)),
        first.addedBy,
        first.createdAt,
      ];
      added += (await run(client, addManyDoNotDial, values)).length;
    }
    return added;
  });
}

/** $1 company id, $2 the number behind which the page begins, $3 how many. */
export const listDoNotDial = {
  name: 'list_do_not_dial',
  text: `SELECT ${columns} FROM do_not_dial WHERE company_id = $1 AND pattern > $2 ORDER BY pattern LIMIT $3`,
};

/** More digits than a number can have, the highest there are: the end of all that begin with a prefix. */
const highestDigits = '999999999999999';

/**
 * $1 to $3 as above, $4 patterns, $5 beginnings. Each beginning is read by the index,
 * so that a page reads hardly more than it gives.
 */
export const searchDoNotDial = {
  name: 'search_do_not_dial',
  text: `SELECT ${columns} FROM (
    SELECT * FROM do_not_dial WHERE company_id = $1 AND pattern = ANY ($4::text[]) AND pattern > $2
    UNION
    SELECT n.* FROM unnest($5::text[]) p (begun) CROSS JOIN LATERAL (
      SELECT * FROM do_not_dial WHERE company_id = $1 AND pattern >= p.begun
        AND pattern <= p.begun || '${highestDigits}' AND pattern > $2 ORDER BY pattern LIMIT $3
    ) n
  ) found ORDER BY pattern LIMIT $3`,
};

async function listOf(
  pool: Pool,
  companyId: CompanyId,
  filter: DoNotDialFilter | null,
  { cursor, limit }: PageRequest,
): Promise<Page<DoNotDialEntry> | null> {
  const [after] = cursor === null ? [''] : (readPlace(cursor, (text) => /^\+\d+\*?$/.test(text)) ?? []);
  if (after === undefined) return null;
  const page = [companyId, after, limit + 1];
  const [statement, values]: [Statement, unknown[]] =
    filter === null ? [listDoNotDial, page] : [searchDoNotDial, [...page, filter.patterns, filter.beginnings]];
  const rows = await run<DoNotDialEntry>(pool, statement, values);
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, nextCursor: rows.length > limit && last !== undefined ? placeCursor(last.pattern, last.id) : null };
}
