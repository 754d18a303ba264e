import type { AgentId, CallId } from '../domain/ids.ts';
import { withRecordedCalls } from '../domain/presenceSessions.ts';
import { announce, changePresence } from '../usecases/agents/changePresence.ts';
import { followStoredCalls } from '../usecases/calls/lifecycle/reportProgress.ts';
import { forEachConcurrently } from '../usecases/concurrency/forEachConcurrently.ts';
import { retryUntilSuccess } from '../usecases/concurrency/retryUntilSuccess.ts';
import type { Services } from '../usecases/services.ts';
import { withDeadline } from '../usecases/concurrency/withDeadline.ts';
import type { LocalSoftphone, SoftphoneRegistry } from './softphoneRegistry.ts';
import { showState } from './takeSession.ts';

/** Softphones whose calls are read with one query. */
const batchSize = 1_000;
/** Time for PostgreSQL in a restore, for which all gateways wait. Milliseconds. */
const readCallsWithinMs = 1_000;
const tries = 3;

/** Keeps the presence store and the softphones of this gateway consistent. */
export interface PresenceReconciler {
  /** Writes the agents of this gateway back after the store has lost data. */
  restore(): Promise<void>;
  /** Compares each softphone with the store, after messages or the lease may have been lost. */
  compare(): Promise<void>;
}

export function createPresenceReconciler({
  registry,
  services,
}: {
  registry: SoftphoneRegistry;
  services: Services;
}): PresenceReconciler {
  const { observer, presence } = services;

  /**
   * Calls by the durable record, since the store may have lost the latest changes;
   * empty when it cannot be read in time.
   */
  async function callsOf(softphones: LocalSoftphone[], deadline: number): Promise<Map<AgentId, CallId[]>> {
    try {
      const found = await withDeadline(services.clock, deadline, services.calls.findActiveOf(softphones));
      if (found === null) throw new Error('the database did not answer in time');
      return found;
    } catch (error) {
      observer.problem('the calls of lost presences could not be read', error);
      return new Map();
    }
  }

  async function restoreOne({ lease, presence: known }: LocalSoftphone, onCalls: CallId[] | undefined): Promise<void> {
    if (known.state === 'offline' || known.lease !== lease) return;
    const told = onCalls === undefined ? known : withRecordedCalls(known, onCalls, presence.now());
    const restored = await presence.restore(told);
    if (restored === null) return;
    observer.repaired('lost_presence');
    // A change that the softphone does not know yet is told by the comparison that follows.
    if (told === known) registry.learn(lease, restored);
  }

  async function compareOne(softphone: LocalSoftphone): Promise<void> {
    const { companyId, agentId, lease, socket } = softphone;
    const isGone = () => !socket.connected || registry.find(agentId) !== softphone;
    if (isGone()) return;
    const stored = await presence.find(companyId, agentId);
    if (isGone()) return;
    if (stored === null || stored.lease !== lease) {
      // Logged out or taken over without a message: the client learns it on reconnecting.
      registry.release(agentId, lease);
      socket.conn.close();
      return;
    }
    const known = softphone.presence.version;
    registry.learn(lease, stored);
    if (stored.connection !== 'connected') {
      await changePresence(services, companyId, agentId, { type: 'keep_connection', lease });
    }
    await followStoredCalls(services, stored);
    if (stored.version === known) return;
    announce(services, stored, stored);
    await showState({ registry, services }, socket, softphone.sessionId);
  }

  /** @returns the softphones for which it failed */
  async function restoreAll(softphones: LocalSoftphone[], deadline: number): Promise<LocalSoftphone[]> {
    const failed: LocalSoftphone[] = [];
    for (let start = 0; start < softphones.length; start += batchSize) {
      const batch = softphones.slice(start, start + batchSize);
      const calls = await callsOf(batch, deadline);
      await forEachConcurrently(batch, (one) =>
        restoreOne(one, calls.get(one.agentId)).catch((error: unknown) => {
          observer.problem('a lost presence could not be brought back', error);
          failed.push(one);
        }),
      );
    }
    return failed;
  }

  return {
    async restore() {
      const deadline = services.clock.now() + readCallsWithinMs;
      const all = [...registry.all()];
      let failed = await restoreAll(all, deadline);
      for (let again = 1; failed.length > 0 && again < tries; again++) failed = await restoreAll(failed, deadline);
      // One agent's failure must not block the others; a failing store must.
      if (failed.length > 0 && failed.length === all.length) throw new Error('no lost presence could be brought back');
    },

    compare: () =>
      forEachConcurrently([...registry.all()], (softphone) =>
        retryUntilSuccess(services, 'a softphone could not be compared with the presence store', () =>
          compareOne(softphone),
        ),
      ),
  };
}
