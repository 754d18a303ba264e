import { verify } from '@octokit/webhooks-methods';
import { Webhook } from 'standardwebhooks';
import type { Arrival } from './target.ts';

/** A secret of one endpoint. It is the newest from some moment between the two. Times as of `Ledger.now`. */
export type KnownSecret = { secret: string; askedAt: number; shownAt: number };

/** What verifies with what: the newest secret, or the one before it, which is what a receiver that is late has. */
export type Signing = { kind: 'newest' | 'previous' } | { kind: 'wrong'; detail: string };

/** Receivers take a time stamp for a replay after this; milliseconds. */
const toleranceMs = 300_000;

/**
 * Checks an attempt by libraries that know nothing of the gateway. After a rotation each attempt bears two signatures
 * in both forms, the newer first, so that a receiver can verify with either.
 * @param secrets of the endpoint, the oldest first
 */
export async function signingOf(arrival: Arrival, secrets: readonly KnownSecret[]): Promise<Signing> {
  const { headers, raw, at, wallClock } = arrival;
  const signer = await indexOf(secrets, raw, headers['x-service-signature']);
  if (signer === null) return wrong('X-Service-Signature is of no secret');
  const newestAtMost = secrets.findLastIndex(({ askedAt }) => askedAt <= at);
  const newestAtLeast = secrets.findLastIndex(({ shownAt }) => shownAt <= at);
  if (signer > newestAtMost || signer < newestAtLeast - 1)
    return wrong(`signed with secret ${signer} at a time of ${newestAtLeast}`);
  const previous = headers['x-service-signature-previous'];
  const before = previous === undefined ? null : await indexOf(secrets, raw, previous);
  if ((signer === 0) !== (previous === undefined) || (previous !== undefined && before !== signer - 1)) {
    return wrong(
      `secret ${signer} goes with ` +
        (previous === undefined ? 'no previous signature' : `a previous one of secret ${before}`),
    );
  }
  const seconds = Number(headers['webhook-timestamp']);
  if (!(Math.abs(wallClock - seconds * 1000) < toleranceMs)) return wrong(`webhook-timestamp ${seconds}`);
  const id = String(headers['webhook-id']);
  if (id !== arrival.deliveryId) return wrong(`webhook-id ${id}`);
  const signers = before === null ? [signer] : [signer, before];
  const expected = signers
    .map((index) => new Webhook(secrets[index]?.secret ?? '').sign(id, new Date(seconds * 1000), raw))
    .join(' ');
  if (headers['webhook-signature'] !== expected) return wrong('webhook-signature is of no secret, or of others');
  return { kind: signer < newestAtLeast ? 'previous' : 'newest' };
}

async function indexOf(
  secrets: readonly KnownSecret[],
  raw: string,
  signature: string | string[] | undefined,
): Promise<number | null> {
  if (typeof signature !== 'string') return null;
  for (const [index, { secret }] of secrets.entries()) if (await verify(secret, raw, signature)) return index;
  return null;
}

function wrong(detail: string): Signing {
  return { kind: 'wrong', detail };
}
