import type { AgentId, CallId } from '../domain/ids.ts';
import { withRecordedCall } from '../domain/presenceSessions.ts';
import { announce, changePresence } from '../usecases/agents/changePresence.ts';
import { followStoredCall } from '../usecases/calls/reportProgress.ts';
import { inParallel } from '../usecases/inParallel.ts';
import { insist } from '../usecases/insist.ts';
import type { Services } from '../usecases/services.ts';
import { withinTime } from '../usecases/withinTime.ts';
import type { OwnedSoftphone, SoftphoneRegistry } from './softphoneRegistry.ts';
import { showState } from './takeSession.ts';

/** Presences whose calls are read in one go. */
const batchSize = 1_000;
/** Everybody waits for what is brought back. Milliseconds. */
const readCallsWithinMs = 1_000;

/** Keeps the presence store and the softphones of this gateway of one mind. */
export interface OwnPresences {
  /** Writes back what the store has lost of them. */
  restore(): Promise<void>;
  /** Compares each with the store, for when messages or the lease may have been lost. */
  compare(): Promise<void>;
}

export function createOwnPresences({ registry, services }: { registry: SoftphoneRegistry; services: Services }): OwnPresences {
  const { observer, presence } = services;

  /** By the durable record, since the latest news may have been lost with the store. Without it, as it was known. */
  async function callsOf(softphones: OwnedSoftphone[]): Promise<Map<AgentId, CallId>> {
    try {
      return await withinTime(services.clock, readCallsWithinMs, services.calls.findActiveOf(softphones));
    } catch (error) {
      observer.problem('the calls of lost presences could not be read', error);
      return new Map();
    }
  }

  async function restoreOne({ lease, presence: known }: OwnedSoftphone, onCall: CallId | undefined): Promise<void> {
    if (known.state === 'offline' || known.lease !== lease) return;
    const told = onCall === undefined ? known : withRecordedCall(known, onCall, presence.now());
    const restored = await presence.restore(told);
    if (restored === null) return;
    observer.repaired('lost_presence');
    // What is news to the softphone too, the comparison finds and tells.
    if (told === known) registry.learn(restored);
  }

  async function compareOne(softphone: OwnedSoftphone): Promise<void> {
    const { companyId, agentId, lease, socket } = softphone;
    const isGone = () => !socket.connected || registry.find(agentId) !== softphone;
    if (isGone()) return;
    const stored = await presence.find(companyId, agentId);
    if (isGone()) return;
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
    if (stored.version === known) return;
    announce(services, stored, stored);
    await showState({ registry, services }, socket, softphone.sessionId);
  }

  /** One agent's trouble must not keep the others waiting. */
  function each(
    softphones: OwnedSoftphone[],
    work: (softphone: OwnedSoftphone) => Promise<void>,
    problem: string,
  ): Promise<void> {
    return inParallel(softphones, (softphone) =>
      work(softphone).catch((error: unknown) => observer.problem(problem, error)),
    );
  }

  return {
    async restore() {
      const softphones = [...registry.all()];
      for (let start = 0; start < softphones.length; start += batchSize) {
        const calls = await callsOf(softphones.slice(start, start + batchSize));
        const restoreOneOf = (one: OwnedSoftphone) => restoreOne(one, calls.get(one.agentId));
        await each(softphones.slice(start, start + batchSize), restoreOneOf, 'a lost presence could not be brought back');
      }
    },
    // The store may not be back yet when this gateway hears others again.
    compare: () =>
      inParallel([...registry.all()], (softphone) =>
        insist(services, 'a softphone could not be compared with the presence store', () => compareOne(softphone)),
      ),
  };
}
