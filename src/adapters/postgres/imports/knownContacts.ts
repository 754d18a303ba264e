import { contactColumns } from '../contacts/findContacts.ts';

/**
 * Of a number that more contacts share, those alone who are called as the row has it: so many are read,
 * whoever they are.
 */
const fewSharers = 50;

/** SQL: those who share a number `x.key`, in the order in which they were made. */
const sharers = (atMost: number) =>
  `SELECT p.contact_id AS id FROM contact_phone p WHERE p.company_id = $1 AND p.phone = x.key
    ORDER BY p.contact_id LIMIT ${atMost}`;

/**
 * $1 company id; as arrays: $2 ids, $3 external ids, $4 phone numbers and $6 the name of whose row each is, or null, $5
 * addresses in lower case. Whoever has any of them, each once. Each key is looked up by its index, whatever is known of
 * the size of the tables: an import fills them faster than PostgreSQL counts them.
 */
export const findKnownContacts = {
  name: 'find_known_contacts',
  text: `SELECT ${contactColumns} FROM (
    SELECT unnest($2::uuid[]) AS id
    UNION SELECT f.id FROM unnest($3::text[]) AS x (key)
    CROSS JOIN LATERAL (SELECT c.id FROM contact c WHERE c.company_id = $1 AND c.external_id = x.key OFFSET 0) f
    UNION SELECT f.id FROM unnest($4::text[]) AS x (key) CROSS JOIN LATERAL (${sharers(fewSharers)}) f
    UNION SELECT f.id FROM unnest($4::text[], $6::text[]) AS x (key, name)
    CROSS JOIN LATERAL (SELECT count(*) AS sharers FROM (${sharers(fewSharers + 1)}) s) n
      CROSS JOIN LATERAL (
        SELECT c.id FROM contact c WHERE n.sharers > ${fewSharers} AND c.company_id = $1
          AND crm_name_sound(c.name) COLLATE "C" = crm_name_sound(x.name)
          AND EXISTS (SELECT FROM contact_phone p WHERE p.company_id = $1 AND p.phone = x.key
            AND p.contact_id = c.id OFFSET 0) LIMIT ${fewSharers}
      ) f
    UNION SELECT f.id FROM unnest($5::text[]) AS x (key)
    CROSS JOIN LATERAL (SELECT e.contact_id AS id FROM contact_email e
      WHERE e.company_id = $1 AND e.email = x.key OFFSET 0) f
  ) k CROSS JOIN LATERAL (SELECT * FROM contact c WHERE c.company_id = $1 AND c.id = k.id OFFSET 0) c`,
};

/** $1 company id, $2 names in lower case. */
export const findOrganisationsNamed = {
  name: 'find_organisations_named',
  text: `SELECT DISTINCT ON (lower(name)) id, name FROM organisation WHERE company_id = $1
    AND lower(name) = ANY ($2::text[]) ORDER BY lower(name), id`,
};

/** $1 company id. The columns that a file of its contacts needs; one at least. */
export const findWidest = {
  name: 'find_widest_contact',
  text: `SELECT (SELECT coalesce(max(position), 1) FROM contact_phone WHERE company_id = $1)::int AS phones,
    (SELECT coalesce(max(position), 1) FROM contact_email WHERE company_id = $1)::int AS emails`,
};
