import { type JsonText, writeJson } from '../../contract/jsonText.ts';
import type { Principal } from '../../domain/access.ts';
import { ok, type Outcome, refuse } from '../../domain/outcome.ts';
import type { RememberedAnswer } from '../../ports/calls.ts';
import { freeKey, type KeyNeeds, rememberForMs, takeKey } from './idempotencyKey.ts';

/** What was made, or the first answer under the key, given again. */
export type Created<T> = { made: T; replayed: false } | { answer: JsonText; replayed: true };

/** What the answer is remembered with, in the transaction of what it reports; its body is what is made. */
export type Remember = Omit<RememberedAnswer, 'body'>;

/** Another request has the key by now: nothing was written. */
export const keyTakenOver = refuse('idempotency_in_progress', 'Another request has taken this Idempotency-Key over.', {
  retryAfterSeconds: 1,
});

type Request = { path: string; body: unknown; idempotencyKey: string | null };

/**
 * Makes something once under an Idempotency-Key, which counts for one caller, path and body for 24 h.
 * @param make writes what it makes and the remembered answer in one transaction
 */
export async function createOnce<T>(
  services: KeyNeeds,
  principal: Principal,
  { path, body, idempotencyKey }: Request,
  make: (remember: Remember | undefined) => Promise<Outcome<T>>,
): Promise<Outcome<Created<T>>> {
  const asCreated = (made: Outcome<T>): Outcome<Created<T>> =>
    made.kind === 'ok' ? ok({ made: made.value, replayed: false }) : made;
  if (idempotencyKey === null) return asCreated(await make(undefined));
  const { companyId } = principal;
  const agentId = principal.kind === 'agent' ? principal.agentId : '';
  const begun = await takeKey(services, companyId, idempotencyKey, `["${path}","${agentId}",${writeJson(body)}]`);
  if (begun.kind === 'refused') return begun;
  if (begun.value.kind === 'answered') return ok({ answer: begun.value.answer, replayed: true });
  const { held } = begun.value;
  let outcome: Outcome<T> | null = null;
  try {
    outcome = await make({ key: held, status: 201, expiresAt: new Date(services.clock.now() + rememberForMs) });
    return asCreated(outcome);
  } finally {
    // A refusal is not remembered: what was in the way may be gone at the next try.
    if (outcome?.kind !== 'ok') await freeKey(services, companyId, held);
  }
}
