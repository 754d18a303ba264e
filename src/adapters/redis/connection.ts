import { Cluster, Redis } from 'ioredis';

export type RedisConnectionOptions = {
  /** Hears of every connection error: when it is lost, and each time that reconnecting fails. */
  onError: (error: Error) => void;
  /** How long a command may take before it fails. Milliseconds. */
  commandTimeoutMs?: number;
  /** How long to wait for Redis at the start. Milliseconds. */
  startTimeoutMs?: number;
};

/**
 * Connects to Redis and waits until it is ready:
 * - `redis://[user:password@]host[:port][/db]`, `rediss://…` (TLS)
 * - `redis-sentinel://[user:password@]host:port,host:port/name-of-the-primary`
 * - `redis-cluster://[user:password@]host:port,host:port`, `rediss-cluster://…`
 *
 * Afterwards it reconnects by itself for ever. While Redis is away every command fails at once, and one under way
 * at the latest after the time-out: nothing is queued and nothing is sent twice, so that no claim happens that
 * nobody waits for any more. Rejects when the URL is not understood or Redis does not get ready in time.
 */
export async function connectRedis(url: string, options: RedisConnectionOptions): Promise<Redis | Cluster> {
  const { onError, commandTimeoutMs = 2_000, startTimeoutMs = 10_000 } = options;
  let lastError = new Error('no answer');
  const address = parseRedisUrl(url);
  const redis = open(address, commandTimeoutMs);
  const heard = (error: Error) => {
    lastError = error;
    onError(error);
  };
  redis.on('error', heard);
  // What a cluster says of one of its nodes.
  redis.on('node error', heard);
  if (await becomesReady(redis, startTimeoutMs)) return redis;
  redis.disconnect();
  const hosts = address.hosts.map(({ host, port }) => `${host}:${port}`).join(', ');
  throw new Error(`Redis cannot be reached at ${hosts}: ${lastError.message}`, { cause: lastError });
}

type Host = { host: string; port: number };
/** What a Redis URL says. */
export type RedisAddress = {
  kind: 'standalone' | 'sentinel' | 'cluster';
  tls: boolean;
  hosts: [Host, ...Host[]];
  username?: string;
  password?: string;
  /** The primary's name; sentinel only. */
  name?: string;
  /** The number of the database; standalone only. */
  db?: number;
};

const urlForm =
  /^(?<scheme>rediss?)(?:-(?<kind>sentinel|cluster))?:\/\/(?:(?<user>[^:@/]*)(?::(?<password>[^@/]*))?@)?(?<hosts>[^@/?]+)(?:\/(?<path>[^/?]*))?$/;

/** Reads a Redis URL of one of the forms of `connectRedis`. Throws without repeating the URL: it holds a password. */
export function parseRedisUrl(url: string): RedisAddress {
  const parts = urlForm.exec(url)?.groups;
  if (!parts) throw new Error('not a Redis URL');
  const { scheme, kind = 'standalone', user, password, path } = parts;
  const [first, ...others] = (parts['hosts'] ?? '').split(',').map((host) => parseHost(host, kind));
  if (!first || (kind === 'standalone' && others.length > 0)) throw new Error('a redis:// URL names one host');
  const address: RedisAddress = {
    kind: kind === 'sentinel' || kind === 'cluster' ? kind : 'standalone',
    tls: scheme === 'rediss',
    hosts: [first, ...others],
    ...(user && { username: decodeURIComponent(user) }),
    ...(password && { password: decodeURIComponent(password) }),
  };
  if (kind === 'sentinel') {
    if (!path) throw new Error('a redis-sentinel:// URL ends with the name of the primary');
    return { ...address, name: decodeURIComponent(path) };
  }
  if (!path) return address;
  if (kind === 'cluster' || !/^\d+$/.test(path)) throw new Error('only a redis:// URL may end with a database number');
  return { ...address, db: Number(path) };
}

function parseHost(text: string, kind: string): Host {
  const [, bracketed, plain, port] = /^(?:\[([0-9a-f:.]+)\]|([^:[\]]+))(?::(\d+))?$/i.exec(text) ?? [];
  const host = bracketed ?? plain;
  if (!host) throw new Error('a Redis URL names hosts as host:port');
  return { host, port: port ? Number(port) : kind === 'sentinel' ? 26_379 : 6_379 };
}

function open({ kind, tls, hosts, name, ...login }: RedisAddress, commandTimeout: number): Redis | Cluster {
  const backoff = (attempt: number) => Math.min(50 * 2 ** Math.min(attempt, 6), 2_000) * (0.75 + Math.random() / 2);
  const options = {
    ...login,
    ...(tls && { tls: {} }),
    connectTimeout: commandTimeout,
    commandTimeout,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    // After a failover the old primary may still answer, as a replica.
    reconnectOnError: (error: Error) => error.message.startsWith('READONLY'),
  };
  if (kind === 'cluster') {
    return new Cluster(hosts, { enableOfflineQueue: false, clusterRetryStrategy: backoff, redisOptions: options });
  }
  if (kind === 'sentinel') {
    return new Redis({ ...options, retryStrategy: backoff, sentinels: hosts, name: name ?? '' });
  }
  return new Redis({ ...options, ...hosts[0], retryStrategy: backoff });
}

function becomesReady(redis: Redis | Cluster, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (ready: boolean) => () => {
      clearTimeout(timer);
      redis.off('ready', onReady);
      redis.off('end', onEnd);
      resolve(ready);
    };
    const onReady = settle(true);
    const onEnd = settle(false);
    const timer = setTimeout(onEnd, timeoutMs);
    redis.once('ready', onReady);
    redis.once('end', onEnd);
  });
}
