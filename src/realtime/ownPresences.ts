import { changePresence } from '../usecases/agents/changePresence.ts';
import { followStoredCall } from '../usecases/calls/reportProgress.ts';
import { inParallel } from '../usecases/inParallel.ts';
import type { Services } from '../usecases/services.ts';
import type { OwnedSoftphone, SoftphoneRegistry } from './softphoneRegistry.ts';
import { showState } from './takeSession.ts';

/** Keeps the presence store and the softphones of this gateway of one mind. */
export interface OwnPresences {
  /** Writes back what the store has lost of them. */
  restore(): Promise<void>;
  /** Compares each with the store, for when messages or the lease may have been lost. */
  compare(): Promise<void>;
}

export function createOwnPresences({ registry, services }: { registry: SoftphoneRegistry; services: Services }): OwnPresences {
  const { observer, presence } = services;

  async function restoreOne(softphone: OwnedSoftphone): Promise<void> {
    if (softphone.presence.state === 'offline' || softphone.presence.lease !== softphone.lease) return;
    const restored = await presence.restore(softphone.presence);
    if (restored === null) return;
    registry.learn(restored);
    observer.repaired('lost_presence');
  }

  async function compareOne(softphone: OwnedSoftphone): Promise<void> {
    const { companyId, agentId, lease, socket } = softphone;
    const stored = await presence.find(companyId, agentId);
    if (!socket.connected || registry.find(agentId) !== softphone) return;
    if (stored === null || stored.lease !== lease) {
      // Logged out, or taken over, without a word: the client finds out when it connects again.
      registry.release(agentId, lease);
      socket.conn.close();
      return;
    }
    const known = softphone.presence.version;
    registry.learn(stored);
    if (stored.connection !== 'connected') {
      await changePresence(services, companyId, agentId, { type: 'keep_connection', lease });
    }
    await followStoredCall(services, stored);
    if (stored.version > known) await showState({ registry, services }, socket, softphone.sessionId);
  }

  /** One agent's trouble must not keep the others waiting. */
  function each(work: (softphone: OwnedSoftphone) => Promise<void>, problem: string): Promise<void> {
    return inParallel([...registry.all()], (softphone) =>
      work(softphone).catch((error: unknown) => observer.problem(problem, error)),
    );
  }

  return {
    restore: () => each(restoreOne, 'a lost presence could not be brought back'),
    compare: () => each(compareOne, 'a softphone could not be compared with the presence store'),
  };
}
