import type { Pool } from 'pg';
import type { CompanyId } from '../../../domain/ids.ts';
import { failuresToPause } from '../../../domain/endpointHealth.ts';
import type { LeaseRequest } from '../../../ports/outbox.ts';
import { run, type Statement } from '../queries.ts';

/** Where deliveries of one kind wait, and where they go. */
type Lane = {
  deliveries: 'webhook_delivery' | 'crm_delivery';
  /** Has a row per company; `e` in the expressions that follow. */
  endpoints: 'webhook_endpoint' | 'crm_connection';
  /** Whether anything is sent there at all. */
  isOpen: string;
  /** Whether an endpoint is served of which the holder has nothing. */
  isTaken: string;
  /** What is read of an endpoint `e` and its company's integration `i`. */
  columns: string;
};

const webhooks: Lane = {
  deliveries: 'webhook_delivery',
  endpoints: 'webhook_endpoint',
  isOpen: 'e.disabled_at IS NULL',
  isTaken: '$6::boolean',
  columns: `e.max_in_flight AS "maxInFlight", e.url, e.secret_encrypted AS "secretEncrypted",
    CASE WHEN e.secret_previous_until > $3 THEN e.secret_previous_encrypted END AS "secretPreviousEncrypted",
    i.api_key_prefix AS "apiKeyPrefix"`,
};

/** Requests to one CRM at a time that log calls: the budget of its rate is shared with lookups. */
const callLogsAtOnce = 2;

const callLogs: Lane = {
  deliveries: 'crm_delivery',
  endpoints: 'crm_connection',
  isOpen: 'e.attention IS NULL',
  isTaken: '$6::boolean AND e.provider <> ALL ($8::text[])',
  columns: `${String(callLogsAtOnce)} AS "maxInFlight", e.provider`,
};

/** What is known of every endpoint that was leased. */
export type LeasedEndpoint = { companyId: CompanyId; maxInFlight: number; consecutiveFailures: number };

/**
 * $1 holder, $2 how many at most, $3 now, $4 when the lease ends; as arrays: $5 companies of whose endpoints the holder
 * wants more; $6 whether it takes any other, and $7 those of which it has enough. For CRM systems: $8 providers of
 * which it takes no other.
 *
 * waiting: the companies that have anything waiting, each with what falls due first: one step in the index per company,
 * however much waits. free: those with something due, the one longest unserved first, each served by one gateway at a
 * time. NO KEY UPDATE lets calls go on writing events under it. What the former holder wrote is read by the statement
 * that follows this one, and so is seen.
 */
function leasing({ deliveries, endpoints, isOpen, isTaken, columns }: Lane): string {
  return `WITH RECURSIVE waiting AS (
    (SELECT company_id, due_at FROM ${deliveries} WHERE state = 'pending' ORDER BY company_id, due_at LIMIT 1)
    UNION ALL
    SELECT next.company_id, next.due_at FROM waiting CROSS JOIN LATERAL (
      SELECT d.company_id, d.due_at FROM ${deliveries} d
      WHERE d.state = 'pending' AND d.company_id > waiting.company_id ORDER BY d.company_id, d.due_at LIMIT 1
    ) next
  ), free AS MATERIALIZED (
    SELECT e.company_id FROM waiting JOIN ${endpoints} e ON e.company_id = waiting.company_id
    WHERE waiting.due_at <= $3 AND ${isOpen} AND (e.paused_until IS NULL OR e.paused_until <= $3)
      AND (e.holder IS NULL OR e.holder = $1 OR e.held_until <= $3)
      AND (e.company_id = ANY ($5::uuid[]) OR ${isTaken} AND e.company_id <> ALL ($7::uuid[]))
    ORDER BY e.served_at, e.company_id LIMIT $2 FOR NO KEY UPDATE OF e SKIP LOCKED
  )
  UPDATE ${endpoints} e SET holder = $1, held_until = $4, served_at = clock_timestamp()
  FROM free JOIN integration i ON i.company_id = free.company_id WHERE e.company_id = free.company_id
  RETURNING e.company_id AS "companyId", e.consecutive_failures AS "consecutiveFailures", ${columns}`;
}

/** $1 holder, $2 company ids, $3 when the leases end. In order of companies, as others lock them. */
function renewing({ endpoints }: Lane): string {
  return `WITH held AS (
    SELECT company_id FROM ${endpoints} WHERE holder = $1 AND company_id = ANY ($2::uuid[])
    ORDER BY company_id FOR NO KEY UPDATE
  )
  UPDATE ${endpoints} e SET held_until = $3 FROM held WHERE e.company_id = held.company_id
  RETURNING e.company_id AS "companyId"`;
}

/** What is free by then: $1 holder, $2 companies that stay. */
function releasing({ endpoints }: Lane, which: 'holder = $1' | 'holder <> $1'): string {
  return `WITH held AS MATERIALIZED (
    SELECT company_id, holder FROM ${endpoints} WHERE ${which} AND company_id <> ALL ($2::uuid[])
    ORDER BY company_id FOR NO KEY UPDATE
  )
  UPDATE ${endpoints} e SET holder = NULL, held_until = NULL FROM held WHERE e.company_id = held.company_id`;
}

/** The statements by which the endpoints of one kind are leased. */
export type Leases = { lease: Statement; renew: Statement; release: Statement; releaseOthers: Statement };

export const webhookLeases: Leases = {
  lease: { name: 'lease_endpoints', text: leasing(webhooks) },
  renew: { name: 'renew_endpoints', text: renewing(webhooks) },
  release: { name: 'release_endpoints', text: releasing(webhooks, 'holder = $1') },
  releaseOthers: { name: 'release_endpoints_of_others', text: releasing(webhooks, 'holder <> $1') },
};

export const callLogLeases: Leases = {
  lease: { name: 'lease_connections', text: leasing(callLogs) },
  renew: { name: 'renew_connections', text: renewing(callLogs) },
  release: { name: 'release_connections', text: releasing(callLogs, 'holder = $1') },
  releaseOthers: { name: 'release_connections_of_others', text: releasing(callLogs, 'holder <> $1') },
};

/**
 * SQL: nobody else serves the company of a delivery `d` by now. Whose lease has run out may still write down what was
 * sent, as long as nobody else has begun. @param holder the parameter
 */
export const isServedByNobodyElse = (endpoints: Lane['endpoints'], holder: string) =>
  `NOT EXISTS (SELECT FROM ${endpoints} other WHERE other.company_id = d.company_id AND other.holder <> ${holder})`;

/**
 * Leases endpoints, each with how many of its deliveries may be read now.
 * @template E what is read of an endpoint
 * @param more what the statement takes besides
 */
export async function leaseEndpoints<E extends LeasedEndpoint>(
  pool: Pool,
  { lease }: Leases,
  { holder, limit, now, leaseUntil, holdings, newcomersAtMost }: LeaseRequest,
  more: unknown[] = [],
): Promise<Map<CompanyId, E & { room: number }>> {
  const holdingOf = new Map(holdings.map((holding) => [holding.companyId, holding]));
  const [wanted, enough] = [true, false].map((isWanted) =>
    holdings.filter(({ held, atMost }) => held < atMost === isWanted).map(({ companyId }) => companyId),
  );
  const leased = await run<E>(pool, lease, [
    holder,
    limit,
    now,
    leaseUntil,
    wanted,
    newcomersAtMost > 0,
    enough,
    ...more,
  ]);
  return new Map(
    leased.map((endpoint) => {
      const { held, atMost } = holdingOf.get(endpoint.companyId) ?? {
        held: 0,
        atMost: Math.min(endpoint.maxInFlight, newcomersAtMost),
      };
      const isProbed = endpoint.consecutiveFailures >= failuresToPause;
      return [endpoint.companyId, { ...endpoint, room: Math.max(0, (isProbed ? 1 : atMost) - held) }];
    }),
  );
}

/** Extends leases; whose endpoints are still the holder's. */
export async function renewEndpoints(
  pool: Pool,
  { renew }: Leases,
  holder: string,
  companyIds: CompanyId[],
  leaseUntil: Date,
): Promise<CompanyId[]> {
  return (await run<{ companyId: CompanyId }>(pool, renew, [holder, companyIds, leaseUntil])).map(
    ({ companyId }) => companyId,
  );
}

/** Gives endpoints back. */
export async function releaseEndpoints(
  pool: Pool,
  statement: Statement,
  holder: string,
  butFor: CompanyId[] = [],
): Promise<void> {
  await run(pool, statement, [holder, butFor]);
}
