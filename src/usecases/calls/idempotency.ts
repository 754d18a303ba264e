import { createHash } from 'node:crypto';
import type { CompanyId } from '../../domain/ids.ts';
import { ok, refuse, type Outcome } from '../../domain/outcome.ts';
import type { ClaimedKey } from '../../ports/idempotency.ts';
import type { Services } from '../services.ts';

/** Stripe's and the field's usual span. */
export const rememberForMs = 24 * 3_600_000;
/** A claim on a key whose request never finished (the process died) lapses; longer than any request may last. */
const claimLapsesAfterMs = 30_000;

export type BegunRequest = { kind: 'fresh'; claimed: ClaimedKey } | { kind: 'answered'; body: unknown };

/** Claims an Idempotency-Key for a request, or finds its first answer. */
export async function beginIdempotent(
  { idempotency, clock }: Pick<Services, 'idempotency' | 'clock'>,
  companyId: CompanyId,
  key: string,
  request: unknown,
): Promise<Outcome<BegunRequest>> {
  const hash = createHash('sha256').update(JSON.stringify(request)).digest('hex');
  const now = clock.now();
  const claimedUntil = new Date(now + claimLapsesAfterMs);
  const claim = await idempotency.begin(companyId, key, hash, new Date(now), claimedUntil);
  switch (claim.kind) {
    case 'fresh':
      return ok({ kind: 'fresh', claimed: { key, claimedUntil } });
    case 'answered':
      return ok({ kind: 'answered', body: claim.body });
    case 'in_progress':
      return refuse('idempotency_in_progress', 'The first request with this Idempotency-Key has not been answered yet.', {
        retryAfterSeconds: 1,
      });
    case 'mismatch':
      return refuse('idempotency_mismatch', 'This Idempotency-Key belongs to an earlier request with another body.');
  }
}
