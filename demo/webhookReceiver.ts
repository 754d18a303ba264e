import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { webhookEnvelope, type WebhookEnvelope } from '../src/contract/webhooks.ts';
import { CommandError } from './commandLine.ts';
import { verifyWebhook, type SignatureVerdict } from './signatures.ts';

const maxBodyBytes = 1024 * 1024;

export type ReceivedWebhook = {
  at: Date;
  body: WebhookEnvelope;
  /** The same over retries: what a receiver tells duplicates by. */
  deliveryId: string;
  attempt: string;
  signature: SignatureVerdict | 'not checked';
};

export type ReceiverOptions = {
  /** 0: any free one. */
  port: number;
  /** The secret as it is now; null: signatures are not checked. */
  secret: () => string | null;
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
 * webhook whose signature is not right is refused with 401.
 */
export async function startWebhookReceiver(options: ReceiverOptions): Promise<WebhookReceiver> {
  const server = http.createServer((request, response) => {
    receive(request, options).then(
      (status) => response.writeHead(status, { connection: 'close' }).end(),
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(new CommandError(`Cannot listen on port ${String(options.port)}: ${error.message}`)));
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
  const raw = await readBody(request);
  const body = request.method === 'POST' && raw !== null ? readEnvelope(raw) : null;
  if (raw === null || body === null) {
    options.onOther(`${request.method ?? '?'} ${request.url ?? '?'} is no webhook`);
    return request.method === 'POST' ? 400 : 405;
  }
  const secret = options.secret();
  const signature = secret === null ? 'not checked' : verifyWebhook(secret, request.headers, raw);
  const deliveryId = String(request.headers['x-service-delivery']);
  options.onWebhook({ at: new Date(), body, deliveryId, attempt: String(request.headers['x-service-attempt']), signature });
  return signature === 'wrong' || signature === 'missing' ? 401 : (options.status ?? 204);
}

/** The bytes as they came: signatures are over those. Null: too many. */
async function readBody(request: http.IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= maxBodyBytes) chunks.push(chunk);
  }
  return size <= maxBodyBytes ? Buffer.concat(chunks) : null;
}

function readEnvelope(raw: Buffer): WebhookEnvelope | null {
  try {
    return webhookEnvelope.parse(JSON.parse(raw.toString('utf8'))) as WebhookEnvelope;
  } catch {
    return null;
  }
}
