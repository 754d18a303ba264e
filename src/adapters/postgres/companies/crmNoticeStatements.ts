import { deleteOld } from '../queries.ts';

/**
 * $1 company id, $2 provider; as arrays: $3 objects, $4 record ids, each pair once; $5 version, $6 now,
 * $7 how many may wait. A row for each in their order; none where the company is not connected to that CRM.
 *
 * connected: locked first, as whoever disconnects does.
 * judged: what waits already is told of again whatever waits beside it. Whether there is room is asked once: what one
 *   request tells is kept whole or not at all, but for what waited before.
 * written: in one order, so that two requests never wait for each other.
 */
export const addNotices = {
  name: 'add_notices',
  text: `WITH connected AS MATERIALIZED (
    SELECT company_id FROM crm_connection WHERE company_id = $1 AND provider = $2 FOR KEY SHARE
  ), judged AS MATERIALIZED (
    SELECT given.place, given.object, given.record_id, CASE
        WHEN known.company_id IS NOT NULL THEN 'waiting'
        WHEN waiting.count < $7 THEN 'added'
        ELSE 'full'
      END AS taken
    FROM unnest($3::text[], $4::text[]) WITH ORDINALITY AS given (object, record_id, place)
    CROSS JOIN connected
    CROSS JOIN (SELECT count(*) AS count FROM (SELECT FROM crm_notice WHERE company_id = $1 LIMIT $7) one) waiting
    LEFT JOIN crm_notice known
      ON known.company_id = $1 AND known.provider = $2 AND known.object = given.object
        AND known.record_id = given.record_id
  ), queue AS (
    INSERT INTO crm_notice_queue (company_id) SELECT company_id FROM connected ON CONFLICT DO NOTHING
  ), written AS (
    INSERT INTO crm_notice (company_id, provider, object, record_id, version, told_at)
    SELECT $1, $2, object, record_id, $5, $6 FROM judged WHERE taken <> 'full' ORDER BY object, record_id
    ON CONFLICT (company_id, provider, object, record_id) DO UPDATE SET version = excluded.version
  )
  SELECT taken FROM judged ORDER BY place`,
};

/**
 * $1 holder, $2 how many companies, $3 now, $4 when the leases end.
 *
 * waiting: the companies that have anything waiting: one step in the index for each, however much waits.
 * turn: those that nobody reads for. `seen` is the row as this statement's snapshot has it: a company that was served
 *   since is left out, as its record in the snapshot may have been read already.
 * leased: they go to the end of the line, by the database's clock.
 */
export const leaseNotices = {
  name: 'lease_notices',
  text: `WITH RECURSIVE waiting AS (
    (SELECT company_id FROM crm_notice ORDER BY company_id LIMIT 1)
    UNION ALL
    SELECT next.company_id FROM waiting CROSS JOIN LATERAL (
      SELECT n.company_id FROM crm_notice n WHERE n.company_id > waiting.company_id ORDER BY n.company_id LIMIT 1
    ) next
  ), turn AS MATERIALIZED (
    SELECT q.company_id FROM waiting
    JOIN crm_notice_queue q ON q.company_id = waiting.company_id
    JOIN crm_notice_queue seen ON seen.company_id = q.company_id AND seen.served_at = q.served_at
    JOIN crm_connection c ON c.company_id = q.company_id
    WHERE c.attention IS NULL AND (q.held_until IS NULL OR q.held_until <= $3)
      AND (q.rest_until IS NULL OR q.rest_until <= $3)
    ORDER BY q.served_at, q.company_id LIMIT $2
    FOR NO KEY UPDATE OF q SKIP LOCKED
  ), leased AS (
    UPDATE crm_notice_queue q SET holder = $1, held_until = $4, rest_until = NULL, served_at = clock_timestamp()
    FROM turn
    WHERE q.company_id = turn.company_id
  )
  SELECT first.company_id AS "companyId", first.provider, first.object, first.record_id AS "recordId",
    first.version, first.tries
  FROM turn CROSS JOIN LATERAL (
    SELECT n.company_id, n.provider, n.object, n.record_id, n.version, n.tries FROM crm_notice n
    WHERE n.company_id = turn.company_id ORDER BY n.told_at LIMIT 1
  ) first`,
};

/** $1 company id, $2 holder, $3 provider, $4 object, $5 record id. */
const record = 'n.company_id = $1 AND n.provider = $3 AND n.object = $4 AND n.record_id = $5';
/** $1 company id, $2 holder. */
const held = 'q.company_id = $1 AND q.holder = $2';
const free = 'holder = NULL, held_until = NULL, served_at = clock_timestamp()';

/** $1 to $5 as above, $6 version. A row: it is done with, and the lease given back. */
export const finishNotice = {
  name: 'finish_notice',
  text: `WITH mine AS (
    SELECT q.company_id FROM crm_notice_queue q WHERE ${held} FOR NO KEY UPDATE
  ), done AS (
    DELETE FROM crm_notice n USING mine WHERE ${record} AND n.version = $6 AND n.company_id = mine.company_id
    RETURNING n.company_id
  )
  UPDATE crm_notice_queue q SET ${free} FROM done WHERE ${held} AND done.company_id = q.company_id
  RETURNING q.company_id`,
};

/** $1 to $5 as above. No row: the lease is not held. */
export const findNoticeState = {
  name: 'find_notice_state',
  text: `SELECT EXISTS (SELECT FROM crm_notice n WHERE ${record}) AS waits FROM crm_notice_queue q WHERE ${held}`,
};

/** $1 to $5 as above, $6 version, $7 until when nothing is read. */
export const putOffNotice = {
  name: 'put_off_notice',
  text: `WITH released AS (
    UPDATE crm_notice_queue q SET ${free}, rest_until = $7 WHERE ${held} RETURNING q.company_id
  )
  UPDATE crm_notice n SET tries = n.tries + 1 FROM released WHERE ${record} AND n.version = $6
    AND n.company_id = released.company_id`,
};

/** $1 company id, $2 holder, $3 until when nothing is read; null: the next may be read at once. */
export const releaseNotices = {
  name: 'release_notices',
  text: `UPDATE crm_notice_queue q SET ${free}, rest_until = $3 WHERE ${held}`,
};

export const releaseAllNotices = {
  name: 'release_all_notices',
  text: `UPDATE crm_notice_queue q SET ${free}
    FROM (SELECT company_id FROM crm_notice_queue WHERE holder IS NOT NULL) leased
  WHERE q.company_id = leased.company_id`,
};

/** $1 now. What each company has waiting, by the index of it; everything else looks at one row per company. */
export const measureNotices = {
  name: 'measure_notices',
  text: `WITH waiting AS (
    SELECT n.company_id, n.count, n.oldest, CASE
        WHEN c.attention IS NOT NULL THEN 'held_back' WHEN q.rest_until > $1 THEN 'resting' ELSE 'due'
      END AS state
    FROM (SELECT company_id, count(*) AS count, min(told_at) AS oldest FROM crm_notice GROUP BY company_id) n
    JOIN crm_notice_queue q ON q.company_id = n.company_id JOIN crm_connection c ON c.company_id = n.company_id
  )
  SELECT ${['due', 'resting', 'held_back'].map(measured).join(', ')} FROM waiting`,
};

function measured(state: string): string {
  const those = `FILTER (WHERE state = '${state}')`;
  return (
    `coalesce(sum(count) ${those}, 0)::int AS ${state}, ` +
    `coalesce(greatest(extract(epoch FROM $1::timestamptz - min(oldest) ${those}), 0), 0)::float8 AS ${state}_age`
  );
}

// Not of a company whose record is being read: that record would be taken for deleted in the CRM.
const pruned =
  'WHERE told_at < $1 AND company_id IN (SELECT company_id FROM crm_notice_queue WHERE holder IS NULL) LIMIT $2';

/** $1 before when it was told of, $2 how many at most. */
export const pruneNotices = {
  name: 'prune_notices',
  text: `${deleteOld('crm_notice', ['company_id', 'provider', 'object', 'record_id'], pruned)} AS "companyId",
    t.provider`,
};
