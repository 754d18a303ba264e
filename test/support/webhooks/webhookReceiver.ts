import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { comes } from '../time/pace.ts';

export type ReceivedWebhook = {
  headers: http.IncomingHttpHeaders;
  /** The bytes as they came, for checking signatures. */
  raw: string;
  body: { event: string; company_id: string; occurred_at: string; data: Record<string, unknown> } & Record<
    string,
    unknown
  >;
};

/** A status alone, or with headers. */
export type Answer = number | { status: number; headers: Record<string, string> };

export interface WebhookReceiver {
  url: string;
  received: ReceivedWebhook[];
  /** Resolves with the first `count` webhooks that fit, once they are here. */
  waitFor(fits: (webhook: ReceivedWebhook) => boolean, count?: number): Promise<ReceivedWebhook[]>;
  /** What to answer from now on; 204 at first. A promise holds the answer back. */
  answerWith(answer: (webhook: ReceivedWebhook) => Answer | Promise<Answer>): void;
  close(): Promise<void>;
}

/** A customer's webhook endpoint on a free port. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const received: ReceivedWebhook[] = [];
  const watchers = new Set<() => void>();
  let answer: (webhook: ReceivedWebhook) => Answer | Promise<Answer> = () => 204;

  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const raw = Buffer.concat(chunks).toString();
      const webhook = { headers: request.headers, raw, body: JSON.parse(raw) as ReceivedWebhook['body'] };
      received.push(webhook);
      for (const watch of watchers) watch();
      void Promise.resolve(answer(webhook)).then((given) => {
        const { status, headers } = typeof given === 'number' ? { status: given, headers: {} } : given;
        response.writeHead(status, headers).end();
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    waitFor(fits, count = 1) {
      const look = () => {
        const fitting = received.filter(fits);
        return fitting.length < count ? undefined : fitting.slice(0, count);
      };
      const listen = (tell: () => void) => {
        watchers.add(tell);
        return () => void watchers.delete(tell);
      };
      const all = () => received.map((webhook) => webhook.body.event).join(', ') || 'none';
      return comes(look, listen, () => `${count} fitting webhook(s) did not arrive; arrived: ${all()}`);
    },
    answerWith: (next) => void (answer = next),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
