import { randomBytes } from 'node:crypto';
import { maxGateways, startBalancer, usualBalancer, type Balancer, type BalancerKind } from './balancer.ts';
import { ClusterGateway, type GatewayChanges } from './gateway.ts';
import { startPostgresServer, type PostgresServer } from './postgresServer.ts';
import type { Placing } from './program.ts';
import { startRedisServer, type RedisServer } from './redisServer.ts';

export type ClusterOptions = Placing & {
  /** How many, 1 to 32. */
  gateways: number;
  /** For all of them, or for each by its index from 0 (where one is to reach Redis by a way of its own). */
  env?: Readonly<Record<string, string>> | ((index: number) => Readonly<Record<string, string>>);
  /** How far each one's clock is ahead of the machine's, by index. */
  clockAheadMs?: readonly number[];
  /** A PostgreSQL that runs already, in place of an own one. */
  databaseUrl?: string;
  /** A Redis that runs already, in place of an own one. */
  redisUrl?: string;
  /** HAProxy where it is installed, else the one in Node. */
  balancer?: BalancerKind | 'none';
  /** The balancer's; any free one by default. */
  port?: number;
  /** Ends a start that is under way: what has been started is stopped, and the start throws. */
  signal?: AbortSignal;
  /** Hears of each part as soon as it runs, by a word or two and its process id. */
  onStarted?: (part: string, pid: number) => void;
};

/** Redis, PostgreSQL, gateways and a balancer as plain processes on 127.0.0.1. */
export interface Cluster {
  /** The balancer's; without one the first gateway's. */
  readonly url: string;
  /** Opens `/api/companies`. */
  readonly platformToken: string;
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly gateways: readonly ClusterGateway[];
  /** Null: none was wanted. */
  readonly balancer: Balancer | null;
  /** Null: not its own. */
  readonly redis: RedisServer | null;
  /** Null: not its own. */
  readonly postgres: PostgresServer | null;
  /** Starts one more, which gets requests at once. */
  addGateway(changes?: GatewayChanges): Promise<ClusterGateway>;
  /** Stops everything in order: balancer, gateways, Redis, PostgreSQL. May be called twice. */
  stop(): Promise<void>;
}

/** Starts everything; with secrets of this start's own. What has been started is stopped when the rest fails. */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  if (options.gateways < 1 || options.gateways > maxGateways) throw new Error(`a cluster has 1 to ${maxGateways} gateways`);
  const stops: (() => Promise<void>)[] = [];
  try {
    return await assemble(options, stops);
  } catch (error) {
    await stopAll(stops);
    throw error;
  }
}

async function assemble(options: ClusterOptions, stops: (() => Promise<void>)[]): Promise<Cluster> {
  const { ownProcessGroup = false, signal, onStarted } = options;
  const placing = { ownProcessGroup };
  const started = <T extends { pid: number; stop(): Promise<void> }>(part: string, running: T): T => {
    stops.push(() => running.stop());
    onStarted?.(part, running.pid);
    signal?.throwIfAborted();
    return running;
  };
  const postgres = options.databaseUrl === undefined ? started('PostgreSQL', await startPostgresServer(placing)) : null;
  const databaseUrl = options.databaseUrl ?? postgres?.url ?? '';
  const password = randomBytes(24).toString('hex');
  const redis = options.redisUrl === undefined ? started('Redis', await startRedisServer({ password, ...placing })) : null;
  const redisUrl = options.redisUrl ?? redis?.url ?? '';

  const kind = options.balancer ?? (await usualBalancer());
  const port = options.port === undefined ? {} : { port: options.port };
  const gateways: ClusterGateway[] = [];
  // Started before the gateways, as they need to know what it tells them; stopped before them, too.
  const balancer = kind === 'none' ? null : await startBalancer(kind, { ...port, ...placing });
  stops.push(async () => void (await Promise.all(gateways.map((gateway) => gateway.stop()))));
  if (balancer !== null) started(`balancer (${balancer.kind})`, balancer);

  const platformToken = randomBytes(24).toString('hex');
  const shared = {
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    JWT_SECRET: randomBytes(32).toString('hex'),
    ENCRYPTION_KEY: randomBytes(32).toString('hex'),
    PLATFORM_TOKEN: platformToken,
    WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'loopback',
    LOG_LEVEL: 'error',
    ...(balancer?.speaksHttp === true ? { TRUST_PROXY: '1' } : {}),
  };
  let named = 0;
  const addGateway = async ({ env = {}, clockAheadMs = 0 }: GatewayChanges = {}): Promise<ClusterGateway> => {
    named += 1;
    const gateway = await ClusterGateway.start(`g${named}`, { ...shared, ...env }, clockAheadMs, placing);
    gateways.push(gateway);
    onStarted?.(`gateway ${gateway.nodeName}`, gateway.pid);
    signal?.throwIfAborted();
    await balancer?.add(gateway.nodeName, gateway.port);
    return gateway;
  };
  const changesOf = (index: number): GatewayChanges => ({
    env: typeof options.env === 'function' ? options.env(index) : (options.env ?? {}),
    clockAheadMs: options.clockAheadMs?.[index] ?? 0,
  });
  // The first one alone applies the migrations and creates what is to be there; the others would only wait for it.
  const first = await addGateway(changesOf(0));
  const others = Array.from({ length: options.gateways - 1 }, (_, index) => addGateway(changesOf(index + 1)));
  await allSettled(others);
  gateways.sort((one, other) => Number(one.nodeName.slice(1)) - Number(other.nodeName.slice(1)));

  let stopping: Promise<void> | null = null;
  return {
    url: balancer?.url ?? first.url,
    platformToken,
    databaseUrl,
    redisUrl,
    gateways,
    balancer,
    redis,
    postgres,
    addGateway,
    stop: () => (stopping ??= stopAll(stops)),
  };
}

/** Waits for all of them, then throws the first failure: nothing may go on in the background. */
async function allSettled(work: readonly Promise<unknown>[]): Promise<void> {
  for (const outcome of await Promise.allSettled(work)) if (outcome.status === 'rejected') throw outcome.reason;
}

/** The last one started first; all of them, whatever happens to one. */
async function stopAll(stops: (() => Promise<void>)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const stop of stops.splice(0).toReversed()) await stop().catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw new AggregateError(failures, 'the cluster did not stop in order');
}
