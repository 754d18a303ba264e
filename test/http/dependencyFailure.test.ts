import { createConnection } from 'node:net';
import { Redis } from 'ioredis';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { isDependencyFailure } from '../../src/http/dependencyFailure.ts';

const failureOf = async (work: () => Promise<unknown>): Promise<unknown> => work().then(() => null, (error: unknown) => error);

describe('a dependency failure', () => {
  it.each(['127.0.0.1', 'localhost', '/tmp/no-such-directory'])('is what pg throws when nobody listens at %s', async (host) => {
    const pool = new pg.Pool({ host, port: 1, connectionTimeoutMillis: 2_000 });
    expect(isDependencyFailure(await failureOf(() => pool.query('select 1')))).toBe(true);
    await pool.end();
  });

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

  it.each(['57P01', '57P02', '57P03', '53300', '08006', '08P01', '25006', 'P1001', 'P2024'])('is code %s', (code) => {
    expect(isDependencyFailure(Object.assign(new Error('x'), { code }))).toBe(true);
  });

  it.each(['Connection terminated unexpectedly', 'timeout exceeded when trying to connect', 'LOADING Redis is loading', 'CLUSTERDOWN down'])(
    'is the message "%s"',
    (message) => {
      expect(isDependencyFailure(new Error(message))).toBe(true);
    },
  );

  it('is found behind causes and in bundles', () => {
    const refused = Object.assign(new Error('x'), { code: 'ECONNREFUSED' });
    expect(isDependencyFailure(new Error('query', { cause: { kind: 'DatabaseNotReachable' } }))).toBe(true);
    expect(isDependencyFailure(new Error('a', { cause: new Error('b', { cause: refused }) }))).toBe(true);
    expect(isDependencyFailure(new AggregateError([new Error('a'), refused]))).toBe(true);
  });

  it('is not a bug, a broken constraint, a text or a circle of causes', () => {
    const circle = new Error('a');
    circle.cause = circle;
    const others = [new TypeError('x is not a function'), Object.assign(new Error('duplicate key'), { code: '23505' }), circle];
    for (const error of [...others, 'ECONNREFUSED', null, undefined, Object.assign(new Error('open'), { code: 'ENOENT' })]) {
      expect(isDependencyFailure(error)).toBe(false);
    }
  });
});

it('has a port where nobody listens', async () => {
  const socket = createConnection(1, '127.0.0.1');
  const outcome = await new Promise((resolve) => socket.once('connect', () => resolve('connect')).once('error', () => resolve('error')));
  expect(outcome).toBe('error');
});
