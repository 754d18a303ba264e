import type { NodeId } from '../domain/ids.ts';
import { releaseAgents, takeOver } from '../usecases/agents/releaseGateway.ts';
import type { Services } from '../usecases/services.ts';
import type { PresenceReconciler } from './presenceReconciler.ts';
import type { SoftphoneRegistry } from './softphoneRegistry.ts';

/**
 * A gateway that has been cut off from the presence store for this long sends its softphones elsewhere: the others
 * count them as not connected. Longer than a restart or a failover of the store takes, which they sit out.
 */
const cutOffAfterMs = 15_000;
/** Over this time, so that not all connect anew in one moment. */
const sendAwayWithinMs = 5_000;
/** A little less than a gateway's lease: from then on others may give back the webhooks that this one holds. */
const doubtAfterMs = 3_500;
/** A gateway that is dead is looked at again after this, before its webhooks are sent by others: after an interruption of the
 * store those that live need a moment to say so. */
const certainAfterMs = 2_000;

type Needs = { registry: SoftphoneRegistry; services: Services; reconciler: PresenceReconciler };

/** What a gateway does so that presence cannot go stale. */
export interface Heartbeat {
  /** Once a second: looks whether the store has lost anything, renews the lease, releases what dead gateways held. */
  round(): Promise<void>;
  /** Messages of other gateways may have been missed: compares the softphones with the store, in the background. */
  compare(): void;
}

export function createHeartbeat({ registry, services, reconciler }: Needs): Heartbeat {
  const { clock, nodes, observer, presence } = services;
  const underWay = new Set<NodeId | 'comparison'>();
  /** When each gateway that is dead was first found so. */
  const deadSince = new Map<NodeId, number>();
  let heldAt = performance.now();
  let sentAway = false;
  let gaps = 0;

  /** The lease has to be renewed meanwhile. */
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
      inBackground(nodeId, () => (isCertain ? takeOver(services, nodeId) : releaseAgents(services, nodeId)));
    }
  }

  function compare(): void {
    gaps += 1;
    inBackground('comparison', async () => {
      // What was missed while it was under way may concern those who were compared already.
      for (let seen = 0; seen !== gaps; ) {
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
          services.doubtDeliveries();
        }
        release(dead);
      } catch (error) {
        if (performance.now() - heldAt >= doubtAfterMs) services.doubtDeliveries();
        if (performance.now() - heldAt >= cutOffAfterMs) sendAway();
        throw error;
      }
    },
  };
}
