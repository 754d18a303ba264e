import { LRUCache } from 'lru-cache';
import type { AttemptError, AttemptResult, WebhookSender } from '../../ports/webhookSender.ts';
import type { NetworkPolicy } from './addressPolicy.ts';
import { answerText, flatHeaders, readRetryAfter } from './answer.ts';
import { answerTimeout, AttemptFailure, exchangeFailure } from './attemptFailure.ts';
import { exchange, type Abandon } from './exchange.ts';
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

/** Endpoints whose URL is not parsed again at every attempt. */
const rememberedTargets = 2_000;
type Target = { kind: 'ok'; origin: string; path: string; host: string } | { kind: 'refused'; detail: string };

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

  const targets = new LRUCache<string, Target>({ max: rememberedTargets });

  function targetOf(url: string): Target {
    const known = targets.get(url);
    if (known !== undefined) return known;
    const parsed = parseWebhookUrl(url, policy);
    const target: Target =
      parsed.kind === 'refused'
        ? parsed
        : { kind: 'ok', origin: parsed.url.origin, path: parsed.url.pathname + parsed.url.search, host: parsed.host };
    targets.set(url, target);
    return target;
  }

  async function send(request: Parameters<WebhookSender>[0]): Promise<AttemptResult> {
    const startedAt = performance.now();
    const latencyMs = (): number => Math.round(performance.now() - startedAt);
    const error = ({ reason, message }: AttemptFailure): AttemptError => {
      return { kind: 'error', code: reason, detail: message, latencyMs: latencyMs() };
    };

    const target = targetOf(request.url);
    if (target.kind === 'refused') return error(new AttemptFailure('blocked_address', target.detail));

    const { headers, body, signal } = request;
    if (signal?.aborted === true) return error(stoppedByCaller());

    let abandon: Abandon = () => undefined;
    const stop = (): void => abandon(stoppedByCaller());
    signal?.addEventListener('abort', stop, { once: true });
    const timer = setTimeout(() => abandon(answerTimeout(target.host, totalTimeoutMs)), totalTimeoutMs);
    try {
      const answer = await exchange(agent, { ...target, headers, body }, (own) => (abandon = own));
      const answerHeaders = flatHeaders(answer.headers);
      const retryAfterSeconds = readRetryAfter(answerHeaders['retry-after'], Date.now());
      return {
        kind: 'response',
        statusCode: answer.statusCode,
        headers: answerHeaders,
        body: answerText(answer.body, answerHeaders['content-encoding']),
        latencyMs: latencyMs(),
        ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
      };
    } catch (thrown) {
      const failure = exchangeFailure(thrown, target.host);
      if (failure === null) throw thrown;
      return error(failure);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    }
  }

  let closing: Promise<void> | undefined;
  return { send, close: () => (closing ??= agent.close()) };
}

function stoppedByCaller(): AttemptFailure {
  return new AttemptFailure('timeout', 'The gateway stopped the attempt before an answer came.');
}
