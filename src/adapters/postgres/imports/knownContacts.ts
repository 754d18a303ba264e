import { contactColumns } from '../contacts/findContacts.ts';

/**
 * $1 company id; as arrays: $2 ids, $3 external ids, $4 phone numbers, $5 addresses in lower case. Whoever has any of them, each once. Each key is looked up by its
 * index, whatever is known of the size of the tables: an import fills them faster than PostgreSQL counts them.
 */
export const findKnownContacts = {
  name: 'find_known_contacts',
  text: `SELECT ${contactColumns} FROM (
    SELECT unnest($2::uuid[]) AS id
    UNION SELECT f.id FROM unnest($3::text[]) AS x (key) CROSS JOIN LATERAL (SELECT c.id FROM contact c WHERE c.company_id = $1 AND c.external_id = x.key OFFSET 0) f
    UNION SELECT f.id FROM unnest($4::text[]) AS x (key) CROSS JOIN LATERAL (SELECT p.contact_id AS id FROM contact_phone p WHERE p.company_id = $1 AND p.phone = x.key OFFSET 0) f
    UNION SELECT f.id FROM unnest($5::text[]) AS x (key) CROSS JOIN LATERAL (SELECT e.contact_id AS id FROM contact_email e WHERE e.company_id = $1 AND e.email = x.key OFFSET 0) f
  ) k CROSS JOIN LATERAL (SELECT * FROM contact c WHERE c.company_id = $1 AND c.id = k.id OFFSET 0) c`,
};

/** $1 company id, $2 names in lower case. */
export const findOrganisationsNamed = {
  name: 'find_organisations_named',
  text: `SELECT DISTINCT ON (lower(name)) id, name FROM organisation WHERE company_id = $1 AND lower(name) = ANY ($2::text[]) ORDER BY lower(name), id`,
};

/** $1 company id. The columns that a file of its contacts needs; one at least. */
export const findWidest = {
  name: 'find_widest_contact',
  text: `SELECT (SELECT coalesce(max(position), 1) FROM contact_phone WHERE company_id = $1)::int AS phones,
    (SELECT coalesce(max(position), 1) FROM contact_email WHERE company_id = $1)::int AS emails`,
};
