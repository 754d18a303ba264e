import type { Pool, PoolClient } from 'pg';
import type { Contact } from '../../../domain/contacts.ts';
import type { RememberedAnswer } from '../../../ports/calls.ts';
import type { AnnouncedChange, ContactFault } from '../../../ports/contacts.ts';
import { answeredBy, holdsKey, keyValues } from '../calls/idempotencyStore.ts';
import { announced } from '../deliveries/announce.ts';
import { inTransaction } from '../inTransaction.ts';
import { brokenReference, isDeadlock, takenIndex } from '../postgresErrors.ts';
import { run } from '../queries.ts';
import { textFor } from '../storableValues.ts';
import { holdNumbers, samePersonAs } from './holdNumbers.ts';

/**
 * What hangs on a contact: $17 phone numbers, $18 their labels, $19 which is the primary one; $20 to $22 the same of
 * the e-mail addresses; the entry of its timeline as $23 id, $24 kind, $25 who, $26 text, $27 edits as JSON; the
 * webhook as $28 id, $29 event, $30 body, or nulls. All beside `written`, which has
 * no row when nothing is to be written.
 */
const withIt = `phones AS (
    INSERT INTO contact_phone (company_id, phone, contact_id, label, is_primary, position)
    SELECT $1, p.phone, $2, p.label, p.is_primary, p.position
    FROM written, unnest($17::text[], $18::text[], $19::bool[]) WITH ORDINALITY
      AS p (phone, label, is_primary, position)
    ON CONFLICT (company_id, phone, contact_id) DO UPDATE SET label = excluded.label, is_primary = excluded.is_primary,
      position = excluded.position
  ), emails AS (
    INSERT INTO contact_email (company_id, contact_id, email, label, is_primary, position)
    SELECT $1, $2, e.email, e.label, e.is_primary, e.position
    FROM written, unnest($20::text[], $21::text[], $22::bool[]) WITH ORDINALITY
      AS e (email, label, is_primary, position)
    ON CONFLICT (company_id, contact_id, email) DO UPDATE SET label = excluded.label, is_primary = excluded.is_primary,
      position = excluded.position
  ), entry AS (
    INSERT INTO contact_change (company_id, contact_id, id, at, kind, agent_id, text, edits)
    SELECT $1, $2, $23::uuid, $16, $24, $25::uuid, $26, $27::jsonb FROM written
  ), ${announced('written', 28, '$16')}
  SELECT EXISTS (SELECT FROM written) AS written`;

/**
 * $1 to $30 the contact and what hangs on it (see contactValues, withIt);
 * $31 to $35 the request's key (see answeredBy). A request that no longer holds its key writes nothing.
 */
export const createContact = {
  name: 'create_contact',
  text: `WITH ${answeredBy(31)}, written AS (
    INSERT INTO contact (company_id, id, name, organisation_id, owner_id, tags, tier, language, time_zone, notes,
      do_not_call, external_id, fields, version, created_at, updated_at)
    SELECT $1::uuid, $2::uuid, $3, $4::uuid, $5::uuid, $6::text[], $7, $8, $9, $10, $11::bool, $12, $13::jsonb,
      $14::int, $15::timestamptz, $16::timestamptz
    WHERE ${holdsKey(31)}
    RETURNING id
  ), ${withIt}`,
};

/** $1 to $30 the contact as changed, and what hangs on it. */
export const updateContact = {
  name: 'update_contact',
  text: `WITH written AS (
    UPDATE contact SET name = $3, organisation_id = $4, owner_id = $5, tags = $6, tier = $7, language = $8,
      time_zone = $9, notes = $10,
      do_not_call = $11, external_id = $12, fields = $13::jsonb, version = $14, created_at = $15, updated_at = $16
    WHERE company_id = $1 AND id = $2 AND version = $14 - 1 RETURNING id
  ), old_phones AS (
    DELETE FROM contact_phone n WHERE n.company_id = $1 AND n.contact_id = $2 AND n.phone <> ALL ($17::text[])
      AND EXISTS (SELECT FROM written)
  ), old_emails AS (
    DELETE FROM contact_email e WHERE e.company_id = $1 AND e.contact_id = $2 AND e.email <> ALL ($20::text[])
      AND EXISTS (SELECT FROM written)
  ), ${withIt}`,
};

function contactValues(contact: Contact, change: AnnouncedChange): unknown[] {
  const { companyId, id, organisation, owner, phones, emails } = contact;
  const [event] = change.events ?? [];
  return [
    companyId,
    id,
    textFor('name', contact.name),
    organisation?.id ?? null,
    owner?.id ?? null,
    contact.tags.map((tag) => textFor('tags', tag)),
    textFor('tier', contact.tier),
    contact.language,
    contact.timeZone,
    textFor('notes', contact.notes),
    contact.doNotCall,
    textFor('external_id', contact.externalId),
    JSON.stringify(
      Object.fromEntries(
        Object.entries(contact.fields).map(([key, value]) => [
          key,
          typeof value === 'string' ? textFor(`fields.${key}`, value) : value,
        ]),
      ),
    ),
    contact.version,
    contact.createdAt,
    contact.updatedAt,
    phones.map(({ phone }) => phone),
    phones.map(({ label }) => textFor('phones', label)),
    phones.map(({ isPrimary }) => isPrimary),
    emails.map(({ email }) => textFor('emails', email)),
    emails.map(({ label }) => textFor('emails', label)),
    emails.map(({ isPrimary }) => isPrimary),
    change.id,
    change.kind,
    change.by,
    textFor('text', change.text),
    JSON.stringify(change.edits),
    event?.id ?? null,
    event?.event ?? null,
    event?.body ?? null,
  ];
}

/**
 * What PostgreSQL found in the way. `deadlock`: another contact is written at this moment,
 * and both waited for each other.
 */
export type Obstacle = 'deadlock' | 'external_id' | 'owner_id' | 'organisation_id';

type Written = { kind: 'written' } | { kind: 'not_written' } | { kind: 'obstacle'; obstacle: Obstacle };

/** @param more `isAnother`: whoever has one of the numbers is another person, whatever it is called */
export async function insertContact(
  pool: Pool,
  contact: Contact,
  change: AnnouncedChange,
  more: { remember?: RememberedAnswer | undefined; isAnother?: boolean },
): Promise<Written | ContactFault> {
  const insert = (by: Pool | PoolClient) =>
    write(() => run(by, createContact, [...contactValues(contact, change), ...keyValues(more.remember)]));
  if (more.isAnother === true || contact.phones.length === 0) return insert(pool);
  return inTransaction<Written | ContactFault>(
    pool,
    async (client) => {
      await run(client, holdNumbers, [contact.companyId, contact.phones.map(({ phone }) => phone)]);
      const written = await insert(client);
      return (written.kind === 'written' ? await samePersonAs(client, contact) : null) ?? written;
    },
    { isUndone: ({ kind }) => kind !== 'written' },
  );
}

export async function replaceContact(
  pool: Pool | PoolClient,
  contact: Contact,
  change: AnnouncedChange,
): Promise<Written> {
  return write(() => run(pool, updateContact, contactValues(contact, change)));
}

async function write(statement: () => Promise<{ written: boolean }[]>): Promise<Written> {
  try {
    const [row] = await statement();
    return { kind: row?.written === true ? 'written' : 'not_written' };
  } catch (error) {
    const obstacle = obstacleOf(error);
    if (obstacle === null) throw error;
    return { kind: 'obstacle', obstacle };
  }
}

function obstacleOf(error: unknown): Obstacle | null {
  if (isDeadlock(error)) return 'deadlock';
  if (takenIndex(error) === 'contact_company_id_external_id_key') return 'external_id';
  const reference = brokenReference(error);
  if (reference === 'contact_company_id_owner_id_fkey') return 'owner_id';
  return reference === 'contact_company_id_organisation_id_fkey' ? 'organisation_id' : null;
}
