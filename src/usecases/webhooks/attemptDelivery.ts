import { fateAfterAttempt, judgeAttempt, type AttemptVerdict, type DeliveryFate } from '../../domain/retrySchedule.ts';
import { explainStatus } from '../../domain/webhookAnswers.ts';
import type { Attempt, ClaimedDelivery, Settlement } from '../../ports/outbox.ts';
import type { AttemptResult } from '../../ports/webhookSender.ts';
import type { Services } from '../services.ts';
import { deliveryHeaders } from './deliveryHeaders.ts';

export type SendNeeds = Pick<Services, 'cipher' | 'clock' | 'observer' | 'sender'>;
export type AttemptNeeds = SendNeeds & Pick<Services, 'outbox'>;
/** An attempt that is over and not yet written down. */
export type SentDelivery = { result: AttemptResult; verdict: AttemptVerdict['kind']; settlement: Settlement };

/** Sends a claimed delivery once and settles it, whatever comes of it: it is not tried again. */
export async function attemptDelivery(
  services: AttemptNeeds,
  delivery: ClaimedDelivery,
  claimId: string,
): Promise<SentDelivery & { settled: boolean }> {
  const sent = await sendDelivery(services, delivery, false);
  return { ...sent, settled: await services.outbox.settle(claimId, sent.settlement) };
}

/** Sends a claimed delivery once. `retry`: whether a failure is tried again later. */
export async function sendDelivery(services: SendNeeds, delivery: ClaimedDelivery, retry: boolean): Promise<SentDelivery> {
  const startedAt = new Date(services.clock.now());
  const number = delivery.attempts + 1;
  if (number === 1) services.observer.firstAttempt(Math.max(startedAt.getTime() - delivery.dueAt.getTime(), 0));
  const headers = deliveryHeaders(services, delivery, number, startedAt);
  const result =
    headers === null
      ? unsignable(services, delivery)
      : await services.sender({ url: delivery.url, headers, body: delivery.body });
  const fate = retry ? fateAfterAttempt(result, number, Math.random()) : finalFate(result);
  services.observer.delivery(outcomeOf(fate), result.latencyMs);
  const settlement: Settlement = {
    id: delivery.id,
    attempt: attemptOf(result, { number, startedAt, url: delivery.url, requestHeaders: headers ?? {} }),
    outcome:
      fate.kind === 'retry'
        ? { state: 'pending', dueAt: new Date(services.clock.now() + fate.delayMs) }
        : { state: fate.kind },
  };
  return { result, verdict: judgeAttempt(result).kind, settlement };
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
  return explainStatus(result.statusCode);
}

function finalFate(result: AttemptResult): DeliveryFate {
  return errorOf(result) === null ? { kind: 'delivered' } : { kind: 'dead', reason: 'exhausted' };
}

function outcomeOf(fate: DeliveryFate): 'delivered' | 'retried' | 'dead' {
  return fate.kind === 'retry' ? 'retried' : fate.kind;
}
