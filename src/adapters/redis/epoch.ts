import { randomUUID } from 'node:crypto';
import { Cluster, type Redis } from 'ioredis';
import { probeKey } from './keys.ts';

/** In a cluster the probes lie on all servers: with this many, a server that holds a thirtieth of the slots has one. */
const probesInCluster = 32;

/**
 * Tells which data Redis serves: the same text as long as no server has lost what it held and no other has become
 * primary. A server that cannot be reached counts as missing; rejects when none can.
 */
export async function readEpoch(redis: Redis | Cluster): Promise<string> {
  const isCluster = redis instanceof Cluster;
  const places = Array.from({ length: isCluster ? probesInCluster : 1 }, (_, place) => place);
  const servers = isCluster ? redis.nodes('master') : [redis];
  const [probes, runIds] = await Promise.all([
    Promise.allSettled(places.map((place) => readProbe(redis, probeKey(place)))),
    Promise.allSettled(servers.map(readRunId)),
  ]);
  const [firstProbe] = probes;
  if (probes.every(({ status }) => status === 'rejected') && firstProbe?.status === 'rejected') throw firstProbe.reason;
  return [...fulfilled(runIds).sort(), ...fulfilled(probes)].join(' ');
}

async function readProbe(redis: Redis | Cluster, key: string): Promise<string> {
  const [, stored] = await Promise.all([redis.set(key, randomUUID().slice(0, 8), 'NX'), redis.get(key)]);
  return stored ?? '';
}

/** Another one after every start of the server: a replica that became primary may lack the latest writes. */
async function readRunId(server: Redis): Promise<string> {
  return /^run_id:(\w+)/m.exec(await server.info('server'))?.[1]?.slice(0, 12) ?? '';
}

function fulfilled(results: PromiseSettledResult<string>[]): string[] {
  return results.map((result) => (result.status === 'fulfilled' ? result.value : '?'));
}
