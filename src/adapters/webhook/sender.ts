import type { AttemptError, AttemptResult, WebhookSender } from '../../ports/webhookSender.ts';
import type { NetworkPolicy } from './addressPolicy.ts';
import { flatHeaders, readAnswer, readRetryAfter } from './answer.ts';
import { answerTimeout, AttemptFailure, exchangeFailure } from './attemptFailure.ts';
import { lookupFor } from './hostLookup.ts';
import type { HostLookup } from './hostLookup.ts';
import { createWebhookAgent } from './webhookAgent.ts';
import { parseWebhookUrl } from './webhookUrl.ts';

export type WebhookSenderOptions = {
  policy: NetworkPolicy;
  /** For name, TCP and TLS together; 5,000 by default. */
  connectTimeoutMs?: number;
  /** For the whole attempt, and longer than for the connection; 15,000 by default. */
  totalTimeoutMs?: number;
  /** How host names are resolved; as the policy does by default. */
  lookup?: HostLookup;
  /** Certificate authorities to trust instead of Node's own list, PEM. */
  certificateAuthorities?: string[];
};

/** `close` waits for attempts under way and may be called twice. */
export type WebhookConnections = { send: WebhookSender; close: () => Promise<void> };

/** Sends webhooks over its own connections. */
export function createWebhookSender(options: WebhookSenderOptions): WebhookConnections {
  const { policy, connectTimeoutMs = 5000, totalTimeoutMs = 15_000, lookup = lookupFor(options.policy) } = options;
  const { certificateAuthorities } = options;
  const agent = createWebhookAgent({
    policy,
    connectTimeoutMs,
    lookup,
    ...(certificateAuthorities === undefined ? {} : { certificateAuthorities }),
  });

  async function send(request: Parameters<WebhookSender>[0]): Promise<AttemptResult> {
    const startedAt = performance.now();
    const latencyMs = (): number => Math.round(performance.now() - startedAt);
    const error = ({ reason, message }: AttemptFailure): AttemptError => {
      return { kind: 'error', code: reason, detail: message, latencyMs: latencyMs() };
    };

    const target = parseWebhookUrl(request.url, policy);
    if (target.kind === 'refused') return error(new AttemptFailure('blocked_address', target.detail));

    // Undici would connect first and look at the signal then.
    if (request.signal?.aborted === true) return error(stoppedByCaller());

    const deadline = startDeadline(target.host, totalTimeoutMs, request.signal);
    try {
      const response = await agent.request({
        origin: target.url.origin,
        path: target.url.pathname + target.url.search,
        method: 'POST',
        headers: request.headers,
        body: request.body,
        signal: deadline.signal,
      });
      const headers = flatHeaders(response.headers);
      const body = await readAnswer(response.body, headers['content-encoding']);
      const retryAfterSeconds = readRetryAfter(headers['retry-after'], Date.now());
      return {
        kind: 'response',
        statusCode: response.statusCode,
        headers,
        body,
        latencyMs: latencyMs(),
        ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
      };
    } catch (thrown) {
      const failure = exchangeFailure(thrown, target.host);
      if (failure === null) throw thrown;
      return error(failure);
    } finally {
      deadline.clear();
    }
  }

  let closing: Promise<void> | undefined;
  return { send, close: () => (closing ??= agent.close()) };
}

type Deadline = { signal: AbortSignal; clear: () => void };

/** A signal that fires when the time is over or the caller says so. `clear` must be called. */
function startDeadline(host: string, totalTimeoutMs: number, outer: AbortSignal | undefined): Deadline {
  const controller = new AbortController();
  const abandon = (): void => {
    controller.abort(stoppedByCaller());
  };
  const timer = setTimeout(() => {
    controller.abort(answerTimeout(host, totalTimeoutMs));
  }, totalTimeoutMs);
  outer?.addEventListener('abort', abandon, { once: true });
  const clear = (): void => {
    clearTimeout(timer);
    outer?.removeEventListener('abort', abandon);
  };
  return { signal: controller.signal, clear };
}

function stoppedByCaller(): AttemptFailure {
  return new AttemptFailure('timeout', 'The gateway stopped the attempt before an answer came.');
}
