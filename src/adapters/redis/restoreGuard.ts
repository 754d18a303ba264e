import { Cluster, type Redis } from 'ioredis';
import { setTimeout as delay } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import type { CompanyId } from '../../domain/ids.ts';
import { nodeLeaseMs } from '../../ports/nodes.ts';
import { companyKeys, probeKey } from './keys.ts';
import type { RedisNodeTable } from './nodes.ts';

/** How often a gateway looks whether the others have brought back what they know. Milliseconds. */
const askOthersEveryMs = 50;
/** So long one waits for gateways that live and are not done: more agents than a gateway should have take less. */
const waitAtMostMs = 15_000;
/** While it brings back its agents a gateway has to stay alive for the others. A fourth of the lease. */
const renewEveryMs = 1_000;

/**
 * Keeps everyone from deciding upon a store that has lost data (a restart, a flush, a failover that lost the latest
 * writes). Each company has a guard key with the generation in which its keys were known to be whole, and every script
 * compares it with the generation that its gateway knows. Where they differ the gateway reads the generation; if it is another
 * one, it brings back what it knows of its agents and waits until all gateways that were alive have done the same, or
 * have been gone for a lease. Only then is the guard raised and the work goes on.
 */
type RestoreGuard = {
  /** The generation that this gateway relies on. Waits while data are being brought back. */
  generation(): Promise<string>;
  /** Reads the generation anew, and brings back what is lost. */
  check(): Promise<void>;
  /** Declares the company's keys whole. */
  raise(companyId: CompanyId): Promise<void>;
  /** The server at the other end may be another one: its data are not relied on before a look. */
  markSuspect(): void;
  /** Says what brings back the agents of this gateway; rejects when it could not. */
  onLoss(restore: () => Promise<void>): void;
};

/** @param nodes tells who else has to bring back what it knows */
export function createRestoreGuard({ redis, nodes }: { redis: Redis | Cluster; nodes: RedisNodeTable }): RestoreGuard {
  const readGeneration = createGenerationReader(redis);
  let known: string | null = null;
  let trusted = false;
  /** Since the look under way began. */
  let suspect = false;
  let looking: Promise<string> | null = null;
  let restore = () => Promise.resolve();

  function look(): Promise<string> {
    return (looking ??= lookNow().finally(() => (looking = null)));
  }

  /** A look that finds nothing changed keeps nobody waiting. */
  async function lookNow(): Promise<string> {
    try {
      for (;;) {
        suspect = false;
        const generation = await readGeneration();
        if (generation !== known) {
          trusted = false;
          if (!(await restoreLost(generation))) continue;
        }
        known = generation;
        // Else the connection was lost on the way.
        if (suspect) continue;
        trusted = true;
        return generation;
      }
    } catch (error) {
      trusted = false;
      throw error;
    }
  }

  /** @returns false when the generation has changed once more */
  async function restoreLost(generation: string): Promise<boolean> {
    // A gateway that has just begun knows nothing to bring back; those that were there before it may.
    if (known === null) await nodes.renew();
    const others = nodes.liveOthers();
    nodes.forgetNoted();
    const renewing = setInterval(() => void nodes.renew().catch(() => undefined), renewEveryMs);
    try {
      await restore();
    } finally {
      clearInterval(renewing);
    }
    await nodes.announceRestored(generation);
    const begun = performance.now();
    const isAwaited = (standing: ReturnType<RedisNodeTable['standing']>) => {
      const limitMs = { restored: 0, dead: 0, missing: nodeLeaseMs, behind: waitAtMostMs }[standing];
      return performance.now() - begun < limitMs;
    };
    while (others.some((other) => isAwaited(nodes.standing(other, generation)))) {
      await delay(askOthersEveryMs);
      if ((await readGeneration()) !== generation) return false;
      await nodes.renew();
    }
    return true;
  }

  return {
    generation: async () => (trusted && known !== null ? known : look()),
    async check() {
      await look();
    },
    async raise(companyId) {
      await redis.set(companyKeys(companyId).guard, await look());
      // What was lost between the look and the write shows now; the guard is then raised again for the new generation.
      await look();
    },
    markSuspect() {
      trusted = false;
      suspect = true;
    },
    onLoss(restoring) {
      restore = restoring;
    },
  };
}

/** In a cluster the probes lie on all servers: with this many, a server that holds a thirtieth of the slots has one. */
const probesInCluster = 32;

/**
 * Tells which data Redis serves: the same text as long as no server has lost what it held and no other has become
 * primary. A server that cannot be reached counts as unchanged, since nothing of it can be decided upon; rejects when
 * none can, or when a server does not tell its identity.
 */
type GenerationReader = () => Promise<string>;

function createGenerationReader(redis: Redis | Cluster): GenerationReader {
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
