import pg from 'pg';
import type { NodeId } from '../../domain/ids.ts';
import type { Clock } from '../../ports/clock.ts';
import type { WakeUps } from '../../ports/wakeUps.ts';

const channel = 'readyline_deliveries';
/** A connection on which nothing comes may be dead without either end knowing, so it is asked something so often. */
const probeEveryMs = 10_000;
const patienceMs = 5_000;
const firstRetryMs = 250;
const longestRetryMs = 10_000;

export interface Notifications extends WakeUps {
  /** Hears and tells nothing more. May be called twice. */
  close(): Promise<void>;
}

type Needs = {
  url: string;
  /** What it tells itself it does not hear. */
  nodeId: NodeId;
  clock: Clock;
  /** Hears once of connections that break or cannot be made, until one has lasted. */
  onProblem: (message: string, error: unknown) => void;
};

/**
 * PostgreSQL's LISTEN and NOTIFY on a connection of its own, which is made anew when it breaks. Never inside another
 * transaction: PostgreSQL writes the commits of those that notify one after another.
 */
export function createNotifications({ url, nodeId, clock, onProblem }: Needs): Notifications {
  let wake = () => {};
  /** The connection, and whether it listens yet. */
  let line: { client: pg.Client; isUp: boolean } | null = null;
  let failures = 0;
  let isTold = false;
  let isClosed = false;
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
    // They stay: an error that nobody listens to would end the process.
    client.on('error', (error) => lose(client, error));
    client.on('end', () => lose(client, new Error('the connection was closed')));
    client.on('notification', ({ payload }) => {
      if (payload !== nodeId && !isClosed) wake();
    });
    try {
      await client.connect();
      await ask(client, `LISTEN ${channel}`);
    } catch (error) {
      lose(client, error);
    }
    if (line !== own) return;
    own.isUp = true;
    failures = 0;
    // Either side may have missed something while there was no connection.
    wake();
    await announce();
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

  /** Whether the server still knows that this connection listens, which one behind a pooler may not. */
  function probeLater(client: pg.Client): void {
    if (line?.client !== client) return;
    cancelNext = clock.after(probeEveryMs, () => void probe(client));
  }

  async function probe(client: pg.Client): Promise<void> {
    try {
      const rows = await ask(client, 'SELECT FROM pg_listening_channels() AS name WHERE name = $1', [channel]);
      if (rows === 0) throw new Error('the server does not know that this connection listens; is there a pooler?');
      isTold = false;
      probeLater(client);
    } catch (error) {
      lose(client, error);
    }
  }

  async function announce(): Promise<void> {
    if (line?.isUp !== true) return;
    const { client } = line;
    try {
      await ask(client, 'SELECT pg_notify($1, $2)', [channel, nodeId]);
    } catch (error) {
      lose(client, error);
    }
  }

  /** How many rows the server answers with. A connection without an answer in time is given up. */
  async function ask(client: pg.Client, text: string, values: string[] = []): Promise<number> {
    const giveUp = clock.after(patienceMs, () => lose(client, new Error('no answer in time')));
    try {
      return (await client.query(text, values)).rowCount ?? 0;
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
