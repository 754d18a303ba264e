import type { Pool } from 'pg';
import type { DeliveryId } from '../../../domain/ids.ts';
import { run } from './prepared.ts';

/** $1 claimer, $2 delivery ids, $3 when the leases end. In id order, as others lock them. */
export const renewClaims = {
  name: 'renew_claims',
  text: `WITH held AS (
    SELECT id FROM webhook_delivery WHERE id = ANY($2::uuid[]) AND claim_id = $1 AND state = 'in_flight'
    ORDER BY id FOR NO KEY UPDATE
  )
  UPDATE webhook_delivery d SET due_at = $3 FROM held WHERE d.id = held.id RETURNING d.id`,
};

/** $1 claimer, $2 now, $3 delivery ids, or null for all that it holds. */
export const releaseHeld = {
  name: 'release_held',
  text: givingBack('claim_id = $1 AND ($3::uuid[] IS NULL OR id = ANY($3::uuid[]))'),
};

/** $1 claimer, $2 now. */
export const releaseHeldByOthers = { name: 'release_held_by_others', text: givingBack('claim_id <> $1') };

/**
 * What is given back at $2 is due again, at its old place in the line if it was never sent; or given up, where its
 * endpoint was disabled meanwhile.
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
    last_error = CASE WHEN endpoint.disabled THEN 'Not sent: the endpoint is disabled.' ELSE d.last_error END,
    finished_at = CASE WHEN endpoint.disabled THEN $2::timestamptz END,
    claim_id = NULL, due_at = CASE WHEN d.attempts = 0 THEN least(d.created_at, $2) ELSE $2::timestamptz END
  FROM held JOIN endpoint ON endpoint.company_id = held.company_id
  WHERE d.id = held.id AND d.claim_id = held.claim_id AND d.state = 'in_flight'`;
}

/** Extends leases; the ids of those that are still held. */
export async function renewLeases(pool: Pool, claimId: string, ids: DeliveryId[], leaseUntil: Date): Promise<DeliveryId[]> {
  return (await run<{ id: DeliveryId }>(pool, renewClaims, [claimId, ids, leaseUntil])).map(({ id }) => id);
}

/** Makes what a claimer holds due again. */
export async function releaseClaims(pool: Pool, claimId: string, ids: DeliveryId[] | 'all', now: Date): Promise<void> {
  await run(pool, releaseHeld, [claimId, now, ids === 'all' ? null : ids]);
}

/** Makes what anybody else holds due again. */
export async function releaseOthersClaims(pool: Pool, claimId: string, now: Date): Promise<void> {
  await run(pool, releaseHeldByOthers, [claimId, now]);
}
