import { randomUUID } from 'node:crypto';
import { Cluster, type Redis } from 'ioredis';
import { probeKey } from './keys.ts';

/** In a cluster the probes lie on all servers: with this many, a server that holds a thirtieth of the slots has one. */
const probesInCluster = 32;

/**
 * Tells which data Redis serves: the same text as long as no server has lost what it held and no other has become
 * primary. A server that cannot be reached counts as unchanged, since nothing of it can be decided upon; rejects when
 * none can, or when a server does not tell its identity.
 */
export type GenerationReader = () => Promise<string>;

export function createGenerationReader(redis: Redis | Cluster): GenerationReader {
  const isCluster = redis instanceof Cluster;
  const known = new Map<string, string>();

  async function part(name: string, read: () => Promise<string>): Promise<string> {
    const before = known.get(name);
    // The first time nothing may be missing: what comes later would look like a change.
    const value = before === undefined ? await read() : await read().catch(() => before);
    known.set(name, value);
    return value;
  }

  return async () => {
    const places = Array.from({ length: isCluster ? probesInCluster : 1 }, (_, place) => probeKey(place));
    const servers = isCluster ? redis.nodes('master') : [redis];
    const reading = servers.map((server) => part(addressOf(server), () => readRunId(server)));
    const [probes, ...runIds] = await Promise.all([readProbes(places), ...reading]);
    return [...runIds.sort(), ...probes].join(' ');
  };

  async function readProbes(places: string[]): Promise<string[]> {
    const answers = await Promise.allSettled(places.map((key) => readProbe(redis, key)));
    const [first] = answers;
    if (first?.status === 'rejected' && answers.every(({ status }) => status === 'rejected')) throw first.reason;
    return Promise.all(answers.map((answer, at) => part(places[at] ?? '', () => outcome(answer))));
  }
}

async function readProbe(redis: Redis | Cluster, key: string): Promise<string> {
  const [, stored] = await Promise.all([redis.set(key, randomUUID().slice(0, 8), 'NX'), redis.get(key)]);
  return stored ?? '';
}

/** Another one after every start of the server: a replica that became primary may lack the latest writes. */
async function readRunId(server: Redis): Promise<string> {
  const id = /^run_id:(\w+)/m.exec(await server.info('server'))?.[1];
  if (id === undefined) throw new Error('Redis does not tell its run_id (INFO server)');
  return id.slice(0, 12);
}

function addressOf({ options }: Redis): string {
  return `${options.host ?? ''}:${String(options.port)}`;
}

async function outcome(answer: PromiseSettledResult<string>): Promise<string> {
  if (answer.status === 'rejected') throw answer.reason;
  return answer.value;
}
