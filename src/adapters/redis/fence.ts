import type { Cluster, Redis } from 'ioredis';
import { setTimeout as delay } from 'node:timers/promises';
import type { CompanyId } from '../../domain/ids.ts';
import { nodeLeaseMs } from '../../ports/nodes.ts';
import { createEpochReader } from './epoch.ts';
import { companyKeys } from './keys.ts';
import type { RedisNodeTable } from './nodes.ts';

/** How often a gateway looks whether the others have brought back what they know. Milliseconds. */
const askOthersEveryMs = 50;
/** So long one waits for gateways that live and are not done: more agents than a gateway should have take less. */
const waitAtMostMs = 15_000;
/** While it brings back its agents a gateway has to stay alive for the others. A fourth of the lease. */
const renewEveryMs = 1_000;

/**
 * Keeps everyone from deciding upon a store that has lost data (a restart, a flush, a failover that lost the latest
 * writes). Each company has a fence key with the epoch in which its keys were known to be whole, and every script
 * compares it with the epoch that its gateway knows. Where they differ the gateway reads the epoch; if it is another
 * one, it brings back what it knows of its agents and waits until all gateways that were alive have done the same, or
 * have been gone for a lease. Only then is the fence raised and the work goes on.
 */
export type Fence = {
  /** The epoch that this gateway relies on. Waits while data are being brought back. */
  epoch(): Promise<string>;
  /** Reads the epoch anew, and brings back what is lost. */
  check(): Promise<void>;
  /** Declares the company's keys whole. */
  raise(companyId: CompanyId): Promise<void>;
  /** The server at the other end may be another one: its data are not relied on before a look. */
  distrust(): void;
  /** Says what brings back the agents of this gateway; rejects when it could not. */
  onLoss(restore: () => Promise<void>): void;
};

/** @param nodes tells who else has to bring back what it knows */
export function createFence({ redis, nodes }: { redis: Redis | Cluster; nodes: RedisNodeTable }): Fence {
  const readEpoch = createEpochReader(redis);
  let known: string | null = null;
  let trusted = false;
  /** Since the look under way began. */
  let distrusted = false;
  let looking: Promise<string> | null = null;
  let restore = () => Promise.resolve();

  function look(): Promise<string> {
    return (looking ??= lookNow().finally(() => (looking = null)));
  }

  /** A look that finds nothing changed keeps nobody waiting. */
  async function lookNow(): Promise<string> {
    try {
      for (;;) {
        distrusted = false;
        const epoch = await readEpoch();
        if (epoch !== known) {
          trusted = false;
          if (!(await bringBack(epoch))) continue;
        }
        known = epoch;
        // Else the connection was lost on the way.
        if (distrusted) continue;
        trusted = true;
        return epoch;
      }
    } catch (error) {
      trusted = false;
      throw error;
    }
  }

  /** @returns false when the epoch has changed once more */
  async function bringBack(epoch: string): Promise<boolean> {
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
    await nodes.announceRestored(epoch);
    const begun = performance.now();
    const isAwaited = (standing: ReturnType<RedisNodeTable['standing']>) => {
      const limitMs = { restored: 0, dead: 0, missing: nodeLeaseMs, behind: waitAtMostMs }[standing];
      return performance.now() - begun < limitMs;
    };
    while (others.some((other) => isAwaited(nodes.standing(other, epoch)))) {
      await delay(askOthersEveryMs);
      if ((await readEpoch()) !== epoch) return false;
      await nodes.renew();
    }
    return true;
  }

  return {
    epoch: async () => (trusted && known !== null ? known : look()),
    async check() {
      await look();
    },
    async raise(companyId) {
      await redis.set(companyKeys(companyId).fence, await look());
      // What was lost between the look and the write shows now; the fence is then raised again for the new epoch.
      await look();
    },
    distrust() {
      trusted = false;
      distrusted = true;
    },
    onLoss(restoring) {
      restore = restoring;
    },
  };
}
