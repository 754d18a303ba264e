import pg from 'pg';
import type { NodeId } from '../../../domain/ids.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { DeliveryNotifier } from '../../../ports/outbox.ts';
import { prepareSession } from '../session.ts';

const channel = 'readyline_deliveries';
/** A silent connection may be dead without either end knowing, so it is probed this often. Milliseconds. */
const probeEveryMs = 10_000;
const patienceMs = 5_000;
const firstRetryMs = 250;
const longestRetryMs = 10_000;

export interface Notifications extends DeliveryNotifier {
  /** Listens and announces no more. May be called twice. */
  close(): Promise<void>;
}

type Needs = {
  url: string;
  /** The sender's id in its notifications: its own are ignored. */
  nodeId: NodeId;
  clock: Clock;
  /** Called once when the connection breaks or cannot be made, until one has lasted. */
  onProblem: (message: string, error: unknown) => void;
};

/**
 * Uses PostgreSQL's LISTEN and NOTIFY on a connection of its own, reopened when it breaks.
 * Never inside another transaction: PostgreSQL serializes the commits of transactions that notify.
 */
export function createDeliveryNotifier({ url, nodeId, clock, onProblem }: Needs): Notifications {
  let wake = () => {};
  /** The connection, and whether it listens yet. */
  let line: { client: pg.Client; isUp: boolean } | null = null;
  let failures = 0;
  let isTold = false;
  let isClosed = false;
  /** How many of its own notifications it has received. */
  let echoes = 0;
  let cancelNext = () => {};

  async function connect(): Promise<void> {
    const client = new pg.Client({
      connectionString: url,
      application_name: 'readyline notifications',
      keepAlive: true,
      connectionTimeoutMillis: patienceMs,
    });
    const own = { client, isUp: false };
    line = own;
    // Never removed: an error without a listener would end the process.
    client.on('error', (error) => lose(client, error));
    client.on('end', () => lose(client, new Error('the connection was closed')));
    client.on('notification', ({ payload }) => {
      if (payload === nodeId) echoes += 1;
      else if (!isClosed) wake();
    });
    try {
      await client.connect();
      await inTime(
        client,
        prepareSession(client, { statementMs: patienceMs, lockMs: patienceMs, idleInTransactionMs: patienceMs }),
      );
      await ask(client, `LISTEN ${channel}`);
      // Notify the others, and look itself below: either may have missed something while disconnected.
      await tell(client);
    } catch (error) {
      lose(client, error);
    }
    if (line !== own) return;
    own.isUp = true;
    failures = 0;
    wake();
    probeLater(client);
  }

  function lose(client: pg.Client, error: unknown): void {
    if (line?.client !== client) return;
    line = null;
    cancelNext();
    void client.end().catch(() => undefined);
    if (isClosed) return;
    if (!isTold) onProblem('other gateways are not heard; webhooks go by polling until they are', error);
    isTold = true;
    cancelNext = clock.after(Math.min(firstRetryMs * 2 ** failures, longestRetryMs), () => void connect());
    failures += 1;
  }

  function probeLater(client: pg.Client): void {
    if (line?.client !== client) return;
    cancelNext = clock.after(probeEveryMs, () => void probe(client));
  }

  async function probe(client: pg.Client): Promise<void> {
    try {
      await tell(client);
      isTold = false;
      probeLater(client);
    } catch (error) {
      lose(client, error);
    }
  }

  async function announce(): Promise<void> {
    if (line?.isUp !== true) return;
    const { client } = line;
    await tell(client).catch((error: unknown) => lose(client, error));
  }

  /** The server delivers a notification to all listeners, this connection too, before it takes the next command. */
  async function tell(client: pg.Client): Promise<void> {
    const heard = echoes;
    await ask(client, 'SELECT pg_notify($1, $2)', [channel, nodeId]);
    if (echoes === heard) throw new Error('it does not hear itself; is there a pooler in transaction mode?');
  }

  async function ask(client: pg.Client, text: string, values: string[] = []): Promise<void> {
    await inTime(client, client.query(text, values));
  }

  /** A connection without an answer in time is given up. */
  async function inTime(client: pg.Client, answer: Promise<unknown>): Promise<void> {
    const giveUp = clock.after(patienceMs, () => lose(client, new Error('no answer in time')));
    try {
      await answer;
    } finally {
      giveUp();
    }
  }

  return {
    announce,
    async listen(listener) {
      wake = listener;
      if (line === null && !isClosed) await connect();
    },
    async close() {
      isClosed = true;
      cancelNext();
      const last = line?.client;
      line = null;
      await last?.end();
    },
  };
}
