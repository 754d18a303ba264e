import type { Goal, Row } from '../report/rows.ts';
import { cpuMs, familyCpuMs } from './processCosts.ts';

/** The processes whose costs are looked at: the servers of one stack, and what both stacks share. */
export type Watched = { servers: readonly number[]; postgresPid: number; redisPid: number };
/** Processor time for one request (or row, or click). µs */
export type Costs = { serverUs: number; postgresUs: number; redisUs: number };

/**
 * Does something and tells what it cost.
 * @param action returns how many requests it made beside its result
 */
export async function costsOf<R>(
  { servers, postgresPid, redisPid }: Watched,
  action: () => Promise<{ result: R; requests: number }>,
): Promise<{ result: R; costs: Costs }> {
  const read = () => [
    servers.reduce((sum, pid) => sum + cpuMs(pid), 0),
    familyCpuMs(postgresPid),
    familyCpuMs(redisPid),
  ];
  const before = read();
  const { result, requests } = await action();
  const [serverUs = 0, postgresUs = 0, redisUs = 0] = read().map(
    (after, index) => ((after - (before[index] ?? 0)) * 1000) / requests,
  );
  return { result, costs: { serverUs, postgresUs, redisUs } };
}

/** Processor time per `what`, of the servers and of what both stacks share. @param goals with them, of Redis, too */
export function costRows(
  what: string,
  ours: readonly Costs[],
  bare: readonly Costs[],
  goals: Record<'server' | 'postgres' | 'redis', Goal> | null = null,
): Row[] {
  const row = (whose: string, goal: Goal | null, of: (costs: Costs) => number): Row => ({
    what: `processor time per ${what}, ${whose}`,
    unit: 'µs',
    readyline: ours.map(of),
    bare: bare.map(of),
    goal,
  });
  return [
    row('server', goals?.server ?? null, ({ serverUs }) => serverUs),
    row('PostgreSQL', goals?.postgres ?? null, ({ postgresUs }) => postgresUs),
    ...(goals === null ? [] : [row('Redis', goals.redis, ({ redisUs }) => redisUs)]),
  ];
}
