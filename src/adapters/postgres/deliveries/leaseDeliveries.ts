import type { Pool } from 'pg';
import { failuresToPause } from '../../../domain/endpointHealth.ts';
import type { CompanyId } from '../../../domain/ids.ts';
import type { LeaseRequest, OutboxEvent } from '../../../ports/outbox.ts';
import { run, type Statement } from '../queries.ts';
import { isPending, isWaiting, type LeasedRow } from './deliveryRows.ts';

/** Larger bodies are read when they are sent: a dispatcher holds thousands of deliveries, and sends a few hundred at once. */
const heldBodyBytes = 4_096;

type Tables = {
  deliveries: string;
  /** Has a row per company; `e` in the expressions that follow. */
  endpoints: string;
  /** Whether anything is sent there at all. */
  isOpen: string;
  /** Whether the holder takes anything of an endpoint that it has nothing of. */
  isTaken: string;
  maxInFlight: string;
  /** What is read of the endpoint beside its key. */
  endpointColumns: string;
  /** Whether a delivery `d` in flight belongs to the endpoint's queue. */
  isQueued: string;
  /** What is read of a leased delivery `d`. */
  deliveryColumns: string;
  /** The columns of the answer, and where they come from: `leased`, `endpoint`. */
  answer: string;
  joined: string;
};

/**
 * $1 holder, $2 how many at most, $3 now, $4 when the lease ends; what the holder holds, as arrays: $5 company ids,
 * $6 how many it has, $7 how many it would have at most; $8 how many of an endpoint that is not among them.
 *
 * waiting: the companies that have anything waiting, each with what falls due first: one step in the index per
 *   company, however much waits.
 * endpoint: those with something due, the one longest unserved first, each served by one gateway at a time. `seen` is
 *   the row as this statement's snapshot has it: an endpoint that was served since is left out, because its
 *   deliveries in flight could not be seen. NO KEY UPDATE lets calls go on writing events under it. Left out as well
 *   is one of which another holder has deliveries with a lease that lasts (none ends much later than this one,
 *   which spares reading past retries that are due in hours); an admin's test, which is sent beside them, aside.
 * picked: of each endpoint as many as it has room for, oldest first; none while an earlier event of its call waits
 *   or is in flight. With more candidates than $2, every endpoint gets its first before any gets its second.
 * leased: looks at the newest version of each row again, since another holder may have been faster.
 * served: every endpoint that was looked at goes to the end of the queue, by the database's clock, which never
 *   gives two statements the same time.
 */
function leasing({ deliveries, endpoints, isOpen, isTaken, maxInFlight, endpointColumns, isQueued, deliveryColumns, answer, joined }: Tables): string {
  return `WITH RECURSIVE waiting AS (
    (
      SELECT company_id, due_at FROM ${deliveries}
      WHERE state IN ('pending', 'in_flight') ORDER BY company_id, due_at LIMIT 1
    )
    UNION ALL
    SELECT next.company_id, next.due_at FROM waiting CROSS JOIN LATERAL (
      SELECT d.company_id, d.due_at FROM ${deliveries} d
      WHERE d.state IN ('pending', 'in_flight') AND d.company_id > waiting.company_id
      ORDER BY d.company_id, d.due_at LIMIT 1
    ) next
  ), endpoint AS MATERIALIZED (
    SELECT e.company_id, ${maxInFlight} AS max_in_flight, e.consecutive_failures, ${endpointColumns}
      CASE
        WHEN e.consecutive_failures >= ${String(failuresToPause)} THEN 1
        ELSE coalesce(mine.at_most, least(${maxInFlight}, $8))
      END - coalesce(mine.held, 0) AS room
    FROM waiting
    JOIN ${endpoints} e ON e.company_id = waiting.company_id
    JOIN ${endpoints} seen ON seen.company_id = e.company_id AND seen.last_claimed_at = e.last_claimed_at
    LEFT JOIN unnest($5::uuid[], $6::int[], $7::int[]) AS mine (company_id, held, at_most)
      ON mine.company_id = waiting.company_id
    WHERE waiting.due_at <= $3 AND ${isOpen} AND (e.paused_until IS NULL OR e.paused_until <= $3)
      AND coalesce(mine.at_most > mine.held, $8 > 0 AND ${isTaken})
      AND (e.consecutive_failures < ${String(failuresToPause)} OR coalesce(mine.held, 0) = 0)
      AND NOT EXISTS (
        SELECT FROM ${deliveries} d
        WHERE d.company_id = seen.company_id AND d.state = 'in_flight' AND d.claim_id <> $1 AND ${isQueued}
          AND d.due_at > $3 AND d.due_at <= $4::timestamptz + ($4::timestamptz - $3::timestamptz)
      )
    ORDER BY e.last_claimed_at, e.company_id
    LIMIT $2
    FOR NO KEY UPDATE OF e SKIP LOCKED
  ), picked AS (
    SELECT endpoint.company_id, candidate.id, candidate.turn, candidate.due_at FROM endpoint CROSS JOIN LATERAL (
      SELECT d.id, d.due_at, row_number() OVER (ORDER BY d.due_at, d.id) AS turn FROM ${deliveries} d
      WHERE d.company_id = endpoint.company_id AND d.state IN ('pending', 'in_flight') AND d.due_at <= $3
        AND NOT EXISTS (
          SELECT FROM ${deliveries} earlier
          WHERE earlier.company_id = d.company_id AND earlier.call_id = d.call_id AND earlier.sequence < d.sequence
            AND ${isWaiting('earlier')}
        )
      ORDER BY d.due_at, d.id LIMIT endpoint.room
    ) candidate
    ORDER BY candidate.turn, candidate.due_at, candidate.id LIMIT $2
  ), leased AS (
    UPDATE ${deliveries} d SET state = 'in_flight', claim_id = $1, due_at = $4
    FROM picked
    WHERE d.company_id = picked.company_id AND d.id = picked.id AND d.state IN ('pending', 'in_flight') AND d.due_at <= $3
    RETURNING d.id, d.company_id, d.call_id, d.sequence, d.attempts, picked.turn, picked.due_at, ${deliveryColumns}
  ), served AS (
    UPDATE ${endpoints} e SET last_claimed_at = clock_timestamp() FROM endpoint
    WHERE e.company_id = endpoint.company_id
  )
  SELECT leased.id, leased.company_id AS "companyId", leased.call_id AS "callId", leased.sequence, leased.attempts, EXISTS (
      SELECT FROM ${deliveries} later
      WHERE later.company_id = leased.company_id AND later.call_id = leased.call_id AND later.sequence > leased.sequence AND ${isPending('later')}
    ) AS "callGoesOn", endpoint.max_in_flight AS "maxInFlight", endpoint.consecutive_failures AS "consecutiveFailures", ${answer}
  FROM leased
  JOIN endpoint ON endpoint.company_id = leased.company_id ${joined}
  ORDER BY leased.turn, leased.due_at, leased.id`;
}

export const leaseDeliveries = {
  name: 'lease_deliveries',
  text: leasing({
    deliveries: 'webhook_delivery',
    endpoints: 'webhook_endpoint',
    isOpen: 'e.disabled_at IS NULL',
    isTaken: 'true',
    maxInFlight: 'e.max_in_flight',
    endpointColumns: `e.url, e.secret_encrypted,
      CASE WHEN e.secret_previous_until > $3 THEN e.secret_previous_encrypted END AS secret_previous_encrypted,`,
    isQueued: "d.event <> 'integration_test'",
    deliveryColumns: `d.event, CASE WHEN octet_length(d.body) <= ${String(heldBodyBytes)} THEN d.body END AS body`,
    answer: `leased.event, leased.body, leased.due_at AS "dueAt", endpoint.url, endpoint.secret_encrypted AS "secretEncrypted",
    endpoint.secret_previous_encrypted AS "secretPreviousEncrypted", integration.api_key_prefix AS "apiKeyPrefix"`,
    joined: 'JOIN integration ON integration.company_id = leased.company_id',
  }),
};

/** Requests to one CRM at a time that log calls: the budget of its rate is shared with lookups. */
const callLogsAtOnce = 2;

/** The same for calls that are to be logged in CRM systems. $9 providers of which nothing is leased of a company that is not in $5. */
export const leaseCallLogs = {
  name: 'lease_call_logs',
  text: leasing({
    deliveries: 'crm_delivery',
    endpoints: 'crm_connection',
    isOpen: 'e.attention IS NULL',
    isTaken: 'e.provider <> ALL ($9::text[])',
    maxInFlight: String(callLogsAtOnce),
    endpointColumns: 'e.provider,',
    isQueued: 'true',
    deliveryColumns: 'd.prepared, d.sent_at, d.not_found_at, d.entry_id',
    answer: 'leased.prepared, leased.sent_at AS "sentAt", leased.not_found_at AS "notFoundAt", leased.entry_id AS "entryId", endpoint.provider',
    joined: '',
  }),
};

/** Leases due deliveries for one dispatcher. @template R a row of the statement's answer @param more what the statement takes besides */
export function leaseDue<R extends object>(pool: Pool, statement: Statement, request: LeaseRequest, more: unknown[] = []): Promise<R[]> {
  const { holder, limit, now, leaseUntil, holdings, newcomersAtMost } = request;
  return run<R>(pool, statement, [
    holder,
    limit,
    now,
    leaseUntil,
    holdings.map(({ companyId }) => companyId),
    holdings.map(({ held }) => held),
    holdings.map(({ atMost }) => atMost),
    newcomersAtMost,
    ...more,
  ]);
}

/**
 * $1 company id, $2 delivery id, $3 event, $4 call id, $5 sequence, $6 body, $7 holder, $8 when the lease ends,
 * $9 now. Writes nothing without an endpoint.
 */
export const addLeasedDelivery = {
  name: 'add_leased_delivery',
  text: `WITH endpoint AS (
    SELECT company_id, url, secret_encrypted, max_in_flight, consecutive_failures,
      CASE WHEN secret_previous_until > $9 THEN secret_previous_encrypted END AS secret_previous_encrypted
    FROM webhook_endpoint WHERE company_id = $1 FOR KEY SHARE
  ), added AS (
    INSERT INTO webhook_delivery (
      id, company_id, event, call_id, sequence, body, state, claim_id, due_at, created_at
    )
    SELECT $2, company_id, $3, $4, $5, $6, 'in_flight', $7, $8, $9 FROM endpoint
    RETURNING id, company_id, event, call_id, sequence, body, attempts
  )
  SELECT added.id, added.company_id AS "companyId", added.event, added.call_id AS "callId", added.sequence,
    added.body, added.attempts, $9 AS "dueAt", false AS "callGoesOn", endpoint.url, endpoint.secret_encrypted AS "secretEncrypted",
    endpoint.secret_previous_encrypted AS "secretPreviousEncrypted", endpoint.max_in_flight AS "maxInFlight",
    endpoint.consecutive_failures AS "consecutiveFailures", integration.api_key_prefix AS "apiKeyPrefix"
  FROM added
  JOIN endpoint ON endpoint.company_id = added.company_id
  JOIN integration ON integration.company_id = $1`,
};

/** Writes one delivery that its writer sends itself. Undefined: the company has no endpoint. */
export async function insertLeased(
  pool: Pool,
  companyId: CompanyId,
  { id, event, callId, sequence, body }: OutboxEvent,
  { holder, leaseUntil }: { holder: string; leaseUntil: Date },
  now: Date,
): Promise<LeasedRow | undefined> {
  const values = [companyId, id, event, callId, sequence, body, holder, leaseUntil, now];
  const [row] = await run<LeasedRow>(pool, addLeasedDelivery, values);
  return row;
}
