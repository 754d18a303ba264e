/**
 * Who may be the same person as contacts that were made or changed. Looked up by equal keys, each by its index; what
 * many contacts share, such as a team's address, proposes nobody, so that a look-up has its limit. Whether they are is
 * decided by src/domain/duplicates.ts.
 */

/** An address, or the end of a number, that more contacts have than this is of no single person. */
const shared = 4;
/** More contacts than this with names that sound alike are compared within an organisation alone. */
const namesakes = 30;

/** SQL: the contacts that a look-up finds, unless there are too many. */
const few = (lookUp: string, atMost: number) =>
  `CROSS JOIN LATERAL (SELECT array_agg(s.id) AS ids FROM (${lookUp} LIMIT ${String(atMost + 1)}) s) o
    WHERE cardinality(o.ids) <= ${String(atMost)}`;

const end = 'left(reverse(p.phone), 9)';
const sound = 'crm_name_sound(o.name) COLLATE "C" = c.sound';

/** $1 company id, $2 ids of the contacts that were made or changed. */
export const proposeDuplicates = {
  name: 'propose_duplicates',
  planEachTime: true as const,
  text: `WITH changed AS MATERIALIZED (
    SELECT c.id, crm_name_sound(c.name) AS sound, c.organisation_id, c.external_id FROM contact c
    WHERE c.company_id = $1 AND c.id = ANY ($2::uuid[])
  ), emails AS MATERIALIZED (
    SELECT e.contact_id AS id, e.email FROM contact_email e WHERE e.company_id = $1 AND e.contact_id = ANY ($2::uuid[])
  ), phones AS MATERIALIZED (
    SELECT p.contact_id AS id, p.phone FROM contact_phone p WHERE p.company_id = $1 AND p.contact_id = ANY ($2::uuid[])
  ), proposed AS (
    SELECT e.id, unnest(o.ids) AS other FROM emails e
    ${few('SELECT o.contact_id AS id FROM contact_email o WHERE o.company_id = $1 AND o.email = e.email', shared)}
    UNION
    SELECT p.id, unnest(o.ids) FROM phones p
    ${few(
      `SELECT o.contact_id AS id FROM contact_phone o WHERE o.company_id = $1
      AND reverse(o.phone) COLLATE "C" >= ${end} AND reverse(o.phone) COLLATE "C" < ${end} || ':'`,
      shared,
    )}
      AND length(p.phone) > 9
    UNION
    SELECT c.id, unnest(o.ids) FROM changed c
    ${few(`SELECT o.id FROM contact o WHERE o.company_id = $1 AND ${sound}`, namesakes)}
    UNION
    SELECT c.id, unnest(o.ids) FROM changed c
    ${few(
      `SELECT o.id FROM contact o WHERE o.company_id = $1 AND ${sound}
      AND o.organisation_id = c.organisation_id`,
      namesakes,
    )}
    UNION
    SELECT p.id, o.id FROM phones p JOIN screen_pop_entry s ON s.company_id = $1 AND s.phone = p.phone
    JOIN contact o ON o.company_id = $1 AND o.external_id = s.external_id
    UNION
    SELECT c.id, n.contact_id FROM changed c
    CROSS JOIN LATERAL (SELECT s.phone FROM screen_pop_entry s WHERE s.company_id = $1 AND s.external_id = c.external_id
      LIMIT ${String(shared)}) s
    JOIN contact_phone n ON n.company_id = $1 AND n.phone = s.phone
  )
  SELECT DISTINCT least(id, other) AS "contactId", greatest(id, other) AS "otherId" FROM proposed WHERE id <> other`,
};

/**
 * The columns of Comparable. What was pushed for a number that is shared is of nobody knows whom.
 * $1 company id, $2 contact ids.
 */
export const readCompared = {
  name: 'read_compared',
  text: `SELECT c.id, c.name, c.organisation_id AS "organisationId",
    ARRAY (SELECT p.phone FROM contact_phone p WHERE p.company_id = $1 AND p.contact_id = c.id) AS phones,
    ARRAY (SELECT e.email FROM contact_email e WHERE e.company_id = $1 AND e.contact_id = c.id) AS emails,
    ARRAY (SELECT c.external_id WHERE c.external_id IS NOT NULL UNION SELECT s.external_id FROM contact_phone p
      JOIN screen_pop_entry s ON s.company_id = $1 AND s.phone = p.phone
      WHERE p.company_id = $1 AND p.contact_id = c.id AND s.external_id IS NOT NULL
        AND NOT EXISTS (SELECT FROM contact_phone o WHERE o.company_id = $1 AND o.phone = p.phone
          AND o.contact_id <> c.id)) AS records
  FROM contact c WHERE c.company_id = $1 AND c.id = ANY ($2::uuid[])`,
};
