import type { Pool } from 'pg';
import type { DeliveryId } from '../../../domain/ids.ts';
import type { DeliveryKey } from '../../../ports/outbox.ts';
import { run, type Statement } from '../queries.ts';
import { notSentDisabled } from './errorCauses.ts';

/** $1 holder; as arrays: $2 company ids, $3 delivery ids; $4 when the leases end. In id order, as others lock them. */
export const renewHeld = { name: 'renew_leases', text: renewing('webhook_delivery') };
export const renewHeldCallLogs = { name: 'renew_call_logs', text: renewing('crm_delivery') };

function renewing(deliveries: string): string {
  return `WITH held AS (
    SELECT d.company_id, d.id FROM unnest($2::uuid[], $3::uuid[]) AS given (company_id, id)
    JOIN ${deliveries} d ON d.company_id = given.company_id AND d.id = given.id
    WHERE d.claim_id = $1 AND d.state = 'in_flight'
    ORDER BY d.id FOR NO KEY UPDATE OF d
  )
  UPDATE ${deliveries} d SET due_at = $4 FROM held
  WHERE d.company_id = held.company_id AND d.id = held.id RETURNING d.id`;
}

/** $1 holder, $2 now; as arrays: $3 company ids, $4 delivery ids. */
const some = '(company_id, id) IN (SELECT * FROM unnest($3::uuid[], $4::uuid[])) AND claim_id = $1';
/** $1 holder, $2 now. */
const all = 'claim_id = $1';
/** $1 holder, $2 now. */
const others = 'claim_id <> $1';

export const releaseSome = { name: 'release_some', text: givingBack(some) };
export const releaseHeld = { name: 'release_held', text: givingBack(all) };
export const releaseHeldByOthers = { name: 'release_held_by_others', text: givingBack(others) };
export const releaseSomeCallLogs = { name: 'release_some_call_logs', text: givingBackCallLogs(some) };
export const releaseHeldCallLogs = { name: 'release_held_call_logs', text: givingBackCallLogs(all) };
export const releaseCallLogsOfOthers = { name: 'release_call_logs_of_others', text: givingBackCallLogs(others) };

/** How leases of one kind of deliveries are kept. */
type Leases = { renew: Statement; some: Statement; all: Statement; others: Statement };
const webhookLeases: Leases = { renew: renewHeld, some: releaseSome, all: releaseHeld, others: releaseHeldByOthers };
export const callLogLeases: Leases = { renew: renewHeldCallLogs, some: releaseSomeCallLogs, all: releaseHeldCallLogs, others: releaseCallLogsOfOthers };

/** A delivery released at $2 is due again. */
function givingBackCallLogs(which: string): string {
  return `WITH held AS MATERIALIZED (
    SELECT id, company_id, claim_id FROM crm_delivery WHERE state = 'in_flight' AND ${which} ORDER BY id
  )
  UPDATE crm_delivery d SET state = 'pending', claim_id = NULL, due_at = $2::timestamptz FROM held
  WHERE d.company_id = held.company_id AND d.id = held.id AND d.claim_id = held.claim_id AND d.state = 'in_flight'`;
}

/**
 * A delivery released at $2 is due again, at its old place in the queue if it was never sent; or dead, if its endpoint was
 * disabled meanwhile.
 */
function givingBack(which: string): string {
  return `WITH held AS MATERIALIZED (
    SELECT id, company_id, claim_id FROM webhook_delivery WHERE state = 'in_flight' AND ${which} ORDER BY id
  ), endpoint AS MATERIALIZED (
    SELECT company_id, disabled_at IS NOT NULL AS disabled FROM webhook_endpoint
    WHERE company_id IN (SELECT company_id FROM held) ORDER BY company_id FOR KEY SHARE
  )
  UPDATE webhook_delivery d SET
    state = CASE WHEN endpoint.disabled THEN 'dead' ELSE 'pending' END,
    last_error = CASE WHEN endpoint.disabled THEN ${notSentDisabled.error} ELSE d.last_error END,
    last_error_cause = CASE WHEN endpoint.disabled THEN ${notSentDisabled.cause} ELSE d.last_error_cause END,
    finished_at = CASE WHEN endpoint.disabled THEN $2::timestamptz END,
    claim_id = NULL, due_at = CASE WHEN d.attempts = 0 THEN least(d.created_at, $2) ELSE $2::timestamptz END
  FROM held JOIN endpoint ON endpoint.company_id = held.company_id
  WHERE d.company_id = held.company_id AND d.id = held.id AND d.claim_id = held.claim_id AND d.state = 'in_flight'`;
}

/** Extends leases; the ids of those that are still held. */
export async function renewLeases(pool: Pool, holder: string, held: DeliveryKey[], leaseUntil: Date, { renew } = webhookLeases): Promise<DeliveryId[]> {
  return (await run<{ id: DeliveryId }>(pool, renew, [holder, ...keyValues(held), leaseUntil])).map(({ id }) => id);
}

/** Releases what a holder holds: it is due again. */
export async function releaseLeases(pool: Pool, holder: string, held: DeliveryKey[] | 'all', now: Date, { all: allHeld, some: someHeld } = webhookLeases): Promise<void> {
  if (held === 'all') await run(pool, allHeld, [holder, now]);
  else await run(pool, someHeld, [holder, now, ...keyValues(held)]);
}

/** Releases what all other holders hold. */
export async function releaseOthersLeases(pool: Pool, holder: string, now: Date, { others: ofOthers } = webhookLeases): Promise<void> {
  await run(pool, ofOthers, [holder, now]);
}

function keyValues(deliveries: DeliveryKey[]): string[][] {
  return [deliveries.map(({ companyId }) => companyId), deliveries.map(({ id }) => id)];
}
