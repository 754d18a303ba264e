import { createHash } from 'node:crypto';
import type { JsonText } from '../../contract/jsonText.ts';
import type { CompanyId } from '../../domain/ids.ts';
import { ok, type Outcome, refuse } from '../../domain/outcome.ts';
import type { BegunKey, HeldKey } from '../../ports/calls.ts';
import type { Services } from '../services.ts';
import { retryUntilSuccess } from './retryUntilSuccess.ts';

/** As long as Stripe and most APIs do. Milliseconds. */
export const rememberForMs = 24 * 3_600_000;
/**
 * When a key is free again whose request never finished (the process died). Longer than any request lasts (6 s).
 * Milliseconds.
 */
const holdForMs = 10_000;

export type KeyNeeds = Pick<Services, 'clock' | 'idempotency' | 'retries'>;
export type BegunRequest = { kind: 'fresh'; held: HeldKey } | { kind: 'answered'; answer: JsonText };

/**
 * Takes an Idempotency-Key of the company for a request, or finds its first answer.
 * @param fingerprint what makes the request the same: its route and body, and whoever it is of
 * @param former how an older version wrote it: its answers count, if `counts`
 */
export async function takeKey(
  { idempotency, clock }: Pick<Services, 'clock' | 'idempotency'>,
  companyId: CompanyId,
  key: string,
  fingerprint: string,
  former?: { fingerprint: string; counts: (answer: JsonText) => boolean },
): Promise<Outcome<BegunRequest>> {
  const now = clock.now();
  const heldUntil = new Date(now + holdForMs);
  const take = (text: string) =>
    idempotency.begin(companyId, key, createHash('sha256').update(text).digest('hex'), new Date(now), heldUntil);
  let begun: BegunKey = await take(fingerprint);
  if (begun.kind === 'mismatch' && former !== undefined) {
    const before = await take(former.fingerprint);
    if (before.kind !== 'answered' || former.counts(before.answer)) begun = before;
  }
  switch (begun.kind) {
    case 'fresh':
      return ok({ kind: 'fresh', held: { key, heldUntil } });
    case 'answered':
      return ok({ kind: 'answered', answer: begun.answer });
    case 'in_progress':
      return refuse(
        'idempotency_in_progress',
        'The first request with this Idempotency-Key has not been answered yet.',
        {
          retryAfterSeconds: 1,
        },
      );
    case 'mismatch':
      return refuse(
        'idempotency_mismatch',
        'This Idempotency-Key belongs to an earlier request with another body or by another agent.',
      );
  }
}

/**
 * Holds a request's key for as long as an answer is remembered: what it asks for must not be done a second time,
 * even if this process dies before it knows what became of it. `held` is as it is held from then on. False: the
 * request has lost the key.
 */
export async function holdKey(
  { clock, idempotency }: Pick<Services, 'clock' | 'idempotency'>,
  companyId: CompanyId,
  held: HeldKey,
): Promise<boolean> {
  const until = new Date(clock.now() + rememberForMs);
  const isHeld = await idempotency.hold(companyId, { ...held }, until);
  if (isHeld) held.heldUntil = until;
  return isHeld;
}

/** Frees the key of a request that was refused. Never rejects: it is retried until it succeeds. */
export async function freeKey(
  services: Pick<Services, 'idempotency' | 'retries'>,
  companyId: CompanyId,
  held: HeldKey,
): Promise<void> {
  await retryUntilSuccess(services, 'an Idempotency-Key could not be set free', () =>
    services.idempotency.abandon(companyId, held),
  );
}
