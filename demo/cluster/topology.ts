import { randomBytes } from 'node:crypto';
import { ClusterGateway, type GatewayChanges } from './gateway.ts';
import { isHaproxyInstalled, maxGateways, startHaproxy, type Balancer } from './haproxy.ts';
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
  /** Whether HAProxy stands in front of them; by default where it is installed. */
  balancer?: boolean;
  /** The balancer's; any free one by default. */
  port?: number;
  /** Ends a start that is under way: what has been started is stopped, and the start throws. */
  signal?: AbortSignal;
  /** Hears of each part as soon as it runs, by a word or two and its process id. */
  onStarted?: (part: string, pid: number) => void;
};

/** Redis, PostgreSQL, gateways and HAProxy as plain processes on 127.0.0.1. */
export interface Cluster {
  /** The balancer's; without one the first gateway's. */
  readonly url: string;
  /** Opens `/api/companies`. */
  readonly platformToken: string;
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly gateways: readonly ClusterGateway[];
  /** Null: there is none. */
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

/** What runs so far. */
type Parts = {
  balancer: Balancer | null;
  gateways: ClusterGateway[];
  redis: RedisServer | null;
  postgres: PostgresServer | null;
};

/**
 * Starts everything, with secrets of this start's own. What has been started is stopped when the rest fails.
 * @throws CommandError when a program is not installed or the port is taken
 */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  if (options.gateways < 1 || options.gateways > maxGateways)
    throw new Error(`a cluster has 1 to ${maxGateways} gateways`);
  const parts: Parts = { balancer: null, gateways: [], redis: null, postgres: null };
  try {
    return await assemble(options, parts);
  } catch (error) {
    await stopAll(parts);
    throw error;
  }
}

async function assemble(options: ClusterOptions, parts: Parts): Promise<Cluster> {
  const { signal, onStarted } = options;
  const placing = { ownProcessGroup: options.ownProcessGroup ?? false };
  const note = (part: string, pid: number) => {
    onStarted?.(part, pid);
    signal?.throwIfAborted();
  };
  // First what is most likely to fail, and what fails soonest.
  if (options.redisUrl === undefined) {
    parts.redis = await startRedisServer({ password: randomBytes(24).toString('hex'), ...placing });
    note('Redis', parts.redis.pid);
  }
  if (options.balancer ?? (await isHaproxyInstalled())) {
    parts.balancer = await startHaproxy({ port: options.port ?? 0, ...placing });
    note('HAProxy', parts.balancer.pid);
  }
  if (options.databaseUrl === undefined) {
    parts.postgres = await startPostgresServer(placing);
    note('PostgreSQL', parts.postgres.pid);
  }

  const { balancer, gateways, redis, postgres } = parts;
  const databaseUrl = options.databaseUrl ?? postgres?.url ?? '';
  const redisUrl = options.redisUrl ?? redis?.url ?? '';
  const shared = {
    ...secretsOfThisStart(),
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    ...quietDefaults(balancer),
  };
  let named = 0;
  const addGateway = async ({ env = {}, clockAheadMs = 0 }: GatewayChanges = {}): Promise<ClusterGateway> => {
    named += 1;
    const gateway = await ClusterGateway.start(`g${named}`, { ...shared, ...env }, clockAheadMs, placing);
    gateways.push(gateway);
    note(`gateway ${gateway.nodeName}`, gateway.pid);
    await balancer?.add(gateway.nodeName, gateway.port);
    return gateway;
  };
  const changesOf = (index: number): GatewayChanges => ({
    env: typeof options.env === 'function' ? options.env(index) : (options.env ?? {}),
    clockAheadMs: options.clockAheadMs?.[index] ?? 0,
  });
  // The first one alone applies the migrations and creates what is to be there; the others would only wait for it.
  const first = await addGateway(changesOf(0));
  await allOf(Array.from({ length: options.gateways - 1 }, (_, index) => addGateway(changesOf(index + 1))));
  gateways.sort((one, other) => Number(one.nodeName.slice(1)) - Number(other.nodeName.slice(1)));

  let stopping: Promise<void> | null = null;
  return {
    url: balancer?.url ?? first.url,
    platformToken: shared.PLATFORM_TOKEN,
    databaseUrl,
    redisUrl,
    gateways,
    balancer,
    redis,
    postgres,
    addGateway,
    stop: () => (stopping ??= stopAll(parts)),
  };
}

function secretsOfThisStart(): { JWT_SECRET: string; ENCRYPTION_KEY: string; PLATFORM_TOKEN: string } {
  const secret = () => randomBytes(32).toString('hex');
  return { JWT_SECRET: secret(), ENCRYPTION_KEY: secret(), PLATFORM_TOKEN: secret() };
}

function quietDefaults(balancer: Balancer | null): Record<string, string> {
  const usual = { WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'loopback', LOG_LEVEL: 'error' };
  return balancer === null ? usual : { ...usual, TRUST_PROXY: '1' };
}

/** Waits for all of them, then throws the first failure: nothing may go on in the background. */
async function allOf(work: readonly Promise<unknown>[]): Promise<void> {
  const failed = (await Promise.allSettled(work)).find((outcome) => outcome.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

/** Those who call first, what they stand on last; each of them, whatever happens to the one before. */
async function stopAll({ balancer, gateways, redis, postgres }: Parts): Promise<void> {
  const failures: unknown[] = [];
  const stop = async (part: { stop(): Promise<void> } | null): Promise<void> => {
    await part?.stop().catch((error: unknown) => failures.push(error));
  };
  await stop(balancer);
  await Promise.all(gateways.map(stop));
  await stop(redis);
  await stop(postgres);
  if (failures.length > 0) throw new AggregateError(failures, 'the cluster did not stop in order');
}
