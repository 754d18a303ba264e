import type { Cluster, Redis } from 'ioredis';
import { setTimeout as delay } from 'node:timers/promises';
import type { CompanyId } from '../../domain/ids.ts';
import { nodeLeaseMs } from '../../ports/nodes.ts';
import { readEpoch } from './epoch.ts';
import { companyKeys } from './keys.ts';
import type { RedisNodeTable } from './nodes.ts';

/** How often a gateway looks whether the others have brought back what they know. Milliseconds. */
const lookAgainMs = 50;

/**
 * Keeps everyone from deciding upon a store that has lost data (a restart, a flush, a failover that lost the latest
 * writes). Each company has a fence key with the epoch in which its keys were known to be whole, and every script
 * compares it with the epoch that its gateway knows. Where they differ the gateway reads the epoch; if it is another
 * one, it brings back what it knows of its agents and waits until all gateways that were alive have done the same, or
 * have been silent for a lease. Only then is the fence raised and the work goes on.
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
  onLoss(restore: () => Promise<void>): void;
};

/** @param nodes tells who else has to bring back what it knows */
export function createFence({ redis, nodes }: { redis: Redis | Cluster; nodes: RedisNodeTable }): Fence {
  let known: string | null = null;
  let trusted = false;
  let looking: Promise<string> | null = null;
  let restore = () => Promise.resolve();

  function look(): Promise<string> {
    return (looking ??= lookNow().finally(() => (looking = null)));
  }

  async function lookNow(): Promise<string> {
    for (;;) {
      trusted = true;
      const epoch = await readEpoch(redis).catch(distrusting);
      if (epoch !== known && known !== null && !(await bringBack(epoch).catch(distrusting))) continue;
      if (known === null) await nodes.hasRestored(epoch).catch(distrusting);
      known = epoch;
      // Else the connection was lost on the way.
      if (trusted) return epoch;
    }
  }

  function distrusting(error: unknown): never {
    trusted = false;
    throw error;
  }

  /** @returns false when the epoch has changed once more */
  async function bringBack(epoch: string): Promise<boolean> {
    const others = nodes.liveOthers();
    const giveUpAt = performance.now() + nodeLeaseMs;
    nodes.forgetNoted();
    await restore();
    await nodes.hasRestored(epoch);
    while (others.some((other) => nodes.isBehind(other, epoch)) && performance.now() < giveUpAt) {
      await delay(lookAgainMs);
      if ((await readEpoch(redis)) !== epoch) return false;
      await nodes.renew();
    }
    return true;
  }

  return {
    epoch: async () => (trusted && known !== null && looking === null ? known : look()),
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
    },
    onLoss(restoring) {
      restore = restoring;
    },
  };
}
