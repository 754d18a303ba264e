import type { Pool } from 'pg';
import type { Contact } from '../../../domain/contacts.ts';
import type { AgentId, CompanyId, ContactId } from '../../../domain/ids.ts';
import type { PhoneNumber } from '../../../domain/phoneNumbers.ts';
import type { ContactFilter, ContactScope } from '../../../ports/contacts.ts';
import type { PageRequest } from '../../../ports/queryResults.ts';
import { run, type Statement } from '../queries.ts';

/** The columns of Contact, with what hangs on it. $1 company id. */
export const contactColumns = `c.company_id AS "companyId", c.id, c.name, c.tags, c.tier, c.language, c.time_zone AS "timeZone", c.notes, c.do_not_call AS "doNotCall",
  c.external_id AS "externalId", c.fields, c.version, c.created_at AS "createdAt", c.updated_at AS "updatedAt",
  (SELECT json_build_object('id', o.id, 'name', o.name) FROM organisation o WHERE o.company_id = $1 AND o.id = c.organisation_id) AS organisation,
  (SELECT json_build_object('id', a.id, 'name', a.name) FROM agent a WHERE a.company_id = $1 AND a.id = c.owner_id) AS owner,
  (SELECT coalesce(json_agg(json_build_object('phone', p.phone, 'label', p.label, 'isPrimary', p.is_primary) ORDER BY p.position), '[]')
    FROM contact_phone p WHERE p.company_id = $1 AND p.contact_id = c.id) AS phones,
  (SELECT coalesce(json_agg(json_build_object('email', e.email, 'label', e.label, 'isPrimary', e.is_primary) ORDER BY e.position), '[]')
    FROM contact_email e WHERE e.company_id = $1 AND e.contact_id = c.id) AS emails`;

/** SQL: whether the contact `c` is seen. @param parameter the agent whose contacts are seen beside nobody's; null: all are */
export function isSeen(parameter: string): string {
  return `(${parameter}::uuid IS NULL OR c.owner_id IS NULL OR c.owner_id = ${parameter})`;
}

/** The value of that parameter. */
export function ownerOf(scope: ContactScope): AgentId | null {
  return scope === 'all' ? null : scope.ownerId;
}

/** $1 company id, $2 contact id, $3 whose contacts are seen beside nobody's, or null. */
export const findContact = {
  name: 'find_contact',
  text: `SELECT ${contactColumns} FROM contact c WHERE c.company_id = $1 AND c.id = $2 AND ${isSeen('$3')}`,
};

export async function contactById(pool: Pool, companyId: CompanyId, scope: ContactScope, id: ContactId): Promise<Contact | undefined> {
  const [row] = await run<Contact>(pool, findContact, [companyId, id, ownerOf(scope)]);
  return row;
}

/** $1 company id, $2 phone number in E.164. */
export const findContactByPhone = {
  name: 'find_contact_by_phone',
  text: `SELECT ${contactColumns} FROM contact_phone n JOIN contact c ON c.company_id = $1 AND c.id = n.contact_id
  WHERE n.company_id = $1 AND n.phone = $2`,
};

export async function contactByPhone(pool: Pool, companyId: CompanyId, phone: PhoneNumber): Promise<Contact | undefined> {
  const [row] = await run<Contact>(pool, findContactByPhone, [companyId, phone]);
  return row;
}

/** $1 company id, $2 external id. */
export const findContactByExternalId = {
  name: 'find_contact_by_external_id',
  text: 'SELECT id FROM contact WHERE company_id = $1 AND external_id = $2',
};

/** The condition of each filter, on its parameter. */
const conditions: Record<keyof ContactFilter, (parameter: string) => string> = {
  phone: (p) => `c.id = (SELECT contact_id FROM contact_phone WHERE company_id = $1 AND phone = ${p})`,
  email: (p) => `c.id IN (SELECT contact_id FROM contact_email WHERE company_id = $1 AND email = ${p})`,
  externalId: (p) => `c.external_id = ${p}`,
  ownerId: (p) => `c.owner_id = ${p}`,
  organisationId: (p) => `c.organisation_id = ${p}`,
  tag: (p) => `c.id IN (SELECT contact_id FROM contact_tag WHERE company_id = $1 AND tag = ${p})`,
};

/** Before every id. */
const firstId = '00000000-0000-0000-0000-000000000000';

/** Contacts in the order of their ids: one statement for each set of filters, so that each has a plan of its own. */
export async function listContacts(
  pool: Pool,
  companyId: CompanyId,
  scope: ContactScope,
  filter: ContactFilter,
  { cursor, limit }: PageRequest,
): Promise<Contact[]> {
  const given = (Object.keys(conditions) as (keyof ContactFilter)[]).filter((name) => filter[name] !== undefined);
  const values = [companyId, cursor ?? firstId, ownerOf(scope), limit + 1, ...given.map((name) => filter[name])];
  return run<Contact>(pool, listOf(given), values);
}

/** $1 company id, $2 last id of the page before, $3 whose contacts are seen beside nobody's or null, $4 how many, $5… the filters. */
function listOf(filters: (keyof ContactFilter)[]): Statement {
  const wheres = filters.map((name, index) => ` AND ${conditions[name](`$${index + 5}`)}`);
  return {
    name: ['list_contacts', ...filters].join('_'),
    text: `SELECT ${contactColumns} FROM contact c
    WHERE c.company_id = $1 AND c.id > $2 AND ${isSeen('$3')}${wheres.join('')} ORDER BY c.id LIMIT $4`,
  };
}
