import { Agent } from 'undici';
import type { AttemptError, AttemptResult, WebhookSender } from '../../ports/webhookSender.ts';
import type { NetworkPolicy } from './addressPolicy.ts';
import { flatHeaders, readAnswer, readRetryAfter } from './answer.ts';
import { AttemptFailure, exchangeFailure } from './attemptFailure.ts';
import { createGuardedConnector } from './guardedConnector.ts';
import { systemLookup } from './hostLookup.ts';
import type { HostLookup } from './hostLookup.ts';
import { parseWebhookUrl } from './webhookUrl.ts';

export type WebhookSenderOptions = {
  policy: NetworkPolicy;
  /** For name, TCP and TLS together; 5,000 by default. */
  connectTimeoutMs?: number;
  /** For the whole attempt; 15,000 by default. */
  totalTimeoutMs?: number;
  /** How host names are resolved; the machine's own way by default. */
  lookup?: HostLookup;
  /** Certificate authorities to trust instead of Node's own list, PEM. */
  certificateAuthorities?: string[];
};

/** `close` waits for attempts under way and may be called twice. */
export type WebhookConnections = { send: WebhookSender; close: () => Promise<void> };

/** Sends webhooks over its own connections, at most 64 per origin, each kept for at most 10 s of idleness. */
export function createWebhookSender(options: WebhookSenderOptions): WebhookConnections {
  const { policy, connectTimeoutMs = 5000, totalTimeoutMs = 15_000, lookup = systemLookup } = options;
  const { certificateAuthorities } = options;
  const agent = new Agent({
    connect: createGuardedConnector({
      policy,
      connectTimeoutMs,
      lookup,
      ...(certificateAuthorities === undefined ? {} : { certificateAuthorities }),
    }),
    connections: 64,
    pipelining: 1,
    keepAliveTimeout: 4000,
    keepAliveMaxTimeout: 10_000,
    maxHeaderSize: 32 * 1024,
    // One deadline over everything instead: undici's own are restarted by every byte that drips in.
    headersTimeout: 0,
    bodyTimeout: 0,
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

    const deadline = startDeadline(totalTimeoutMs, request.signal);
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
      const body = await readAnswer(response.body);
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
function startDeadline(totalTimeoutMs: number, outer: AbortSignal | undefined): Deadline {
  const controller = new AbortController();
  const abandon = (): void => {
    controller.abort(stoppedByCaller());
  };
  const timer = setTimeout(() => {
    controller.abort(new AttemptFailure('timeout', `No answer came within ${String(totalTimeoutMs)} ms.`));
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
