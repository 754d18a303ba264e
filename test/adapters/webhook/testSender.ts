import net from 'node:net';
import type { HostResolver } from '../../../src/adapters/webhook/hostResolver.ts';
import { createWebhookSender, type WebhookSenderOptions } from '../../../src/adapters/webhook/sender.ts';
import type { WebhookSender } from '../../../src/ports/webhookSender.ts';
import { closeLater } from '../../support/webhooks/listeners.ts';

/** Reaches this machine unless told otherwise; closed with its test. */
export function sender(options: Partial<WebhookSenderOptions> = {}): WebhookSender {
  const made = createWebhookSender({ policy: 'loopback', ...options });
  closeLater(() => made.close());
  return made.send;
}

/** Whatever the name. */
export const toThisMachine: HostResolver = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]);

/** Sends an empty object to a port of this machine. */
export function post(send: WebhookSender, port: number, path = '/hook') {
  return send({ url: `http://127.0.0.1:${String(port)}${path}`, headers: {}, body: '{}' });
}

/** A port on which nothing listens any more. */
export async function freePort(): Promise<{ port: number }> {
  const server = net.createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { port: address.port };
}
