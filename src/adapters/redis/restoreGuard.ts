import { Cluster, type Redis } from 'ioredis';
import { setTimeout as delay } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import type { CompanyId } from '../../domain/ids.ts';
import { nodeLeaseMs } from '../../ports/nodes.ts';
import { companyKeys, probeKey } from './keys.ts';
import type { RedisNodeTable } from './nodes.ts';

/** How often a gateway checks whether the others have restored their agents. Milliseconds. */
const askOthersEveryMs = 50;
/**
 * Longest wait for live gateways that are still restoring;
 * it suffices for more agents than one gateway should have. Milliseconds.
 */
const waitAtMostMs = 15_000;
/** How often the lease is renewed while agents are restored. A quarter of the lease. Milliseconds. */
const renewEveryMs = 1_000;
/**
 * How long the guard keys of older gateways stay: longer than a roll-out, or a step back from it. An older gateway that
 * misses its key writes it anew. Seconds.
 */
const formerGuardSeconds = 24 * 3600;

/**
 * Blocks decisions after the store has lost data (a restart, a flush, a failover that lost the latest writes) until all
 * gateways have restored their agents. Each company has a guard key with the generation in which its keys were last
 * complete, and every script compares it with the generation its gateway knows. When they differ, the gateway reads the
 * store's generation; if that has changed, it restores its own agents and waits until every gateway that was alive has
 * done so too, or has been gone for a lease. Then it writes the guard key and work continues.
 */
type RestoreGuard = {
  /** The generation this gateway relies on. Waits while agents are being restored. */
  generation(): Promise<string>;
  /** Reads the generation again and restores what was lost. */
  check(): Promise<void>;
  /** Declares the company's keys complete in the current generation. */
  declareComplete(companyId: CompanyId): Promise<void>;
  /** The server may be a different one now: check its generation before relying on its data. */
  markSuspect(): void;
  /** Sets how the agents of this gateway are restored; that must reject when it fails. */
  onLoss(restore: () => Promise<void>): void;
};

/** @param nodes tells which other gateways have to restore their agents */
export function createRestoreGuard({ redis, nodes }: { redis: Redis | Cluster; nodes: RedisNodeTable }): RestoreGuard {
  const readGeneration = createGenerationReader(redis);
  let known: string | null = null;
  let trusted = false;
  /** Marked suspect since the check in progress began. */
  let suspect = false;
  let looking: Promise<string> | null = null;
  let restore = () => Promise.resolve();

  function look(): Promise<string> {
    return (looking ??= lookNow().finally(() => (looking = null)));
  }

  /** Others keep working during a check that finds nothing changed. */
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
        // The connection was lost during the check: check again.
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
    // A gateway that just started has nothing to restore; those already running may have.
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
    async declareComplete(companyId) {
      const { guard, formerGuard } = companyKeys(companyId);
      const generation = await look();
      await Promise.all([redis.set(guard, generation), redis.expire(formerGuard, formerGuardSeconds)]);
      // Data lost between the check and the write show now; the guard is then written for the new generation.
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

/** Probe keys in a cluster: with this many, any server that holds a thirtieth of the slots has one. */
const probesInCluster = 32;

/**
 * Reads the generation of the data that Redis serves: the same text as long as no server has lost data and no other has
 * become primary. An unreachable server counts as unchanged, since nothing can be decided on it. Rejects when no server
 * can be reached, or when one does not tell its run_id.
 */
type GenerationReader = () => Promise<string>;

function createGenerationReader(redis: Redis | Cluster): GenerationReader {
  const isCluster = redis instanceof Cluster;
  const known = new Map<string, string>();

  async function part(name: string, read: () => Promise<string>): Promise<string> {
    const before = known.get(name);
    // The first reading must be complete: a part that is added later would look like a change.
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

/** Changes with every start of the server; a replica that became primary may lack the latest writes. */
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
