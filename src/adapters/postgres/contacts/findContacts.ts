import type { Pool } from 'pg';
import type { Contact } from '../../../domain/contacts.ts';
import type { ContactSort } from '../../../contract/contacts.ts';
import { mostCandidates } from '../../../contract/screenPops.ts';
import type { AgentId, CompanyId, ContactId } from '../../../domain/ids.ts';
import type { PhoneNumber } from '../../../domain/phones/phoneNumbers.ts';
import type { ContactFilter, ContactScope } from '../../../ports/contacts.ts';
import type { Page, PageRequest } from '../../../ports/queryResults.ts';
import { isTimePlace, timePlace } from '../placeCursor.ts';
import { Prisma } from '../generated/client.ts';
import { fieldColumns, run } from '../queries.ts';
import { type GivenFilter, type SortedBy, sortedPage } from '../sortedPage.ts';
import { isStorableText } from '../storableValues.ts';

/** The columns of Contact, with what hangs on it. $1 company id. */
export const contactColumns = `${fieldColumns(Prisma.ContactScalarFieldEnum, {
  but: ['organisationId', 'ownerId'],
  of: 'c',
})},
  (SELECT json_build_object('id', o.id, 'name', o.name) FROM organisation o
    WHERE o.company_id = $1 AND o.id = c.organisation_id) AS organisation,
  (SELECT json_build_object('id', a.id, 'name', a.name) FROM agent a WHERE a.company_id = $1
    AND a.id = c.owner_id) AS owner,
  (SELECT coalesce(json_agg(json_build_object('phone', p.phone, 'label', p.label, 'isPrimary', p.is_primary)
    ORDER BY p.position), '[]')
    FROM contact_phone p WHERE p.company_id = $1 AND p.contact_id = c.id) AS phones,
  (SELECT coalesce(json_agg(json_build_object('email', e.email, 'label', e.label, 'isPrimary', e.is_primary)
    ORDER BY e.position), '[]')
    FROM contact_email e WHERE e.company_id = $1 AND e.contact_id = c.id) AS emails`;

/**
 * SQL: whether the contact `c` is seen.
 * @param parameter the agent whose contacts are seen beside nobody's; null: all are
 */
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

export async function contactById(
  pool: Pool,
  companyId: CompanyId,
  scope: ContactScope,
  id: ContactId,
): Promise<Contact | undefined> {
  const [row] = await run<Contact>(pool, findContact, [companyId, id, ownerOf(scope)]);
  return row;
}

/**
 * $1 company id, $2 phone number in E.164, $3 whose contacts are seen beside nobody's, or null; who has a
 * call with the number sees its contacts. In the order of the key, so that of a number that thousands share
 * no more are read than are told.
 */
export const findContactsByPhone = {
  name: 'find_contacts_by_phone',
  text: `SELECT ${contactColumns} FROM contact_phone n JOIN contact c ON c.company_id = $1 AND c.id = n.contact_id
  WHERE n.company_id = $1 AND n.phone = $2
    AND (${isSeen('$3')} OR EXISTS (SELECT FROM call k WHERE k.company_id = $1 AND k.agent_id = $3
      AND k.ended_at IS NULL AND k.phone = $2))
  ORDER BY n.contact_id LIMIT ${mostCandidates}`,
};

export function contactsByPhone(
  pool: Pool,
  companyId: CompanyId,
  scope: ContactScope,
  phone: PhoneNumber,
): Promise<Contact[]> {
  return run<Contact>(pool, findContactsByPhone, [companyId, phone, ownerOf(scope)]);
}

/** $1 company id, $2 phone numbers, $3 whose they are, $4 whose contacts are seen beside nobody's, or null. */
export const findSharing = {
  name: 'find_sharing_contacts',
  text: `SELECT x.phone, s.id, s.name FROM unnest($2::text[]) AS x (phone) CROSS JOIN LATERAL (
    SELECT c.id, c.name FROM contact_phone n JOIN contact c ON c.company_id = $1 AND c.id = n.contact_id
    WHERE n.company_id = $1 AND n.phone = x.phone AND n.contact_id <> $3 AND ${isSeen('$4')} ORDER BY n.contact_id
    LIMIT ${mostCandidates}
  ) s`,
};

/** SQL: the one contact that has a number; null: nobody has it, or several do. @param company the parameter */
export function soleContact(phone: string, company = '$1'): string {
  return `(SELECT (array_agg(s.id))[1] FROM (SELECT n.contact_id AS id FROM contact_phone n
    WHERE n.company_id = ${company} AND n.phone = ${phone} LIMIT 2) s HAVING count(*) = 1)`;
}

/** SQL: the contact of this id, or the one that it went into. $1 company id. */
export function leadsTo(parameter: string): string {
  return `coalesce((SELECT r.contact_id FROM contact_redirect r WHERE r.company_id = $1 AND r.id = ${parameter}::uuid),
    ${parameter}::uuid)`;
}

/** The condition of each filter, on its parameter. */
const conditions: Record<Exclude<keyof ContactFilter, 'doNotCall'>, (parameter: string) => string> = {
  phone: (p) => `c.id IN (SELECT contact_id FROM contact_phone WHERE company_id = $1 AND phone = ${p})`,
  email: (p) => `c.id IN (SELECT contact_id FROM contact_email WHERE company_id = $1 AND email = ${p})`,
  externalId: (p) => `c.external_id = ${p}`,
  ownerId: (p) => `c.owner_id = ${p}`,
  organisationId: (p) => `c.organisation_id = ${p}`,
  tag: (p) => `c.id IN (SELECT contact_id FROM contact_tag WHERE company_id = $1 AND tag = ${p})`,
  tier: (p) => `c.tier = ${p}`,
  // As RFC 4647 looks up languages: `de` finds `de-AT` too.
  language: (p) =>
    `lower(split_part(c.language, '-', 1)) = lower(split_part(${p}, '-', 1))
      AND starts_with(lower(c.language) || '-', lower(${p}) || '-')`,
};

/** By which index they are found is for the statement to say, not for its values. */
const unwilling: GivenFilter = { name: 'doNotCall', condition: (p) => `c.do_not_call AND ${p}::bool`, value: true };
const callable: GivenFilter = { name: 'mayCall', condition: (p) => `NOT c.do_not_call AND ${p}::bool`, value: true };

type SortName = Exclude<ContactSort, `-${string}`>;

/** SQL: what contacts are sorted by name by; those without one come behind all others. */
export const sortName = 'coalesce(left(crm_fold(c.name), 64), U&\'\\+10FFFF\') COLLATE "C"';

const sorts: Record<SortName, SortedBy | null> = {
  created: null,
  name: { by: sortName, place: sortName, type: 'text', isPlace: isStorableText },
  updated: { by: 'c.updated_at', place: timePlace('c.updated_at'), type: 'timestamptz', isPlace: isTimePlace },
};

/** A page of contacts. Null: the cursor is none of such a list. */
export async function listContacts(
  pool: Pool,
  companyId: CompanyId,
  scope: ContactScope,
  filter: ContactFilter,
  sort: ContactSort,
  page: PageRequest,
): Promise<Page<Contact> | null> {
  const given = (Object.keys(conditions) as (keyof typeof conditions)[]).flatMap((name) =>
    filter[name] === undefined ? [] : [{ name, condition: conditions[name], value: filter[name] }],
  );
  const wishes = filter.doNotCall === undefined ? [] : [filter.doNotCall ? unwilling : callable];
  const list = {
    name: 'list_contacts',
    columns: contactColumns,
    from: `FROM contact c WHERE c.company_id = $1 AND ${isSeen('$2')}`,
    values: [companyId, ownerOf(scope)],
    alias: 'c',
    sort,
    sorted: sorts[sort.replace('-', '') as SortName],
    filters: [...given, ...wishes],
    filterNames: [...Object.keys(conditions), unwilling.name, callable.name],
  };
  return sortedPage<Contact>(pool, list, page);
}
