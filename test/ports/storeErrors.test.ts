import { createConnection } from 'node:net';
import { Redis } from 'ioredis';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { createPool, createPrisma } from '../../src/adapters/postgres/pool.ts';
import { isDependencyFailure } from '../../src/ports/storeErrors.ts';
import { createDatabase } from '../support/stores/postgres.ts';
import { eventually } from '../support/time/waiting.ts';

const failureOf = async (work: () => Promise<unknown>): Promise<unknown> =>
  work().then(
    () => null,
    (error: unknown) => error,
  );

describe('a dependency failure', () => {
  it.each(['127.0.0.1', 'localhost', '/tmp/no-such-directory'])(
    'is what pg throws when nobody listens at %s',
    async (host) => {
      const pool = new pg.Pool({ host, port: 1, connectionTimeoutMillis: 2_000 });
      expect(isDependencyFailure(await failureOf(() => pool.query('select 1')))).toBe(true);
      await pool.end();
    },
  );

  it.each([
    ['has tried often enough', 1],
    ['has given up', null],
  ])('is what ioredis throws when it %s', async (_name, retryAfter) => {
    const redis = new Redis({
      host: '127.0.0.1',
      port: 1,
      lazyConnect: true,
      maxRetriesPerRequest: 1,
      retryStrategy: () => retryAfter,
    });
    redis.on('error', () => undefined);
    expect(isDependencyFailure(await failureOf(() => redis.get('a')))).toBe(true);
    redis.disconnect();
  });

  it('is a statement that PostgreSQL canceled for its time, through Prisma too', async () => {
    const database = await createDatabase();
    const pool = new pg.Pool({ connectionString: database.url, statement_timeout: 100 });
    const prisma = createPrisma(pool);
    const holder = new pg.Client({ connectionString: database.url });
    await holder.connect();
    await holder.query('BEGIN; LOCK TABLE company IN ACCESS EXCLUSIVE MODE');
    const failures = await Promise.all([
      failureOf(() => pool.query('SELECT 1 FROM company')),
      failureOf(() => prisma.company.findMany()),
      failureOf(() => prisma.$transaction((tx) => tx.company.findMany())),
    ]);
    await holder.end();
    await prisma.$disconnect();
    await pool.end();
    await database.drop();
    expect(failures.map((failure) => isDependencyFailure(failure))).toEqual([true, true, true]);
  });

  it.each(['57P01', '57P02', '57P03', '53300', '08006', '08P01', '25006', 'P1001', 'P2024'])('is code %s', (code) => {
    expect(isDependencyFailure(Object.assign(new Error('x'), { code }))).toBe(true);
  });

  it.each([
    'Connection terminated unexpectedly',
    'timeout exceeded when trying to connect',
    'LOADING Redis is loading',
    'CLUSTERDOWN down',
  ])('is the message "%s"', (message) => {
    expect(isDependencyFailure(new Error(message))).toBe(true);
  });

  it.each(['57P01', '57014', '55P03', '08006'])('is what Prisma makes of %s', (sqlState) => {
    const adapterError = (wrapped: string) =>
      Object.assign(new Error('Database error'), {
        code: wrapped,
        meta: {
          driverAdapterError: new Error('x', { cause: { originalCode: sqlState, kind: 'postgres', code: sqlState } }),
        },
      });
    expect(['P2039', 'P2010'].map((wrapped) => isDependencyFailure(adapterError(wrapped)))).toEqual([true, true]);
  });

  it('is what Prisma really throws when the server ends its connection', async () => {
    const database = await createDatabase();
    const pool = createPool({ url: database.url, max: 1, applicationName: 'is ended' });
    const prisma = createPrisma(pool);
    const asked = failureOf(() =>
      prisma.$transaction([prisma.company.findMany(), prisma.$queryRaw`SELECT pg_sleep(60)`]),
    );
    const other = new pg.Client({ connectionString: database.url });
    await other.connect();
    const ending = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%pg_sleep%'
        AND pid <> pg_backend_pid()`;
    await eventually(async () => (await other.query(ending)).rowCount === 1);
    expect(isDependencyFailure(await asked)).toBe(true);
    await other.end();
    await prisma.$disconnect();
    await pool.end();
    await database.drop();
  });

  it('is not a broken constraint behind Prisma', () => {
    const cause = { originalCode: '23514', kind: 'postgres', code: '23514' };
    const error = Object.assign(new Error('x'), {
      code: 'P2039',
      meta: { driverAdapterError: new Error('x', { cause }) },
    });
    expect(isDependencyFailure(error)).toBe(false);
  });

  it('is found behind causes and in bundles', () => {
    const refused = Object.assign(new Error('x'), { code: 'ECONNREFUSED' });
    expect(isDependencyFailure(new Error('query', { cause: { kind: 'DatabaseNotReachable' } }))).toBe(true);
    expect(isDependencyFailure(new Error('a', { cause: new Error('b', { cause: refused }) }))).toBe(true);
    expect(isDependencyFailure(new AggregateError([new Error('a'), refused]))).toBe(true);
  });

  it('is not a bug, a broken constraint, a text or a circle of causes', () => {
    const circle = new Error('a');
    circle.cause = circle;
    const others = [
      new TypeError('x is not a function'),
      Object.assign(new Error('duplicate key'), { code: '23505' }),
      circle,
    ];
    for (const error of [
      ...others,
      'ECONNREFUSED',
      null,
      undefined,
      Object.assign(new Error('open'), { code: 'ENOENT' }),
    ]) {
      expect(isDependencyFailure(error)).toBe(false);
    }
  });
});

it('has a port where nobody listens', async () => {
  const socket = createConnection(1, '127.0.0.1');
  const outcome = await new Promise((resolve) =>
    socket.once('connect', () => resolve('connect')).once('error', () => resolve('error')),
  );
  expect(outcome).toBe('error');
});
