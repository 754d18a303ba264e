import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import type pg from 'pg';
import type { ClusterGateway } from '../../demo/cluster/gateway.ts';
import { startPostgresServer } from '../../demo/cluster/postgresServer.ts';
import { startRedisServer } from '../../demo/cluster/redisServer.ts';
import { startCluster, type Cluster, type ClusterOptions } from '../../demo/cluster/topology.ts';
import { applyMigrations } from '../../src/adapters/postgres/migrations.ts';
import { createPool } from '../../src/adapters/postgres/pool.ts';
import { startWorker, type Verbs, type Worker } from '../worker.ts';
import { createCompany, type BenchCompany, type CompanySize } from './company.ts';

/** What every case has: one PostgreSQL and one Redis for both stacks. */
export interface Room {
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly postgresPid: number;
  readonly redisPid: number;
  /** The gateways' and the bare servers'. */
  readonly jwtSecret: string;
  readonly pool: pg.Pool;
  readonly redis: Redis;
  company(size: CompanySize): Promise<BenchCompany>;
  /** Tells whoever watches what is being done. */
  say(line: string): void;
}

/** What one case starts; ends with the case. */
export interface CaseRoom extends Room {
  /** Gateways on the room's PostgreSQL and Redis; without a balancer in front of them unless one is wanted. */
  gateways(
    count: number,
    options?: Pick<ClusterOptions, 'balancer'> & { env?: Readonly<Record<string, string>> },
  ): Promise<Cluster>;
  /** See `startWorker`. */
  worker<V extends Verbs>(file: string, nodeArgs?: readonly string[]): Worker<V>;
}

/**
 * Starts both servers as they come: PostgreSQL writes to disk before it answers, Redis keeps nothing.
 * @param settings more of PostgreSQL's
 */
export async function openRoom(
  say: (line: string) => void,
  settings: Readonly<Record<string, string>> = {},
): Promise<Room & { close(): Promise<void> }> {
  const stops: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const stop of stops.splice(0).toReversed()) await stop();
  };
  try {
    const postgres = await startPostgresServer({ settings });
    stops.push(() => postgres.stop());
    const redisServer = await startRedisServer();
    stops.push(() => redisServer.stop());
    const pool = createPool({ url: postgres.url, max: 8, applicationName: 'bench' });
    stops.push(() => pool.end());
    await applyMigrations(pool);
    const redis = new Redis(redisServer.url);
    stops.push(async () => redis.disconnect());
    const jwtSecret = randomBytes(32).toString('hex');
    return {
      databaseUrl: postgres.url,
      redisUrl: redisServer.url,
      postgresPid: postgres.pid,
      redisPid: redisServer.pid,
      jwtSecret,
      pool,
      redis,
      say,
      close,
      company: (size) => createCompany({ pool, jwtSecret }, size),
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Runs a case and ends whatever it has started. */
export async function withCaseRoom<T>(room: Room, run: (room: CaseRoom) => Promise<T>): Promise<T> {
  const stops: (() => Promise<void>)[] = [];
  const clusters: Cluster[] = [];
  const { databaseUrl, redisUrl, jwtSecret } = room;
  try {
    return await run({
      ...room,
      async gateways(count, { balancer = false, env = {} } = {}) {
        const ours = { JWT_SECRET: jwtSecret, ...env };
        const cluster = await startCluster({ gateways: count, databaseUrl, redisUrl, balancer, env: ours });
        stops.push(() => cluster.stop());
        clusters.push(cluster);
        return cluster;
      },
      worker<V extends Verbs>(file: string, nodeArgs: readonly string[] = []) {
        const worker = startWorker<V>(file, nodeArgs);
        stops.push(() => worker.stop());
        return worker;
      },
    });
  } catch (error) {
    for (const gateway of clusters.flatMap(({ gateways }) => gateways)) room.say(lastWords(gateway));
    throw error;
  } finally {
    for (const stop of stops.toReversed()) await stop();
  }
}

/** What a gateway complained of last: the reason of a failure may lie there. */
function lastWords({ nodeName, process: { stdout, stderr } }: ClusterGateway): string {
  return `${nodeName}: ${(stdout + stderr).slice(-2_000)}`;
}
