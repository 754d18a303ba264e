import { LRUCache } from 'lru-cache';
import type { AgentId } from '../../domain/ids.ts';
import type { Presence } from '../../domain/presence.ts';
import type { PresenceStore } from '../../ports/presence.ts';
import type { StateChange } from '../../ports/wallboard.ts';
import { createWriteBehind } from '../concurrency/writeBehind.ts';
import type { Services } from '../services.ts';

/** While the database is away, so many changes are kept at most: some 20 MB, and a busy hour of 2,000 agents. */
const keptAtMost = 100_000;
/** Dropped in one go, since taking single ones off a long list is slow. */
const droppedAtOnce = 1_000;
const writtenAtOnce = 1_000;
const agentsRemembered = 50_000;

/** Keeps what the agents did when; no change waits for it. */
export interface StateHistory {
  note(presence: Presence): void;
  /** Writes from now on, with what was noted before. */
  begin(): void;
  /** Writes what is left, unless it never began. */
  stop(): Promise<void>;
}

type Needs = Pick<Services, 'clock' | 'observer' | 'agentHistory'>;

/**
 * Collects in memory and writes in the background.
 * @param limit how many changes are kept while they cannot be written; of more the oldest are lost
 */
export function createStateHistory(services: Needs, limit: number = keptAtMost): StateHistory {
  const { observer, agentHistory } = services;
  /** A presence has more versions than an agent has states: most of them change nothing that is kept. */
  const latest = new LRUCache<AgentId, string>({ max: agentsRemembered });
  let waiting: StateChange[] = [];
  let loses = false;
  let hasBegun = false;

  function keep(changes: StateChange[]): void {
    waiting = changes;
    if (waiting.length <= limit) return;
    waiting.splice(0, Math.max(waiting.length - limit, Math.min(droppedAtOnce, waiting.length)));
    if (loses) return;
    loses = true;
    observer.problem(
      'the oldest state changes that could not be written are lost to the timeline',
      new Error('too many'),
    );
  }

  async function write(): Promise<void> {
    while (waiting.length > 0) {
      const changes = waiting.splice(0, writtenAtOnce);
      try {
        await agentHistory.add(changes);
      } catch (error) {
        keep([...changes, ...waiting]);
        throw error;
      }
    }
    loses = false;
  }

  const writer = createWriteBehind(services, {
    problem: 'state changes could not be written to the timeline; they are kept and tried again',
    waits: () => hasBegun && waiting.length > 0,
    write,
  });

  return {
    note(presence) {
      const change = changeOf(presence);
      const known = `${String(presence.since)} ${change.state} ${change.reason ?? ''} ${change.callId ?? ''}`;
      if (latest.get(presence.agentId) === known) return;
      latest.set(presence.agentId, known);
      waiting.push(change);
      if (waiting.length > limit) keep(waiting);
      writer.wake();
    },
    begin() {
      hasBegun = true;
      writer.wake();
    },
    stop: () => writer.stop(),
  };
}

/** The store, which notes every change that it has made. */
export function withHistory(store: PresenceStore, { note }: Pick<StateHistory, 'note'>): PresenceStore {
  return {
    ...store,
    async claim(companyId, claim) {
      const outcome = await store.claim(companyId, claim);
      if (outcome.kind === 'claimed') note(outcome.presence);
      return outcome;
    },
    async commit(companyId, expectedVersion, next) {
      const written = await store.commit(companyId, expectedVersion, next);
      if (written === 'committed') note(next);
      return written;
    },
    async restore(known) {
      const restored = await store.restore(known);
      if (restored !== null) note(restored);
      return restored;
    },
  };
}

function changeOf({ companyId, agentId, since, version, state, reason, callId }: Presence): StateChange {
  return { companyId, agentId, since: new Date(since), version, state, reason, callId };
}
