import { LRUCache } from 'lru-cache';
import type { Agent, Dispatcher } from 'undici';
import type { AttemptError, AttemptResult, WebhookSender } from '../../ports/webhookSender.ts';
import type { NetworkPolicy } from './addressPolicy.ts';
import { answerText, flatHeaders, readLimit, readRetryAfter } from './answer.ts';
import { answerTimeout, AttemptFailure, exchangeFailure } from './attemptFailure.ts';
import { createWebhookAgent } from './guardedConnector.ts';
import { type HostResolver, resolverFor } from './hostResolver.ts';
import { parseWebhookUrl } from './webhookUrl.ts';

export type WebhookSenderOptions = {
  policy: NetworkPolicy;
  /** For name, TCP and TLS together; 5,000 by default. */
  connectTimeoutMs?: number;
  /** For the whole attempt, and longer than for the connection; 15,000 by default. */
  totalTimeoutMs?: number;
  /** How host names are resolved; as the policy does by default. */
  resolveHost?: HostResolver;
  /** Certificate authorities to trust instead of Node's own list, PEM. */
  certificateAuthorities?: string[];
};

/** `close` waits for attempts under way and may be called twice. */
type WebhookConnections = { send: WebhookSender; close: () => Promise<void> };

/** How many parsed endpoint URLs are cached. */
const rememberedTargets = 2_000;
type Target =
  | { kind: 'ok'; origin: string; path: string; host: string }
  | Extract<ReturnType<typeof parseWebhookUrl>, { kind: 'refused' }>;

/** Sends webhooks over its own connections. */
export function createWebhookSender(options: WebhookSenderOptions): WebhookConnections {
  const {
    policy,
    connectTimeoutMs = 5000,
    totalTimeoutMs = 15_000,
    resolveHost = resolverFor(options.policy),
  } = options;
  const { certificateAuthorities } = options;
  const agent = createWebhookAgent({
    policy,
    connectTimeoutMs,
    resolveHost,
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
    const error = ({ reason, message, why }: AttemptFailure): AttemptError => {
      return { kind: 'error', code: reason, detail: message, cause: why, latencyMs: latencyMs() };
    };

    const target = targetOf(request.url);
    if (target.kind === 'refused') return error(new AttemptFailure('blocked_address', target.detail, target.cause));

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
  return new AttemptFailure('timeout', 'The gateway stopped the attempt before an answer came.', {
    code: 'stopped_by_gateway',
  });
}

export type Exchange = { origin: string; path: string; headers: Record<string, string>; body: string };
/** The answer. `body`: what was read of it, even if the rest never came. */
type Exchanged = { statusCode: number; headers: Dispatcher.ResponseData['headers']; body: Uint8Array[] };
/** Ends an exchange that is under way. */
type Abandon = (reason: Error) => void;

/**
 * POSTs once, as far as receivers know, and reads the start of the answer. It may be repeated where it met a connection
 * that was being closed: receivers tell deliveries by their ids. Uses undici's dispatcher directly: its `request` makes
 * a stream of every answer and an event target of every deadline, which doubles the cost. Once the status has arrived
 * it resolves, whatever becomes of the body.
 * @param begun receives the function that ends the exchange early;
 * it then rejects with the reason, unless the status has arrived
 */
export function exchange(
  agent: Agent,
  { origin, path, headers, body }: Exchange,
  begun: (abandon: Abandon) => void,
): Promise<Exchanged> {
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | null = null;
    let abandoned: Error | null = null;
    let answer: Exchanged | null = null;
    let read = 0;
    const end = (error: Error | null): void => {
      if (answer !== null) resolve(answer);
      else if (error !== null) reject(error);
    };
    begun((reason) => {
      abandoned = reason;
      controller?.abort(reason);
      // An exchange that still waits for a connection learns of it only when it has one.
      end(reason);
    });
    agent.dispatch(
      { origin, path, method: 'POST', headers, body, idempotent: true },
      {
        onRequestStart(own) {
          controller = own;
          if (abandoned !== null) own.abort(abandoned);
        },
        onResponseStart(_controller, statusCode, responseHeaders) {
          if (statusCode >= 200) answer = { statusCode, headers: responseHeaders, body: [] };
        },
        onResponseData(own, chunk) {
          answer?.body.push(chunk);
          read += chunk.length;
          if (read < readLimit) return;
          end(null);
          own.abort(new Error('enough was read'));
        },
        onResponseEnd: () => end(null),
        onResponseError: (_controller, error) => end(error),
      },
    );
  });
}
