import { execFile } from 'node:child_process';
import { cpus, loadavg, release, totalmem } from 'node:os';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import pg from 'pg';
import { root } from '../../demo/cluster/program.ts';

/** Where a run was measured, and with what. */
export type Machine = {
  cpu: string;
  cores: number;
  memoryGiB: number;
  kernel: string;
  node: string;
  postgres: string;
  redis: string;
  commit: string;
  /** Of the minute before the run began: what else the machine did. */
  load: number;
  at: string;
};

/** A load of the minute before a run up to which the machine is quiet. */
export const quietLoad = 0.5;

/** Asks this machine and the two servers who they are. */
export async function describeMachine(databaseUrl: string, redisUrl: string): Promise<Machine> {
  const [load = 0] = loadavg();
  const processors = cpus();
  return {
    cpu: processors[0]?.model.trim() ?? 'unknown',
    cores: processors.length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    kernel: `${process.platform} ${release()}`,
    node: process.versions.node,
    postgres: await postgresVersion(databaseUrl),
    redis: await redisVersion(redisUrl),
    commit: await commit(),
    load: Math.round(load * 100) / 100,
    at: new Date().toISOString(),
  };
}

/** In one line, for under a table. */
export function machineLine(machine: Machine): string {
  const { cpu, cores, memoryGiB, node, postgres, redis, commit: revision, load, at } = machine;
  const tools = `Node.js ${node}, PostgreSQL ${postgres}, Redis ${redis}`;
  return (
    `Measured ${at.slice(0, 10)} at ${revision} on ${cores} cores of ${cpu}, ${memoryGiB} GiB; ${tools}; ` +
    `load before the run ${load}${load > quietLoad ? ', **on a busy machine**' : ''}.`
  );
}

async function postgresVersion(databaseUrl: string): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ version: string }>("SELECT current_setting('server_version') AS version");
    return rows[0]?.version.split(' ')[0] ?? 'unknown';
  } finally {
    await client.end();
  }
}

async function redisVersion(redisUrl: string): Promise<string> {
  const redis = new Redis(redisUrl);
  try {
    return /redis_version:(\S+)/.exec(await redis.info('server'))?.[1] ?? 'unknown';
  } finally {
    redis.disconnect();
  }
}

/** And whether the gateway is what was committed. A copy without its history has none. */
async function commit(): Promise<string> {
  const git = async (...args: string[]) => (await promisify(execFile)('git', args, { cwd: root })).stdout.trim();
  try {
    const changed = await git('status', '--porcelain', '--', 'src');
    return (await git('rev-parse', '--short', 'HEAD')) + (changed === '' ? '' : ' with changes');
  } catch {
    return 'an unknown commit';
  }
}
