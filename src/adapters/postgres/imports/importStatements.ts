import { answeredBy, holdsKey } from '../calls/idempotencyStore.ts';
import { contactColumns } from '../contacts/findContacts.ts';
import { Prisma } from '../generated/client.ts';
import { deleteOld, fieldColumns } from '../queries.ts';

/** The columns of Import. */
const columns = `${fieldColumns(Prisma.ImportScalarFieldEnum, { but: ['counts', 'holder', 'dueAt'] })},
  '{"with_remarks": 0}'::jsonb || counts AS counts`;

/** States in which an import takes none of the room that a company has for them. */
const over = `'done', 'undone'`;

/**
 * $1 to $21 the columns of Import as `valuesOf` gives them, without the version;
 * $22 how many of a company may not be over.
 */
export const createImport = {
  name: 'create_import',
  text: `INSERT INTO import (company_id, id, state, source, file_name, agent_id, delimiter, encoding, has_header,
    first_row, mapping, default_country,
    row_count, position, pass, counts, created_at, updated_at, finished_at, samples, first_row_number)
  SELECT $1::uuid, $2::uuid, $3, $4, $5, $6::uuid, $7, $8, $9::bool, $10::jsonb, $11::jsonb, $12, $13::int, $14::int,
    $15::int, $16::jsonb, $17::timestamptz, $18::timestamptz, $19::timestamptz,
    $20::jsonb, $21::int
  WHERE (SELECT count(*) FROM import WHERE company_id = $1 AND state NOT IN (${over})) < $22::int
  RETURNING id`,
};

/** SQL: whether nobody has changed the import since it was read, and nobody works on it. */
const isAsRead = 'company_id = $1 AND id = $2 AND version = $22 - 1 AND due_at IS NULL';

/**
 * $1 to $21 as createImport; $22 the version, $23 when a gateway may take it, or null;
 * $24 to $28 the request's key (see answeredBy).
 */
export const updateImport = {
  name: 'update_import',
  text: `WITH ${answeredBy(24, `EXISTS (SELECT FROM import WHERE ${isAsRead})`)}
  UPDATE import SET state = $3, source = $4, file_name = $5, agent_id = $6, delimiter = $7, encoding = $8,
    has_header = $9, first_row = $10::jsonb, mapping = $11::jsonb,
    default_country = $12, row_count = $13, position = $14, pass = $15, counts = $16::jsonb, created_at = $17,
    updated_at = $18, finished_at = $19, samples = $20::jsonb, first_row_number = $21,
    version = $22, due_at = $23, holder = NULL, failures = 0
  WHERE ${isAsRead} AND ${holdsKey(24)} RETURNING id`,
};

/** $1 company id, $2 import id. */
export const findImport = {
  name: 'find_import',
  text: `SELECT ${columns} FROM import WHERE company_id = $1 AND id = $2`,
};

/** $1 company id, $2 ids before this one, $3 how many. */
export const listImports = {
  name: 'list_imports',
  text: `SELECT ${columns} FROM import WHERE company_id = $1 AND id < $2 AND state <> 'uploading'
    ORDER BY id DESC LIMIT $3`,
};

/** $1 company id, $2 import id, $3 rows as JSON: [{row, cells}]. */
export const addImportRows = {
  name: 'add_import_rows',
  text: `WITH kept AS (
    UPDATE import SET row_count = row_count + jsonb_array_length($3::jsonb), updated_at = now()
    WHERE company_id = $1 AND id = $2 AND state = 'uploading' RETURNING id
  )
  INSERT INTO import_row (company_id, import_id, row, cells, size)
  SELECT $1, $2, (r->>'row')::int, r->'cells', length((r->'cells')::text)
  FROM kept, jsonb_array_elements($3::jsonb) r RETURNING row`,
};

/**
 * $1 company id, $2 import id, $3 after which row, $4 how many,
 * $5 until they hold so many characters, but one at least.
 */
export const listImportBatch = {
  name: 'list_import_batch',
  text: `SELECT row, cells FROM (
    SELECT row, cells, sum(coalesce(size, length(cells::text)))
      OVER (ORDER BY row ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before
    FROM (SELECT row, cells, size FROM import_row WHERE company_id = $1 AND import_id = $2 AND row > $3
      ORDER BY row LIMIT $4) r
  ) r WHERE coalesce(before, 0) < $5 ORDER BY row`,
};

/**
 * $1 company id, $2 import id, $3 how many at most. Numbers of one record of a CRM are one row;
 * what a CRM was only asked for expires, and is not taken.
 */
export const addPushedRows = {
  name: 'add_pushed_rows',
  text: `WITH pushed AS (
    SELECT string_agg(phone, ';' ORDER BY phone) AS phones, max(external_id) AS external_id, max(tier) AS tier,
      max(data->>'name') AS name, max(data->>'email') AS email
    FROM screen_pop_entry WHERE company_id = $1 AND expires_at IS NULL
    GROUP BY coalesce(external_system || ':' || coalesce(external_object, '') || ':' || external_id, phone)
    ORDER BY min(phone) LIMIT $3
  ), numbered AS (
    SELECT row_number() OVER () + 1 AS row, jsonb_build_array(phones, coalesce(name, ''), coalesce(email, ''),
      coalesce(tier, ''), coalesce(external_id, '')) AS cells FROM pushed
  ), added AS (
    INSERT INTO import_row (company_id, import_id, row, cells, size)
    SELECT $1, $2, row, cells, length(cells::text) FROM numbered RETURNING row
  )
  UPDATE import SET row_count = (SELECT count(*) FROM added) + 1 WHERE company_id = $1 AND id = $2
  RETURNING row_count - 1 AS count`,
};

/**
 * $1 holder, $2 now, $3 when the lease ends. What has waited longest first, of those the one that is least far;
 * a lease that ended is as good as none.
 */
export const leaseImport = {
  name: 'lease_import',
  text: `WITH next AS MATERIALIZED (
    SELECT company_id AS of_company, id AS of_import FROM import WHERE due_at <= $2 ORDER BY due_at, position LIMIT 1
    FOR NO KEY UPDATE SKIP LOCKED
  )
  UPDATE import SET holder = $1, due_at = $3 FROM next WHERE company_id = next.of_company AND id = next.of_import
  RETURNING ${columns}`,
};

/** $1 company id, $2 import id, $3 now. What is done stays done. */
export const cancelImport = {
  name: 'cancel_import',
  text: `UPDATE import SET state = CASE state WHEN 'checking' THEN 'ready' ELSE 'canceled' END, due_at = NULL,
    holder = NULL, failures = 0, version = version + 1, updated_at = $3
  WHERE company_id = $1 AND id = $2 AND state IN ('checking', 'running') RETURNING ${columns}`,
};

/** $1 holder, $2 now. */
export const releaseImports = {
  name: 'release_imports',
  text: `WITH held AS MATERIALIZED (SELECT company_id, id FROM import WHERE holder = $1 AND due_at IS NOT NULL)
  UPDATE import i SET holder = NULL, due_at = $2 FROM held WHERE i.company_id = held.company_id AND i.id = held.id
    AND i.holder = $1`,
};

/** $1 company id, $2 import id, $3 holder, $4 when it is tried again or null, $5 now. */
export const failImport = {
  name: 'fail_import',
  text: `UPDATE import SET failures = failures + 1, holder = NULL, due_at = $4::timestamptz, updated_at = $5,
    state = CASE WHEN $4::timestamptz IS NOT NULL THEN state WHEN state = 'checking' THEN 'ready' WHEN state = 'undoing'
      THEN 'done' ELSE 'failed' END, version = CASE WHEN $4::timestamptz IS NULL THEN version + 1 ELSE version END
  WHERE company_id = $1 AND id = $2 AND holder = $3`,
};

/**
 * $1 company id, $2 import id, $3 holder, $4 position before, $5 position, $6 counts, $7 state,
 * $8 when the lease ends or null at the end, $9 now.
 */
export const advanceImport = {
  name: 'advance_import',
  text: `UPDATE import SET position = $5, counts = $6::jsonb, state = $7, due_at = $8, updated_at = $9, failures = 0,
    holder = CASE WHEN $8::timestamptz IS NULL THEN NULL ELSE holder END,
    finished_at = CASE WHEN $8::timestamptz IS NULL THEN $9 ELSE finished_at END,
    version = CASE WHEN $8::timestamptz IS NULL THEN version + 1 ELSE version END
  WHERE company_id = $1 AND id = $2 AND holder = $3 AND position = $4 RETURNING id`,
};

/** $1 company id, $2 import id, $3 pass, $4 keys. */
export const findCustomers = {
  name: 'find_import_customers',
  text: `SELECT key, also, row, external_id AS "externalId", name FROM import_key
    WHERE company_id = $1 AND import_id = $2 AND pass = $3 AND key = ANY ($4::text[])`,
};

/** $1 company id, $2 import id, $3 pass; as JSON: $4 [{key, also, row, external_id, name}]. */
export const addCustomers = {
  name: 'add_import_customers',
  text: `INSERT INTO import_key (company_id, import_id, pass, key, also, row, external_id, name)
  SELECT $1, $2, $3, k.key, k.also, k.row, k.external_id, k.name
  FROM jsonb_to_recordset($4::jsonb) AS k (key text, also text, row int, external_id text, name text)
  ON CONFLICT DO NOTHING`,
};

/** $1 company id, $2 import id, $3 rows. The contacts that they came to, as they are now. */
export const findReached = {
  name: 'find_reached_contacts',
  text: `SELECT r.row, ${contactColumns} FROM import_row r JOIN contact c ON c.company_id = $1 AND c.id = r.contact_id
    WHERE r.company_id = $1 AND r.import_id = $2 AND r.row = ANY ($3::int[])`,
};

/**
 * $1 company id, $2 import id; as JSON: $3 [{contact_id, version}]. Where an earlier row of the import wrote the
 * contact first, that row keeps what it held before, and counts for those of the same customer: when all is undone it
 * is as before that row.
 */
export const raiseVersions = {
  name: 'raise_import_versions',
  text: `UPDATE import_row r SET contact_version = g.version
    FROM jsonb_to_recordset($3::jsonb) AS g (contact_id uuid, version int)
  WHERE r.company_id = $1 AND r.import_id = $2 AND r.contact_id = g.contact_id AND r.contact_version IS NOT NULL
  RETURNING r.contact_id AS id`,
};

/** SQL: rows `r` that added to the customer of an earlier one, which counts for them. */
const isFollower = "r.outcome = 'updated' AND r.contact_version IS NULL";

/** $1 company id, $2 import id, $3 contacts. How many rows have added to what others wrote. */
export const countFollowers = {
  name: 'count_following_rows',
  text: `SELECT r.contact_id AS id, count(*)::int AS count FROM import_row r
    WHERE r.company_id = $1 AND r.import_id = $2 AND r.contact_id = ANY ($3::uuid[]) AND ${isFollower}
    GROUP BY r.contact_id`,
};

/**
 * $1 company id, $2 import id; as JSON: $3 [{contact_id, outcome, reason}].
 * What became of them when the import was undone.
 */
export const markFollowers = {
  name: 'mark_following_rows',
  text: `UPDATE import_row r SET outcome = m.outcome, reason = m.reason
    FROM jsonb_to_recordset($3::jsonb) AS m (contact_id uuid, outcome text, reason jsonb)
  WHERE r.company_id = $1 AND r.import_id = $2 AND r.contact_id = m.contact_id AND ${isFollower}`,
};

/** $1 company id, $2 import id; the rows as JSON, $3. */
export const markRows = {
  name: 'mark_import_rows',
  text: `UPDATE import_row r SET outcome = m.outcome, reason = m.reason, remarks = m.remarks, contact_id = m.contact_id,
    before = m.before, contact_version = m.contact_version
  FROM jsonb_to_recordset($3::jsonb) AS m (row int, outcome text, reason jsonb, remarks jsonb, contact_id uuid,
    before jsonb, contact_version int)
  WHERE r.company_id = $1 AND r.import_id = $2 AND r.row = m.row`,
};

/** $1 company id, $2 import id, $3 after which row, $4 how many. Rows that wrote a contact. */
export const listWrittenRows = {
  name: 'list_written_rows',
  text: `SELECT row, contact_id AS "contactId", contact_version AS version, before FROM import_row
  WHERE company_id = $1 AND import_id = $2 AND row > $3 AND outcome IN ('created', 'updated')
    AND contact_version IS NOT NULL ORDER BY row LIMIT $4`,
};

/**
 * $1 company id, $2 contacts, $3 import id. Their versions, and whether anything but the import is known
 * of them: an entry, a task, a deal, or a call since they were made. Of the calls of a number the latest
 * alone is read, by its index.
 */
export const lockTouched = {
  name: 'lock_touched_contacts',
  text: `SELECT c.id, c.version, EXISTS (
    SELECT FROM contact_change t WHERE t.company_id = $1 AND t.contact_id = c.id
      AND t.record_id IS DISTINCT FROM $3::uuid
  ) OR EXISTS (SELECT FROM task k WHERE k.company_id = $1 AND k.contact_id = c.id)
    OR EXISTS (SELECT FROM deal d WHERE d.company_id = $1 AND d.contact_id = c.id)
    OR EXISTS (SELECT FROM call k WHERE k.company_id = $1 AND k.contact_id = c.id)
    OR EXISTS (
      SELECT FROM contact_phone n CROSS JOIN LATERAL (SELECT k.created_at FROM call k
        WHERE k.company_id = $1 AND k.phone = n.phone ORDER BY k.id DESC LIMIT 1) l
      WHERE n.company_id = $1 AND n.contact_id = c.id AND l.created_at >= c.created_at
    ) AS "isTouched" FROM contact c WHERE c.company_id = $1 AND c.id = ANY ($2::uuid[]) ORDER BY c.id FOR UPDATE`,
};

/** $1 company id, $2 contacts. */
export const removeContacts = {
  name: 'remove_contacts',
  text: 'DELETE FROM contact WHERE company_id = $1 AND id = ANY ($2::uuid[])',
};

/** $1 company id, $2 import id; the rows as JSON, $3. What became of them when the import was undone. */
export const markUndone = {
  name: 'mark_undone_rows',
  text: `UPDATE import_row r SET outcome = m.outcome, reason = m.reason
    FROM jsonb_to_recordset($3::jsonb) AS m (row int, outcome text, reason jsonb)
  WHERE r.company_id = $1 AND r.import_id = $2 AND r.row = m.row`,
};

/** $1 company id, $2 import id. What rows are known by is of no use once they are all done. */
export const forgetCustomers = {
  name: 'forget_import_customers',
  text: 'DELETE FROM import_key WHERE company_id = $1 AND import_id = $2',
};

/** $1 before when they were touched, $2 before when uploads were, $3 how many at most. */
export const pruneImports = {
  name: 'prune_imports',
  text: deleteOld(
    'import',
    ['company_id', 'id'],
    `WHERE updated_at < $2 AND due_at IS NULL AND (updated_at < $1 OR state = 'uploading')
      ORDER BY updated_at LIMIT $3`,
  ),
};
