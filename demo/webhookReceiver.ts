import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { readBody } from '../src/webhooks/body.ts';
import { verify, type RefusalReason, type Webhook } from '../src/webhooks/verify.ts';
import { CommandError } from './commandLine.ts';

const maxBodyBytes = 2 * 1024 * 1024;

export type ReceivedWebhook = {
  at: Date;
  headers: http.IncomingHttpHeaders;
  /** The body as it came. */
  raw: string;
  /** What it says; to be believed only if `signature` is `verified`. */
  body: Webhook;
  /** The same over retries: what a receiver tells duplicates by. */
  deliveryId: string;
  attempt: string;
  signature: 'verified' | RefusalReason | 'not checked';
  /** Why it was refused, in sentences; null when it was not. */
  refusal: string | null;
};

export type ReceiverOptions = {
  /** 0: any free one. */
  port: number;
  /** The secrets as they are now, each of which will do; none: signatures are not checked. */
  secrets: () => readonly string[];
  onWebhook: (webhook: ReceivedWebhook) => void;
  /** Hears of requests that are no webhooks. */
  onOther: (what: string) => void;
  /** What a webhook is answered with; 204 by default. */
  status?: number;
};

export interface WebhookReceiver {
  url: string;
  close(): void;
}

/**
 * A webhook endpoint on 127.0.0.1. Answers what it received at once, before it thinks about it; with a secret, a
 * webhook that is not verified is refused with 401.
 */
export async function startWebhookReceiver(options: ReceiverOptions): Promise<WebhookReceiver> {
  const server = http.createServer((request, response) => {
    receive(request, options).then(
      (status) => response.writeHead(status, { connection: 'close' }).end(),
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) =>
      reject(new CommandError(`Cannot listen on port ${String(options.port)}: ${error.message}`)),
    );
    server.listen(options.port, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(port)}/`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function receive(request: http.IncomingMessage, options: ReceiverOptions): Promise<number> {
  const { method = '?', url = '?', headers } = request;
  const raw = await readBytes(request);
  const reading = method === 'POST' && raw !== null ? readBody(raw) : null;
  if (raw === null || reading?.kind !== 'webhook') {
    const why = reading?.kind === 'malformed' ? `: ${reading.detail}` : '';
    options.onOther(`${method} ${url} is no webhook${why}`);
    return method === 'POST' ? 400 : 405;
  }
  const judged = judge(raw, headers, options.secrets());
  options.onWebhook({
    at: new Date(),
    headers,
    raw: raw.toString('utf8'),
    body: reading.webhook,
    deliveryId: String(headers['x-service-delivery'] ?? 'without id'),
    attempt: String(headers['x-service-attempt'] ?? '?'),
    ...judged,
  });
  return judged.refusal === null ? (options.status ?? 204) : 401;
}

function judge(
  raw: Buffer,
  headers: http.IncomingHttpHeaders,
  secrets: readonly string[],
): Pick<ReceivedWebhook, 'signature' | 'refusal'> {
  if (secrets.length === 0) return { signature: 'not checked', refusal: null };
  const verification = verify(raw, headers, secrets);
  return verification.kind === 'verified'
    ? { signature: 'verified', refusal: null }
    : { signature: verification.reason, refusal: verification.detail };
}

/** The bytes as they came: signatures are over those. Null: too many. */
async function readBytes(request: http.IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= maxBodyBytes) chunks.push(chunk);
  }
  return size <= maxBodyBytes ? Buffer.concat(chunks) : null;
}
