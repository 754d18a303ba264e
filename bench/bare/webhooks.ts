// The bare sender of webhooks: POSTs what it was given over kept connections and reads the answer. Nothing is signed,
// logged or kept; what it holds is lost with it.
import { setTimeout as delay } from 'node:timers/promises';
import { Agent } from 'undici';
import { instant } from '../measure/instant.ts';
import { serveVerbs } from '../worker.ts';

export type BareMessage = { id: string; origin: string; path: string; body: string };
export type BareWebhooks = {
  /** What to send from now on, in that order. */
  take(messages: BareMessage[]): void;
  /** Sends all of them, so many at a time. */
  sendAll(options: { atATime: number }): Promise<void>;
  /** Sends all of them at a steady rate. @returns by id, the `instant` at which each was given to undici */
  sendSteadily(options: { perSecond: number }): Promise<Map<string, number>>;
};

/** As many connections to one origin, and as long kept, as the gateway's. */
const agent = new Agent({ connections: 64, pipelining: 1, keepAliveTimeout: 4_000 });
let messages: BareMessage[] = [];

serveVerbs({
  take(given: BareMessage[]) {
    messages = given;
  },

  async sendAll({ atATime }: { atATime: number }) {
    const rest = messages.values();
    await Promise.all(
      Array.from({ length: atATime }, async () => {
        for (const message of rest) await send(message);
      }),
    );
  },

  async sendSteadily({ perSecond }: { perSecond: number }) {
    const sentAt = new Map<string, number>();
    const underWay: Promise<void>[] = [];
    const begun = performance.now();
    for (const [index, message] of messages.entries()) {
      await delay(Math.max(0, begun + (index * 1000) / perSecond - performance.now()));
      sentAt.set(message.id, instant());
      underWay.push(send(message));
    }
    await Promise.all(underWay);
    return sentAt;
  },
} satisfies BareWebhooks);

async function send({ id, origin, path, body }: BareMessage): Promise<void> {
  const response = await agent.request({
    origin,
    path,
    method: 'POST',
    headers: { 'content-type': 'application/json', 'X-Service-Delivery': id },
    body,
  });
  await response.body.text();
  if (response.statusCode !== 204) throw new Error(`the receiver answered ${response.statusCode}`);
}
