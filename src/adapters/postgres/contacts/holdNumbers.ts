import type { PoolClient } from 'pg';
import { mostCandidates } from '../../../contract/screenPops.ts';
import type { Contact } from '../../../domain/contacts.ts';
import type { ContactId } from '../../../domain/ids.ts';
import type { PhoneNumber } from '../../../domain/phones/phoneNumbers.ts';
import { isSamePerson, nameKey } from '../../../domain/samePerson.ts';
import type { ContactFault } from '../../../ports/contacts.ts';
import { run } from '../queries.ts';

// No key of the database keeps one person from being made twice: people share numbers. Whoever makes a contact
// therefore holds its numbers until it is there or not, in whatever gateway; whoever makes many at once holds all of
// the company's, which are too many to be held one by one.

const ofCompany = "hashtextextended('contact phones ' || $1::text, 0)";

/** $1 company id, $2 phone numbers. In one order, so that nobody waits for somebody who waits for them. */
export const holdNumbers = {
  name: 'hold_numbers',
  text: `WITH company AS MATERIALIZED (SELECT pg_advisory_xact_lock_shared(${ofCompany}))
  SELECT pg_advisory_xact_lock(hashtextextended('contact phone ' || $1::text || ' ' || n.phone, 0))
  FROM company, (SELECT phone FROM unnest($2::text[]) AS phone ORDER BY phone) n`,
};

/** $1 company id. */
export const holdAllNumbers = { name: 'hold_all_numbers', text: `SELECT pg_advisory_xact_lock(${ofCompany})` };

/**
 * Contacts with one of the numbers whose name sounds the same, or where one of both has none.
 * $1 company id, $2 phone numbers, $3 whose they are, $4 its name or null.
 */
export const findNamesakes = {
  name: 'find_namesakes_by_phone',
  text: `SELECT n.phone, c.id, c.name, c.external_id AS "externalId" FROM contact_phone n
    JOIN contact c ON c.company_id = $1 AND c.id = n.contact_id
  WHERE n.company_id = $1 AND n.phone = ANY ($2::text[]) AND n.contact_id <> $3
    AND ($4::text IS NULL OR c.name IS NULL OR crm_name_sound(c.name) = crm_name_sound($4))
  ORDER BY n.contact_id LIMIT ${mostCandidates}`,
};

/**
 * Whether somebody was made with one of the numbers meanwhile who can be the same person. $1 company id; as JSON: $2
 * [{phone, name}]; $3 contacts that are known, $4 the first id that there can be of those who are not: the others of a
 * number that thousands share are not read.
 */
export const findNewSharers = {
  name: 'find_new_sharers',
  text: `SELECT s.id FROM jsonb_to_recordset($2::jsonb) AS g (phone text, name text) CROSS JOIN LATERAL (
    SELECT c.id FROM contact_phone n JOIN contact c ON c.company_id = $1 AND c.id = n.contact_id
    WHERE n.company_id = $1 AND n.phone = g.phone AND n.contact_id > $4::uuid AND n.contact_id <> ALL ($3::uuid[])
      AND (g.name IS NULL OR c.name IS NULL OR crm_name_sound(c.name) = crm_name_sound(g.name)) LIMIT 1
  ) s LIMIT 1`,
};

/** Clocks of gateways differ by less. Milliseconds. */
const clocksDifferByMs = 60_000;

/** The first UUIDv7 that a gateway can have made after this one was. */
export function firstIdAfter(id: string): string {
  const at = Math.max(0, Number.parseInt(id.replace('-', '').slice(0, 12), 16) - clocksDifferByMs)
    .toString(16)
    .padStart(12, '0');
  return `${at.slice(0, 8)}-${at.slice(8)}-7000-8000-000000000000`;
}

/** Who is the same person as a contact that is being made, by one of its numbers. Null: nobody. */
export async function samePersonAs(
  client: PoolClient,
  { companyId, id, name, externalId, phones }: Contact,
): Promise<ContactFault | null> {
  const values = [companyId, phones.map(({ phone }) => phone), id, nameKey(name) === '' ? null : name];
  const namesakes = await run<{ phone: PhoneNumber; id: ContactId; name: string | null; externalId: string | null }>(
    client,
    findNamesakes,
    values,
  );
  const same = namesakes.find((one) => isSamePerson(one, { name, externalId }));
  return same === undefined ? null : { kind: 'taken', field: 'phones', value: same.phone, contactId: same.id };
}
