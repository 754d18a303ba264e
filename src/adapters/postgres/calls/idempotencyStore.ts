import type { Pool } from 'pg';
import { JsonText, writeJson } from '../../../contract/jsonText.ts';
import type { CompanyId } from '../../../domain/ids.ts';
import type { BegunKey, IdempotencyStore, RememberedAnswer } from '../../../ports/calls.ts';
import type { StoreParts } from '../pool.ts';
import { deleteOld, run } from '../queries.ts';

/** Idempotency-Keys in PostgreSQL. The call store writes the answers. */
export function createIdempotencyStore({ pool, prisma }: Pick<StoreParts, 'pool' | 'prisma'>): IdempotencyStore {
  return {
    begin(companyId, key, requestHash, now, lapsesAt) {
      return takeKey(pool, companyId, key, requestHash, now, lapsesAt);
    },

    async hold(companyId, { key, heldUntil }, until) {
      const { count } = await prisma.idempotencyKey.updateMany({
        where: { companyId, key, status: null, expiresAt: heldUntil },
        data: { expiresAt: until },
      });
      return count > 0;
    },

    async abandon(companyId, { key, heldUntil }) {
      await prisma.idempotencyKey.deleteMany({ where: { companyId, key, status: null, expiresAt: heldUntil } });
    },

    prune: (before, limit) => pruneKeys(pool, before, limit),
  };
}

/**
 * $1 company id, $2 key, $3 request hash, $4 now, $5 when the hold lapses.
 * Takes the key if it is free or has expired; the unique index lets only one of several requests take it. Otherwise
 * tells what is stored. No row: another request took the key after this statement began, so that it sees neither a
 * free key nor what is stored now.
 */
export const beginIdempotency = {
  name: 'begin_idempotency',
  text: `WITH taken AS (
    INSERT INTO idempotency_key AS stored (company_id, key, request_hash, expires_at) VALUES ($1, $2, $3, $5)
    ON CONFLICT (company_id, key) DO UPDATE
    SET request_hash = excluded.request_hash, status = NULL, response = NULL, expires_at = excluded.expires_at
    WHERE stored.expires_at <= $4
    RETURNING request_hash
  )
  SELECT true AS fresh, request_hash AS "requestHash", NULL::int AS status, NULL::jsonb AS response FROM taken
  UNION ALL
  SELECT false, request_hash, status, response FROM idempotency_key
  WHERE company_id = $1 AND key = $2 AND expires_at > $4 AND NOT EXISTS (SELECT FROM taken)`,
};

type KeyRow = { fresh: boolean; requestHash: string; status: number | null; response: unknown };

/** Takes a key, or tells what became of it. */
async function takeKey(
  pool: Pool,
  companyId: CompanyId,
  key: string,
  requestHash: string,
  now: Date,
  lapsesAt: Date,
): Promise<BegunKey> {
  // Each turn without a row means that another request got on in between, so this ends.
  for (;;) {
    const [row] = await run<KeyRow>(pool, beginIdempotency, [companyId, key, requestHash, now, lapsesAt]);
    if (row !== undefined) return read(row, requestHash);
  }
}

function read(row: KeyRow, requestHash: string): BegunKey {
  if (row.fresh) return { kind: 'fresh' };
  if (row.requestHash !== requestHash) return { kind: 'mismatch' };
  return row.status === null
    ? { kind: 'in_progress' }
    : { kind: 'answered', status: row.status, answer: readAnswer(row.response) };
}

/** $1 before when they expired, $2 how many at most. */
export const pruneIdempotency = {
  name: 'prune_idempotency',
  text: deleteOld('idempotency_key', ['company_id', 'key'], 'WHERE expires_at < $1 ORDER BY expires_at LIMIT $2'),
};

/** Deletes keys that expired before then, the oldest first; how many. */
async function pruneKeys(pool: Pool, before: Date, limit: number): Promise<number> {
  return (await run(pool, pruneIdempotency, [before, limit])).length;
}

/**
 * SQL: keeps the answer of a request under its key, as `answered`,
 * of which there is no row where the request no longer holds the key. $1 company id.
 * @param first the first of its five parameters: key or null, status, answer, when it is forgotten,
 * until when the request holds the key
 * @param only a further condition: an answer is not kept of what is not written
 */
export function answeredBy(first: number, only = 'true'): string {
  const [key, status, answer, expiresAt, heldUntil] = Array.from(
    { length: 5 },
    (_, index) => `$${String(first + index)}`,
  );
  return `answered AS (
    UPDATE idempotency_key SET status = ${status}, response = ${answer}::jsonb, expires_at = ${expiresAt}
    WHERE company_id = $1 AND key = ${key} AND status IS NULL AND expires_at = ${heldUntil} AND ${only} RETURNING key
  )`;
}

/** SQL: whether the request may write: it has no key, or still holds it. @param first as above */
export function holdsKey(first: number): string {
  return `($${String(first)}::text IS NULL OR EXISTS (SELECT FROM answered))`;
}

/** Keeps the answer within a transaction of Prisma. False: the request no longer holds the key. */
export async function rememberAnswer(
  tx: Pick<StoreParts['prisma'], 'idempotencyKey'>,
  companyId: CompanyId,
  { body, expiresAt, key, status }: RememberedAnswer,
): Promise<boolean> {
  const { count } = await tx.idempotencyKey.updateMany({
    where: { companyId, key: key.key, status: null, expiresAt: key.heldUntil },
    data: { status, response: writeJson(body), expiresAt },
  });
  return count > 0;
}

/** The values of those parameters. */
export function keyValues(remember: RememberedAnswer | undefined): unknown[] {
  if (remember === undefined) return [null, null, null, null, null];
  const { body, expiresAt, key, status } = remember;
  return [key.key, status, answerAsStored(body), expiresAt, key.heldUntil];
}

/**
 * An answer is kept as a JSON string that holds the JSON text: jsonb itself would reorder its keys and refuse some
 * texts, and the first answer must come back byte for byte.
 */
export function answerAsStored(body: unknown): string {
  return JSON.stringify(writeJson(body));
}

/** Reads what answerAsStored wrote, as the driver parsed it. */
function readAnswer(stored: unknown): JsonText {
  if (typeof stored !== 'string') throw new Error('a remembered answer is no text');
  return new JsonText(stored);
}
