// The bare sender of webhooks: POSTs what it was given over kept connections and reads the answer. Nothing is signed or
// logged. It keeps nothing, so that what it holds is lost with it; or what it sends stands in a table until it is sent.
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { Agent } from 'undici';
import { instant } from '../measure/instant.ts';
import { serveVerbs } from '../worker.ts';

export type BareMessage = { id: string; origin: string; path: string; body: string };
export type BareWebhooks = {
  /** What to send from now on, in that order. */
  take(messages: BareMessage[]): void;
  /** Sends all of them, so many at a time. */
  sendAll(options: { atATime: number }): Promise<void>;
  /** The same, a part after the other: each is written before it is sent, and marked behind it. */
  sendKept(options: { atATime: number; databaseUrl: string }): Promise<void>;
  /** Sends all of them at a steady rate. @returns by id, the `instant` at which each was given to undici */
  sendSteadily(options: { perSecond: number }): Promise<Map<string, number>>;
};

/** As many connections to one origin, and as long kept, as the gateway's. */
const agent = new Agent({ connections: 64, pipelining: 1, keepAliveTimeout: 4_000 });
/** Messages that are written together. */
const partSize = 500;
const keep = {
  name: 'keep',
  text: `INSERT INTO bare_delivery (id, origin, path, body)
    SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[])`,
};
const mark = { name: 'mark', text: 'UPDATE bare_delivery SET sent_at = now() WHERE id = ANY ($1::uuid[])' };
let messages: BareMessage[] = [];
let pool: pg.Pool | null = null;

serveVerbs({
  take(given: BareMessage[]) {
    messages = given;
  },

  async sendAll({ atATime }: { atATime: number }) {
    await sendEach(messages, atATime);
  },

  async sendKept({ atATime, databaseUrl }: { atATime: number; databaseUrl: string }) {
    pool ??= new pg.Pool({ connectionString: databaseUrl, max: 1 });
    for (let first = 0; first < messages.length; first += partSize) {
      const part = messages.slice(first, first + partSize);
      const column = (name: keyof BareMessage) => part.map((message) => message[name]);
      await pool.query({ ...keep, values: [column('id'), column('origin'), column('path'), column('body')] });
      await sendEach(part, atATime);
      await pool.query({ ...mark, values: [column('id')] });
    }
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

async function sendEach(some: readonly BareMessage[], atATime: number): Promise<void> {
  const rest = some.values();
  await Promise.all(
    Array.from({ length: atATime }, async () => {
      for (const message of rest) await send(message);
    }),
  );
}

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
