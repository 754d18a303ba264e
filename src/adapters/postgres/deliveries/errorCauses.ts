import type { WebhookCause } from '../../../contract/causes.ts';

/**
 * Causes are stored with the sentence that they say.
 * A gateway without causes writes new sentences beside them: then the cause is of another sentence, and does not count.
 */
type StoredCause = WebhookCause & { of: string };

/** The JSON for `error_cause`; null: nothing went wrong, or it has no cause. @param error as it is stored */
export function storedCause(cause: WebhookCause | null, error: string | null): string | null {
  if (cause === null || error === null) return null;
  return JSON.stringify({ ...cause, of: error } satisfies StoredCause);
}

/** Reads `error_cause` beside its sentence. */
export function readCause(stored: unknown, error: string | null): WebhookCause | null {
  if (stored === null || error === null) return null;
  const { of, ...cause } = stored as StoredCause;
  return of === error ? cause : null;
}

/** SQL: `last_error` and `last_error_cause` of a delivery that is not sent. */
export function notSent(
  code: Extract<WebhookCause, { params?: never }>['code'],
  sentence: string,
): { error: string; cause: string } {
  return { error: `'${sentence}'`, cause: `'${JSON.stringify({ code, of: sentence } satisfies StoredCause)}'::jsonb` };
}

/** The same of one that is written, or comes back, while its endpoint is disabled. */
export const notSentDisabled = notSent('not_sent_disabled', 'Not sent: the endpoint is disabled.');
