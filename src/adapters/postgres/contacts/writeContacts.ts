/**
 * Many contacts of a company written together. As JSON: [{id, name, …}] with the columns of the tables. $1 company id.
 */

const columns = `name text, organisation_id uuid, owner_id uuid, tags jsonb, tier text, language text, time_zone text,
    notes text, do_not_call bool, external_id text, fields jsonb, version int,
    created_at timestamptz, updated_at timestamptz`;
const tags = 'ARRAY (SELECT jsonb_array_elements_text(c.tags))';

/** $2 organisations: [{id, name, at}]. */
export const createOrganisations = {
  name: 'create_organisations',
  text: `INSERT INTO organisation (company_id, id, name, created_at, updated_at)
  SELECT $1, o.id, o.name, o.at, o.at FROM jsonb_to_recordset($2::jsonb) AS o (id uuid, name text, at timestamptz)`,
};

/**
 * $2 contacts, each with `emails`: [{email, label, is_primary, position}].
 * In one statement, so that what a contact is found by is written once: triggers run behind the whole of it.
 */
export const createContacts = {
  name: 'create_contacts',
  text: `WITH given AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset($2::jsonb) AS c (id uuid, emails jsonb, ${columns})
  ), addresses AS (
    INSERT INTO contact_email (company_id, contact_id, email, label, is_primary, position)
    SELECT $1, g.id, e.email, e.label, e.is_primary, e.position FROM given g
    CROSS JOIN LATERAL jsonb_to_recordset(g.emails) AS e (email text, label text, is_primary bool, position int)
  )
  INSERT INTO contact (company_id, id, name, organisation_id, owner_id, tags, tier, language, time_zone, notes,
    do_not_call, external_id, fields, version, created_at, updated_at)
  SELECT $1, c.id, c.name, c.organisation_id, c.owner_id, ${tags}, c.tier, c.language, c.time_zone, c.notes,
    c.do_not_call, c.external_id, c.fields, c.version, c.created_at, c.updated_at
  FROM given c`,
};

/** $2 contacts. Those that still have the version before. */
export const updateContacts = {
  name: 'update_contacts',
  text: `UPDATE contact t SET name = c.name, organisation_id = c.organisation_id, owner_id = c.owner_id, tags = ${tags},
    tier = c.tier, language = c.language, time_zone = c.time_zone,
    notes = c.notes, do_not_call = c.do_not_call, external_id = c.external_id, fields = c.fields, version = c.version,
    updated_at = c.updated_at
  FROM jsonb_to_recordset($2::jsonb) AS c (id uuid, ${columns})
  WHERE t.company_id = $1 AND t.id = c.id AND t.version = c.version - 1 RETURNING t.id`,
};

/** $2 numbers: [{phone, contact_id, label, is_primary, position}], $3 the contacts. */
export const writePhones = {
  name: 'write_phones',
  text: `WITH given AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset($2::jsonb) AS p (phone text, contact_id uuid, label text,
      is_primary bool, position int)
  ), old AS (
    DELETE FROM contact_phone n WHERE n.company_id = $1 AND n.contact_id = ANY ($3::uuid[])
      AND NOT EXISTS (SELECT FROM given g WHERE g.phone = n.phone AND g.contact_id = n.contact_id)
  )
  INSERT INTO contact_phone (company_id, phone, contact_id, label, is_primary, position)
  SELECT $1, g.phone, g.contact_id, g.label, g.is_primary, g.position FROM given g
  ON CONFLICT (company_id, phone, contact_id) DO UPDATE SET label = excluded.label, is_primary = excluded.is_primary,
    position = excluded.position`,
};

/** $2 addresses: [{email, contact_id, label, is_primary, position}], $3 the contacts. */
export const writeEmails = {
  name: 'write_emails',
  text: `WITH given AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset($2::jsonb) AS p (email text, contact_id uuid, label text,
      is_primary bool, position int)
  ), old AS (
    DELETE FROM contact_email n WHERE n.company_id = $1 AND n.contact_id = ANY ($3::uuid[])
      AND NOT EXISTS (SELECT FROM given g WHERE g.email = n.email AND g.contact_id = n.contact_id)
  )
  INSERT INTO contact_email AS n (company_id, contact_id, email, label, is_primary, position)
  SELECT $1, g.contact_id, g.email, g.label, g.is_primary, g.position FROM given g
  ON CONFLICT (company_id, contact_id, email) DO UPDATE SET label = excluded.label, is_primary = excluded.is_primary,
    position = excluded.position`,
};

/** $2 entries: [{contact_id, id, kind, edits}], $3 when, $4 who, $5 text, $6 what they are about. */
export const writeEntries = {
  name: 'write_entries',
  text: `INSERT INTO contact_change (company_id, contact_id, id, at, kind, agent_id, text, edits, record_id)
  SELECT $1, e.contact_id, e.id, $3, e.kind, $4, $5, e.edits, $6
  FROM jsonb_to_recordset($2::jsonb) AS e (contact_id uuid, id uuid, kind text, edits jsonb)`,
};
