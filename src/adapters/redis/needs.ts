import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Cluster, Redis } from 'ioredis';
import { parseRedisUrl, type RedisAddress } from './address.ts';
import { isForbidden, isUnknown } from './serverRefusal.ts';
import type { Subscriber } from './subscriber.ts';

/** Redis refuses something that the gateway needs. The message says what, and what to do. */
export class RedisUnfitError extends Error {
  override name = 'RedisUnfitError';
}

type Parts = { redis: Redis | Cluster; subscriber: Subscriber; signal: AbortSignal };
type Refusal = { command: string; said: string };

/** A server that starts, is failed over, or is lost is tried again for so long. Milliseconds. */
const patienceMs = 10_000;
const againMs = 200;

/** What the user needs, as `ACL SETUSER` takes it. All keys and channels of the gateway begin so. */
const rules =
  '~readyline:* &readyline:* +@read +@write +@pubsub +@scripting +@transaction +@connection -@dangerous +info +time';
const clusterRules = `${rules} +cluster|slots +cluster|info`;

/**
 * Every command that the gateway and its scripts use, tried on keys of its own. The argument is what those begin with;
 * they are gone afterwards. A user of Redis 7 may publish and subscribe nowhere unless it is said, and before 7.0 there
 * were no sharded channels.
 */
export function trials(key: string): [command: string, ...args: (string | number)[]][] {
  const [text, hash, list, set, sorted] = [`${key}:text`, `${key}:hash`, `${key}:list`, `${key}:set`, `${key}:sorted`];
  return [
    ['PING'],
    ['TIME'],
    ['SET', text, 1, 'PX', 60_000],
    ['GET', text],
    ['EXISTS', text],
    ['INCRBY', text, 1],
    ['EXPIRE', text, 60],
    ['PEXPIRE', text, 60_000],
    ['PTTL', text],
    ['HSET', hash, 'field', 1],
    ['HGET', hash, 'field'],
    ['HMGET', hash, 'field'],
    ['HGETALL', hash],
    ['HDEL', hash, 'field'],
    ['LPUSH', list, 1],
    ['LINDEX', list, 0],
    ['LTRIM', list, 0, 0],
    ['SADD', set, 1],
    ['SCARD', set],
    ['SMEMBERS', set],
    ['SSCAN', set, 0],
    ['SREM', set, 1],
    ['ZADD', sorted, 1, 1],
    ['ZMSCORE', sorted, 1],
    ['ZSCORE', sorted, 1],
    ['ZRANGE', sorted, 0, 1, 'BYSCORE'],
    ['ZRANGEBYSCORE', sorted, 0, 1],
    ['ZINTERCARD', 2, sorted, set],
    ['ZINTERSTORE', set, 1, sorted],
    ['ZREM', sorted, 1],
    ['EVAL', "return redis.call('GET', KEYS[1])", 1, text],
    ['EVALSHA', '0'.repeat(40), 1, text],
    ['DEL', text, hash, list, set, sorted],
    ['SPUBLISH', channels(key)[0], ''],
    ['PUBSUB', 'SHARDNUMSUB', channels(key)[0]],
  ];
}

/** As those of gateways and of broadcasts begin. */
const channels = (key: string): [string, string] => [`readyline:node:${key}`, `readyline:broadcast#${key}`];

/**
 * Tries everything that the gateway will ask of Redis,
 * so that a start fails with a reason rather than a click with none.
 * @param url that the connections were made with
 * @throws RedisUnfitError; the signal's reason
 */
export async function checkRedis(url: string, parts: Parts): Promise<void> {
  const address = parseRedisUrl(url);
  const giveUpAt = performance.now() + patienceMs;
  for (;;) {
    const refusals = await tryAll(address, parts);
    parts.signal.throwIfAborted();
    if (refusals.length === 0) return;
    const isLasting = !refusals.every(({ said }) => passes(said, address)) || performance.now() > giveUpAt;
    if (isLasting) throw new RedisUnfitError(await tell(refusals, address, parts.redis));
    await delay(againMs, undefined, { signal: parts.signal });
  }
}

async function tryAll({ kind, db }: RedisAddress, { redis, subscriber }: Parts): Promise<Refusal[]> {
  const key = `readyline:{trial}:${randomUUID()}`;
  const answers: [string, Promise<unknown>][] = [
    ['INFO', redis.info('server')],
    ...(kind === 'cluster' || db === undefined
      ? []
      : [['SELECT', redis.call('SELECT', db)] as [string, Promise<unknown>]]),
    ...trials(key).map(([command, ...args]): [string, Promise<unknown>] => [command, redis.call(command, ...args)]),
    ['MULTI', redis.multi().get(`${key}:text`).exec()],
    ...channels(key).map((channel): [string, Promise<unknown>] => ['SSUBSCRIBE', subscriber.tryOut(channel)]),
  ];
  const said = await Promise.all(
    answers.map(([command, answer]) =>
      answer.then(
        () => null,
        (error: unknown) => ({ command, said: told(error) }),
      ),
    ),
  );
  return said.filter((one) => one !== null).filter(({ said: text }) => !text.startsWith('NOSCRIPT'));
}

/** Of a transaction the reason why it was aborted. */
function told(error: unknown): string {
  const [first] =
    error instanceof Error && 'previousErrors' in error && Array.isArray(error.previousErrors)
      ? error.previousErrors
      : [];
  const why: unknown = first instanceof Error ? first : error;
  return why instanceof Error ? why.message : String(why);
}

function passes(said: string, { kind }: RedisAddress): boolean {
  if (said.startsWith('MOVED')) return kind === 'cluster';
  return (
    /^(?:LOADING|BUSY|CLUSTERDOWN|MASTERDOWN|TRYAGAIN|READONLY|no server)/.test(said) ||
    /^(?:Connection is closed|Stream isn't|Command timed out)/.test(said)
  );
}

async function tell(refusals: Refusal[], address: RedisAddress, redis: Redis | Cluster): Promise<string> {
  const { kind, hosts, username = 'default' } = address;
  const server = `Redis${await versionOf(redis)} at ${hosts.map(({ host, port }) => `${host}:${port}`).join(', ')}`;
  const namesOf = (some: Refusal[]) => [...new Set(some.map(({ command }) => command))].join(', ');
  const unknown = refusals.filter(({ said }) => isUnknown(said));
  if (unknown.length > 0) {
    return (
      `${server} does not know ${namesOf(unknown)}: REDIS_URL must lead to Redis 7.0 or later, or to Valkey, ` +
      'with all of its commands'
    );
  }
  const forbidden = refusals.filter(({ said }) => isForbidden(said));
  if (forbidden.length > 0) {
    const line = `ACL SETUSER ${username} ${kind === 'cluster' ? clusterRules : rules}`;
    const what = `${namesOf(forbidden)} on keys and channels that begin with readyline: (${forbidden[0]?.said ?? ''})`;
    return `${server} does not let the user ${username} run ${what}. It needs: ${line}`;
  }
  const [{ command, said } = { command: '', said: '' }] = refusals;
  const advice = said.startsWith('MOVED') ? '; it is one of a Redis Cluster: write the URL as redis-cluster://' : '';
  return `${server} does not carry out ${command}: ${said}${advice}`;
}

/** With a blank before it; empty where the server does not tell. */
async function versionOf(redis: Redis | Cluster): Promise<string> {
  const info = await redis.info('server').catch(() => '');
  const version = /^(?:valkey|redis)_version:([\w.-]{1,30})/m.exec(info)?.[1];
  return version === undefined ? '' : ` ${version}`;
}
