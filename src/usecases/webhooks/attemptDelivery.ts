import type { WebhookCause } from '../../contract/causes.ts';
import type { CompanyId } from '../../domain/ids.ts';
import { type DeliveryFate, fateAfterAttempt, judgeAttempt } from '../../domain/retrySchedule.ts';
import { causeOfStatus, explainStatus } from '../../domain/webhookAnswers.ts';
import { isWebhookSecret, signDelivery } from '../../domain/webhookSignature.ts';
import type { Attempt, LeasedDelivery, Settlement } from '../../ports/outbox.ts';
import type { SecretCipher } from '../../ports/secrets.ts';
import type { AttemptResult } from '../../ports/webhookSender.ts';
import type { Sent } from '../deliveries/lane.ts';
import type { Services } from '../services.ts';

export type SendNeeds = Pick<Services, 'cipher' | 'clock' | 'observer' | 'sender'>;
/** `isTelling`: not when a test failed, or the gateway itself had a problem. */
export type SentDelivery = Sent & {
  result: AttemptResult;
  settlement: Settlement;
};

/** A leased delivery with what it sends. */
type SendableDelivery = LeasedDelivery & { body: string };

/** Sends a leased delivery once. What is to be tried again falls due later; an admin's test is not. */
export async function sendDelivery(services: SendNeeds, delivery: SendableDelivery): Promise<SentDelivery> {
  const startedAt = new Date(services.clock.now());
  const number = delivery.attempts + 1;
  if (number === 1) services.observer.firstAttempt(Math.max(startedAt.getTime() - delivery.dueAt.getTime(), 0));
  const headers = deliveryHeaders(services, delivery, number, startedAt);
  const result =
    headers === null
      ? unsignable(services, delivery)
      : await services.sender({ url: delivery.url, headers, body: delivery.body });
  const isTest = delivery.event === 'integration_test';
  const fate = isTest ? finalFate(result) : fateAfterAttempt(result, number, Math.random());
  services.observer.delivery(outcomeOf(fate), result.latencyMs);
  const settlement: Settlement = {
    companyId: delivery.companyId,
    id: delivery.id,
    attempt: attemptOf(result, { number, startedAt, url: delivery.url, requestHeaders: headers ?? {} }),
    outcome:
      fate.kind === 'retry'
        ? { state: 'pending', dueAt: new Date(services.clock.now() + fate.delayMs) }
        : { state: fate.kind },
  };
  const verdict = judgeAttempt(result).kind;
  const isOwnTrouble = result.kind === 'error' && result.code === 'gateway';
  return {
    result,
    verdict,
    isTelling: verdict === 'delivered' || (!isTest && !isOwnTrouble),
    settlement,
    startedAt,
    latencyMs: result.latencyMs,
  };
}

/**
 * Never sent unsigned: a receiver that checks signatures would refuse it, one that does not would take it for genuine.
 */
function unsignable({ observer }: Pick<Services, 'observer'>, delivery: LeasedDelivery): AttemptResult {
  const detail =
    'The delivery could not be signed: the stored webhook secret cannot be read. Rotate the webhook secret.';
  observer.problem('a webhook secret cannot be decrypted; was ENCRYPTION_KEY changed?', new Error(detail), {
    company_id: delivery.companyId,
  });
  return { kind: 'error', code: 'gateway', detail, cause: { code: 'secret_unreadable' }, latencyMs: 0 };
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
    cause: causeOf(result),
  };
}

/** Why an attempt failed, in words; null when it did not. */
export function errorOf(result: AttemptResult): string | null {
  if (result.kind === 'error') return result.detail;
  if (result.statusCode >= 200 && result.statusCode < 300) return null;
  return explainStatus(result.statusCode);
}

/** The same as a code. */
export function causeOf(result: AttemptResult): WebhookCause | null {
  if (result.kind === 'error') return result.cause;
  return errorOf(result) === null ? null : causeOfStatus(result.statusCode);
}

function finalFate(result: AttemptResult): DeliveryFate {
  return errorOf(result) === null ? { kind: 'delivered' } : { kind: 'dead', reason: 'exhausted' };
}

function outcomeOf(fate: DeliveryFate): 'delivered' | 'retried' | 'dead' {
  return fate.kind === 'retry' ? 'retried' : fate.kind;
}

/**
 * The headers of one attempt, freshly signed with the secret, and with the previous one while receivers may still use
 * it. No signature where no secret is set; null where the current secret cannot be decrypted.
 */
function deliveryHeaders(
  { cipher }: Pick<Services, 'cipher'>,
  delivery: LeasedDelivery & { body: string },
  attempt: number,
  at: Date,
): Record<string, string> | null {
  const headers = plainHeaders(delivery, attempt);
  const { secretEncrypted, secretPreviousEncrypted, companyId, id, body } = delivery;
  if (secretEncrypted === null) return headers;
  const secret = opened(cipher, secretEncrypted, companyId);
  if (secret === null) return null;
  // A previous secret that cannot be decrypted may be why it was rotated; deliveries must go on.
  const previousSecret = secretPreviousEncrypted === null ? null : opened(cipher, secretPreviousEncrypted, companyId);
  const timestampSeconds = Math.floor(at.getTime() / 1000);
  return Object.assign(headers, signDelivery({ secret, previousSecret, body, deliveryId: id, timestampSeconds }));
}

/** Null: encrypted under another key, or no secret. */
function opened(cipher: SecretCipher, sealed: string, companyId: CompanyId): string | null {
  try {
    const secret = cipher.decrypt(sealed, companyId);
    return isWebhookSecret(secret) ? secret : null;
  } catch {
    return null;
  }
}

function plainHeaders(delivery: LeasedDelivery, attempt: number): Record<string, string> {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'user-agent': 'Readyline-Webhooks',
    'X-Service-Event': delivery.event,
    'X-Service-Company': delivery.companyId,
    'X-Service-Delivery': delivery.id,
    'X-Service-Attempt': String(attempt),
  };
  if (delivery.apiKeyPrefix !== null) headers['X-Service-Key-Prefix'] = delivery.apiKeyPrefix;
  return headers;
}
