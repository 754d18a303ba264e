import { Cluster, Redis } from 'ioredis';
import type { Socket } from 'node:net';
import { parseRedisUrl, type RedisAddress } from './address.ts';
import { WatchedCluster } from './watchedCluster.ts';

export type RedisConnectionOptions = {
  /** Called with every connection error: when the connection is lost, and each time reconnecting fails. */
  onError: (error: Error) => void;
  /** How long a command may take before it fails; a server silent for twice as long is left. Milliseconds. */
  commandTimeoutMs?: number;
  /** How long to wait for Redis at the start. Milliseconds. */
  startTimeoutMs?: number;
  /** Ends that wait, and the connection. Not to be given once the start is over. */
  signal?: AbortSignal;
};

/**
 * Connects to Redis and waits until it is ready:
 * - `redis://[user:password@]host[:port][/db]`, `rediss://…` (TLS)
 * - `redis-sentinel://[user:password@]host:port,host:port/name-of-the-primary[?sentinelUsername=…&sentinelPassword=…]`;
 *   the login before the `@` is the primary's, that of the sentinels stands at the end;
 *   `rediss-sentinel://…`: TLS to both
 * - `redis-cluster://[user:password@]host:port,host:port`, `rediss-cluster://…`
 *
 * Afterwards it reconnects by itself for ever. While Redis is away every command fails at once, and one under way at
 * the latest after the time-out: nothing is queued and nothing is sent twice, so that no claim happens that nobody
 * waits for any more. Rejects when the URL is not understood or Redis does not get ready in time, and with the signal's
 * reason when that ends the wait.
 */
export async function connectRedis(url: string, options: RedisConnectionOptions): Promise<Redis | Cluster> {
  const { onError, commandTimeoutMs = 2_000, startTimeoutMs = 10_000, signal } = options;
  signal?.throwIfAborted();
  let lastError = new Error('no answer');
  const address = parseRedisUrl(url);
  const redis = open(address, commandTimeoutMs);
  const heard = (error: Error) => {
    lastError = error;
    onError(error);
  };
  batchWrites(redis);
  redis.on('error', heard);
  // Errors of one node of a cluster, and of sentinels that do not know the primary.
  redis.on('node error', heard);
  redis.on('sentinelError', heard);
  // Whatever the start waits for on it fails then.
  signal?.addEventListener('abort', () => redis.disconnect(), { once: true });
  if (await becomesReady(redis, startTimeoutMs, signal)) {
    if (redis instanceof WatchedCluster) await redis.reachPrimaries();
    return redis;
  }
  redis.disconnect();
  signal?.throwIfAborted();
  const hosts = address.hosts.map(({ host, port }) => `${host}:${port}`).join(', ');
  const what = isRefusedLogIn(lastError) ? 'does not take the log-in of the URL' : 'cannot be reached';
  throw new Error(`Redis ${what} at ${hosts}: ${lastError.message}`, { cause: lastError });
}

function isRefusedLogIn({ message }: Error): boolean {
  return /^(WRONGPASS|NOAUTH|ERR invalid password)/.test(message);
}

/**
 * Calls the listener before any command can reach a server that is not known to hold the same data as the one before:
 * synchronously when the connection is lost and when it is ready again, and in a cluster whenever a server appears,
 * goes, or becomes the primary of slots. It may be called when nothing has changed, and several times for one change.
 * @param redis of `connectRedis`
 */
export function onReconnect(redis: Redis | Cluster, listener: () => void): void {
  if (redis instanceof WatchedCluster) {
    redis.on('suspect', listener);
    return;
  }
  redis.on('close', listener);
  redis.on('ready', listener);
}

function open(
  { kind, tls, hosts, name, sentinelLogin, ...login }: RedisAddress,
  commandTimeout: number,
): Redis | Cluster {
  const backoff = (attempt: number) =>
    Math.round(Math.min(50 * 2 ** Math.min(attempt, 5), 1_000) * (0.75 + Math.random() / 2));
  const options = {
    ...login,
    ...(tls && { tls: {} }),
    connectTimeout: commandTimeout,
    commandTimeout,
    // A server that hangs, or a connection that is dead without having been closed.
    socketTimeout: 2 * commandTimeout,
    enableOfflineQueue: false,
    autoResubscribe: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    // After a failover the old primary may still answer, as a replica.
    reconnectOnError: (error: Error) => error.message.startsWith('READONLY'),
  };
  if (kind === 'cluster') {
    return new WatchedCluster(hosts, {
      enableOfflineQueue: false,
      clusterRetryStrategy: backoff,
      slotsRefreshInterval: 1_000,
      // By default commands under way are sent again when a connection closes, though they may have been carried out.
      retryDelayOnFailover: 0,
      retryDelayOnClusterDown: 0,
      // TLS certificates are issued to host names, so connect by name.
      ...(tls && { dnsLookup: (host, found) => found(null, host) }),
      redisOptions: options,
    });
  }
  if (kind === 'sentinel') {
    return new Redis({
      ...options,
      retryStrategy: backoff,
      sentinels: hosts,
      name: name ?? '',
      sentinelRetryStrategy: backoff,
      sentinelCommandTimeout: commandTimeout,
      ...(sentinelLogin?.username && { sentinelUsername: sentinelLogin.username }),
      ...(sentinelLogin?.password && { sentinelPassword: sentinelLogin.password }),
      ...(tls && { sentinelTLS: {}, enableTLSForSentinelMode: true }),
    });
  }
  return new Redis({ ...options, ...hosts[0], retryStrategy: backoff });
}

function becomesReady(redis: Redis | Cluster, timeoutMs: number, signal?: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (ready: boolean) => () => {
      clearTimeout(timer);
      redis.off('ready', onReady);
      redis.off('end', onEnd);
      signal?.removeEventListener('abort', onEnd);
      resolve(ready);
    };
    const onReady = settle(true);
    const onEnd = settle(false);
    const timer = setTimeout(onEnd, timeoutMs);
    redis.once('ready', onReady);
    redis.once('end', onEnd);
    signal?.addEventListener('abort', onEnd);
  });
}

/**
 * Sends the commands of one turn of the event loop in one system call, which is most of a command's cost.
 * Their order stays, and none waits longer than until the end of the turn. Takes less of the processor than the
 * library's `enableAutoPipelining` (docs/performance.md).
 */
function batchWrites(redis: Redis | Cluster): void {
  if (redis instanceof Cluster) {
    for (const server of redis.nodes()) batchWrites(server);
    redis.on('+node', batchWrites);
    return;
  }
  const batch = () => batchWritesTo(redis.stream);
  if (redis.status !== 'wait' && redis.status !== 'connecting') batch();
  redis.on('connect', batch);
}

const batched = new WeakSet<Socket>();

function batchWritesTo(socket: Socket): void {
  if (batched.has(socket)) return;
  batched.add(socket);
  const write = socket.write.bind(socket);
  let isCorked = false;
  const uncork = () => {
    isCorked = false;
    socket.uncork();
  };
  const corkAndWrite = (...args: Parameters<Socket['write']>) => {
    if (!isCorked) {
      isCorked = true;
      socket.cork();
      setImmediate(uncork);
    }
    return write(...args);
  };
  socket.write = corkAndWrite as Socket['write'];
}
