import type { NodeId } from '../domain/ids.ts';
import { disconnectAgentsOf, clearUpAfter } from '../usecases/agents/disconnectDeadGateway.ts';
import type { Services } from '../usecases/services.ts';
import type { PresenceReconciler } from './presenceReconciler.ts';
import type { SoftphoneRegistry } from './softphoneRegistry.ts';

/**
 * A gateway that cannot reach the presence store for this long sends its softphones to other gateways, which already
 * count them as disconnected. Longer than a restart or failover of the store takes. Milliseconds.
 */
const cutOffAfterMs = 15_000;
/** They are sent away spread over this time, so that they do not all reconnect at once. Milliseconds. */
const sendAwayWithinMs = 5_000;
/**
 * Just under the lease of a gateway: after it, others may give back the endpoints that this one serves. Milliseconds.
 */
const uncertainAfterMs = 3_500;
/** A gateway must have been dead for this long before its endpoints are given back: after an outage of the store, live
 * gateways need a moment to renew their lease. Milliseconds. */
const certainAfterMs = 2_000;

type Needs = { registry: SoftphoneRegistry; services: Services; reconciler: PresenceReconciler };

/** Keeps this gateway's lease and the presence of its softphones from going stale. */
export interface Heartbeat {
  /** Once a second: checks the store for data loss, renews the lease, releases what dead gateways held. */
  round(): Promise<void>;
  /** Compares all softphones with the store in the background, since messages may have been missed. */
  compare(): void;
}

export function createHeartbeat({ registry, services, reconciler }: Needs): Heartbeat {
  const { clock, nodes, observer, presence } = services;
  const underWay = new Set<NodeId | 'comparison'>();
  /** When each dead gateway was first seen dead, by `performance.now()`. */
  const deadSince = new Map<NodeId, number>();
  let heldAt = performance.now();
  let sentAway = false;
  let gaps = 0;

  /** In the background, because the lease must be renewed meanwhile. */
  function inBackground(what: NodeId | 'comparison', work: () => Promise<void>): void {
    if (underWay.has(what)) return;
    underWay.add(what);
    work()
      .catch((error: unknown) => observer.problem('a task of the heartbeat failed', error))
      .finally(() => underWay.delete(what));
  }

  function sendAway(): void {
    if (sentAway) return;
    sentAway = true;
    for (const { socket } of registry.all()) {
      clock.after(Math.random() * sendAwayWithinMs, () => socket.conn.close());
    }
  }

  function release(dead: NodeId[]): void {
    for (const nodeId of deadSince.keys()) if (!dead.includes(nodeId)) deadSince.delete(nodeId);
    for (const nodeId of dead) {
      const since = deadSince.get(nodeId) ?? performance.now();
      deadSince.set(nodeId, since);
      const isCertain = performance.now() - since >= certainAfterMs;
      inBackground(nodeId, () => (isCertain ? clearUpAfter(services, nodeId) : disconnectAgentsOf(services, nodeId)));
    }
  }

  function compare(): void {
    gaps += 1;
    inBackground('comparison', async () => {
      // Again if messages were missed during the comparison: softphones already compared may be affected.
      for (let seen = 0; seen !== gaps;) {
        seen = gaps;
        await reconciler.compare();
      }
    });
  }

  return {
    compare,
    async round() {
      try {
        await presence.check();
        const { lapsed, dead } = await nodes.renew();
        heldAt = performance.now();
        sentAway = false;
        if (lapsed) {
          compare();
          services.markLeasesUncertain();
        }
        release(dead);
      } catch (error) {
        if (performance.now() - heldAt >= uncertainAfterMs) services.markLeasesUncertain();
        if (performance.now() - heldAt >= cutOffAfterMs) sendAway();
        throw error;
      }
    },
  };
}
