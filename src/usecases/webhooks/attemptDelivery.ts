import { fateAfterAttempt, type DeliveryFate } from '../../domain/retrySchedule.ts';
import { signDelivery } from '../../domain/webhookSignature.ts';
import type { Attempt, ClaimedDelivery, Settlement } from '../../ports/outbox.ts';
import type { AttemptResult } from '../../ports/webhookSender.ts';
import type { Services } from '../services.ts';

export type AttemptNeeds = Pick<Services, 'cipher' | 'clock' | 'observer' | 'outbox' | 'sender'>;
export type AttemptedDelivery = { result: AttemptResult; settled: boolean };

/** Sends a claimed delivery once, signed anew, and settles it. `retry`: whether a failure is tried again later. */
export async function attemptDelivery(
  services: AttemptNeeds,
  delivery: ClaimedDelivery,
  claimId: string,
  retry: boolean,
): Promise<AttemptedDelivery> {
  const startedAt = new Date(services.clock.now());
  const number = delivery.attempts + 1;
  const headers = plainHeaders(delivery, number);
  const signature = signatureOf(services, delivery, startedAt);
  if (signature !== null) Object.assign(headers, signature);
  const result =
    signature === null
      ? unsignable(services, delivery)
      : await services.sender({ url: delivery.url, headers, body: delivery.body });
  const fate = retry ? fateAfterAttempt(result, number, Math.random()) : finalFate(result);
  services.observer.delivery(outcomeOf(fate), result.latencyMs);
  const settlement: Settlement = {
    id: delivery.id,
    attempt: attemptOf(result, { number, startedAt, url: delivery.url, requestHeaders: headers }),
    outcome:
      fate.kind === 'retry'
        ? { state: 'pending', dueAt: new Date(services.clock.now() + fate.delayMs) }
        : { state: fate.kind },
  };
  return { result, settled: await services.outbox.settle(claimId, settlement) };
}

function plainHeaders(delivery: ClaimedDelivery, attempt: number): Record<string, string> {
  return {
    'content-type': 'application/json',
    'user-agent': 'Readyline-Webhooks',
    'X-Service-Event': delivery.event,
    'X-Service-Company': delivery.companyId,
    'X-Service-Delivery': delivery.id,
    'X-Service-Attempt': String(attempt),
    ...(delivery.apiKeyPrefix === null ? {} : { 'X-Service-Key-Prefix': delivery.apiKeyPrefix }),
  };
}

/** Signed anew at each attempt; no header where no secret is set; null where the stored secret cannot be opened. */
function signatureOf(
  { cipher }: Pick<Services, 'cipher'>,
  { secretEncrypted, companyId, id, body }: ClaimedDelivery,
  at: Date,
): Record<string, string> | null {
  if (secretEncrypted === null) return {};
  const timestampSeconds = Math.floor(at.getTime() / 1000);
  try {
    const secret = cipher.decrypt(secretEncrypted, companyId);
    return signDelivery({ secret, previousSecret: null, body, deliveryId: id, timestampSeconds });
  } catch {
    return null;
  }
}

/** Never sent unsigned: a receiver that checks would refuse it, one that does not would be deceived. */
function unsignable({ observer }: Pick<Services, 'observer'>, delivery: ClaimedDelivery): AttemptResult {
  const detail = 'The delivery could not be signed: the stored webhook secret cannot be read. Rotate the webhook secret.';
  observer.problem('a webhook secret cannot be decrypted; was ENCRYPTION_KEY changed?', new Error(detail), {
    company_id: delivery.companyId,
  });
  return { kind: 'error', code: 'protocol', detail, latencyMs: 0 };
}

function attemptOf(
  result: AttemptResult,
  about: Pick<Attempt, 'number' | 'startedAt' | 'url' | 'requestHeaders'>,
): Attempt {
  const answered = result.kind === 'response' ? result : null;
  return {
    ...about,
    latencyMs: result.latencyMs,
    statusCode: answered?.statusCode ?? null,
    responseHeaders: answered?.headers ?? null,
    responseBody: answered?.body ?? null,
    error: errorOf(result),
  };
}

/** Why an attempt failed, in words; null when it did not. */
export function errorOf(result: AttemptResult): string | null {
  if (result.kind === 'error') return result.detail;
  if (result.statusCode >= 200 && result.statusCode < 300) return null;
  return `The endpoint answered ${String(result.statusCode)}; only 2xx counts as received.`;
}

function finalFate(result: AttemptResult): DeliveryFate {
  return errorOf(result) === null ? { kind: 'delivered' } : { kind: 'dead', reason: 'exhausted' };
}

function outcomeOf(fate: DeliveryFate): 'delivered' | 'retried' | 'dead' {
  return fate.kind === 'retry' ? 'retried' : fate.kind;
}
