import type { Pool } from 'pg';
import type { CompanyId } from '../../../domain/ids.ts';
import type { BegunKey } from '../../../ports/idempotency.ts';
import { readAnswer } from '../answerRows.ts';
import { run } from './prepared.ts';

/**
 * $1 company id, $2 key, $3 request hash, $4 now, $5 when the claim lapses.
 * Claims the key if it is free or has expired; the unique key lets only one of several claim it. Otherwise tells
 * what is stored. No row: another request claimed the key after this statement began, so that it sees neither a
 * free key nor what is stored now.
 */
export const beginIdempotency = {
  name: 'begin_idempotency',
  text: `WITH claimed AS (
    INSERT INTO idempotency_key AS stored (company_id, key, request_hash, expires_at) VALUES ($1, $2, $3, $5)
    ON CONFLICT (company_id, key) DO UPDATE
    SET request_hash = excluded.request_hash, status = NULL, response = NULL, expires_at = excluded.expires_at
    WHERE stored.expires_at <= $4
    RETURNING request_hash
  )
  SELECT true AS fresh, request_hash AS "requestHash", NULL::int AS status, NULL::jsonb AS response FROM claimed
  UNION ALL
  SELECT false, request_hash, status, response FROM idempotency_key
  WHERE company_id = $1 AND key = $2 AND expires_at > $4 AND NOT EXISTS (SELECT FROM claimed)`,
};

type ClaimRow = { fresh: boolean; requestHash: string; status: number | null; response: unknown };

/** Claims a key, or tells what became of it. */
export async function claimKey(
  pool: Pool,
  companyId: CompanyId,
  key: string,
  requestHash: string,
  now: Date,
  lapsesAt: Date,
): Promise<BegunKey> {
  // Each turn without a row means that another request got on in between, so this ends.
  for (;;) {
    const [row] = await run<ClaimRow>(pool, beginIdempotency, [companyId, key, requestHash, now, lapsesAt]);
    if (row !== undefined) return read(row, requestHash);
  }
}

function read(row: ClaimRow, requestHash: string): BegunKey {
  if (row.fresh) return { kind: 'fresh' };
  if (row.requestHash !== requestHash) return { kind: 'mismatch' };
  return row.status === null
    ? { kind: 'in_progress' }
    : { kind: 'answered', status: row.status, answer: readAnswer(row.response) };
}
