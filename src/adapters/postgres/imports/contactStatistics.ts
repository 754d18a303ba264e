import pg, { type Pool } from 'pg';
import { run } from '../queries.ts';

/** What an import adds many rows to. */
const tables = [
  'contact',
  'contact_change',
  'contact_email',
  'contact_phone',
  'contact_search',
  'contact_tag',
  'organisation',
  'organisation_search',
];

/** How many contacts the planner knows of; of a table that was never analyzed, none. */
const findCountedContacts = {
  name: 'find_counted_contacts',
  text: `SELECT greatest(reltuples, 0)::float8 AS contacts FROM pg_class WHERE oid = 'contact'::regclass`,
};

/**
 * Lets PostgreSQL count what an import has made, whenever that has doubled and is more than PostgreSQL knew of. The
 * foreign keys and triggers of each new row go by plans that every connection keeps. Those made for empty tables read
 * all contacts of the company, row by row; counting makes them anew. The database does so by itself, but a minute
 * later, by when an import of many rows can be so slow that its statements are ended.
 * @param before contacts that the import had made before its last batch; @param after those with it
 */
export async function countNewContacts(pool: Pool, before: number, after: number): Promise<void> {
  if (after === before || Math.floor(Math.log2(after)) === Math.floor(Math.log2(before))) return;
  const [known] = await run<{ contacts: number }>(pool, findCountedContacts, []);
  if (known === undefined || known.contacts >= after) return;
  try {
    await pool.query(`ANALYZE ${tables.join(', ')}`);
  } catch (error) {
    // Somebody else counts at this moment, or it takes too long: the import goes on as it is.
    if (!(error instanceof pg.DatabaseError)) throw error;
  }
}
