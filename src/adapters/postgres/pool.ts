import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import type { Clock } from '../../ports/clock.ts';
import { PrismaClient } from './generated/client.ts';
import { prepareSession, schema } from './session.ts';

export type PoolOptions = {
  /** `postgresql://user:password@host:port/database`, or with `?host=/directory` for a unix socket. */
  url: string;
  /** The most connections held at once; further callers wait their turn. */
  max: number;
  /** What the server lists this process as in `pg_stat_activity`. */
  applicationName: string;
  /**
   * How long a statement may wait for a lock. Milliseconds;
   * missing: 4 s, shorter than a click's time, since a blocked record must not hold connections that other clicks need.
   */
  lockTimeoutMs?: number;
  /** Called when an idle connection breaks. The pool has dropped it already. */
  onIdleError?: (error: Error) => void;
};

/**
 * A pool whose connections answer or fail: 5 s to get one, 4 s for a lock, 10 s for a statement, 30 s idle inside a
 * transaction. Its sessions are those of `prepareSession`; `timestamptz` is read as Date, `int8` as number. Opens
 * nothing before the first query.
 */
export function createPool({ url, max, applicationName, lockTimeoutMs = 4_000, onIdleError }: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    application_name: applicationName,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    // The server's own time-out does not reach us over a dead network.
    query_timeout: 15_000,
    types: { getTypeParser },
    // A failure here fails the connection: the pool waits for the promise.
    onConnect: (client) =>
      prepareSession(client, { statementMs: 10_000, lockMs: lockTimeoutMs, idleInTransactionMs: 30_000 }),
  });
  // Without a listener Node would end the process with the first connection that the server closes.
  // When the pool ends, a stopping server may close a connection before the pool does.
  pool.on('error', (error) => {
    if (!pool.ending) onIdleError?.(error);
  });
  return pool;
}

const getTypeParser: typeof pg.types.getTypeParser = (type: number, format?: 'text' | 'binary') =>
  type === pg.types.builtins.INT8 && format !== 'binary' ? parseInt8 : pg.types.getTypeParser(type, format);

/** Counts and sums fit a number; one that does not must fail rather than be rounded. */
function parseInt8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`the int8 ${text} is no safe integer`);
  return value;
}

/** What the stores are made of: one pool for the hot statements and Prisma alike. Each takes what it needs. */
export type StoreParts = {
  pool: pg.Pool;
  prisma: PrismaClient;
  /** For what decides on calls when all of `pool` waits for something. Its statements give up on a lock soon. */
  reserve: pg.Pool;
  /** For times that the dispatcher compares with its own clock, and for changes by admins. */
  clock: Clock;
};

/**
 * Prisma over the shared pool. Its sessions must be those of `createPool`: the adapter reads every timestamp as UTC.
 * `$disconnect` leaves the pool open; whoever made the pool ends it.
 */
export function createPrisma(pool: pg.Pool): PrismaClient {
  return new PrismaClient({ adapter: new PrismaPg(pool, { schema }) });
}

/** Waiting for rows that others hold and for a connection, and the whole transaction, in milliseconds. */
export const transactionPatience = { maxWait: 5_000, timeout: 10_000 };
