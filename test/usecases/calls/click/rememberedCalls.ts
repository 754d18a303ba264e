import type { Call } from '../../../../src/domain/calls.ts';
import type { CallStore } from '../../../../src/ports/calls.ts';
import type { OutboxEvent } from '../../../../src/ports/outbox.ts';
import { recordOf } from '../../../../src/usecases/views/callView.ts';

/** The durable record of calls, as a plain list, with the events that were written together with them. */
export class RememberedCalls {
  readonly calls = new Map<string, Call>();
  readonly events: OutboxEvent[] = [];
  /** Ids of calls that are recorded or ruled out. */
  readonly decided = new Set<string>();

  readonly store: CallStore = {
    create: async (call, events) => {
      if (this.decided.has(call.id)) return 'too_late';
      if (this.#active().some((other) => other.agentId === call.agentId)) return 'agent_has_call';
      this.decided.add(call.id);
      this.calls.set(call.id, call);
      this.events.push(...events);
      return 'created';
    },
    ruleOut: async (_companyId, id) => {
      this.decided.add(id);
      return this.calls.has(id) ? 'recorded' : 'ruled_out';
    },
    fate: async (_companyId, id) => {
      const call = this.calls.get(id);
      return call === undefined ? { kind: this.decided.has(id) ? 'ruled_out' : 'open' } : { kind: 'recorded', call };
    },
    pruneDecided: async () => 0,
    commit: async (next, events) => {
      if (this.calls.get(next.id)?.version !== next.version - 1) return 'conflict';
      this.calls.set(next.id, next);
      this.events.push(...events);
      return next;
    },
    commitScreenPop: async (next) => {
      if (this.calls.get(next.id)?.version !== next.version - 1) return 'conflict';
      this.calls.set(next.id, next);
      return next;
    },
    commitCaller: async (next) => this.store.commitScreenPop(next),
    recall: () => null,
    find: async (_companyId, id) => {
      const value = this.calls.get(id);
      return value === undefined ? { kind: 'unknown' } : { kind: 'found', value };
    },
    conversation: async (_companyId, id) =>
      [...this.calls.values()].filter((call) => call.id === id || call.parentCallId === id),
    findActive: async (_companyId, agentId) => this.#active().filter((call) => call.agentId === agentId),
    findActiveOf: async (agents) => {
      const ids = new Set(agents.map(({ agentId }) => agentId));
      return new Map(this.#active().flatMap(({ agentId, id }) => (ids.has(agentId) ? [[agentId, [id]]] : [])));
    },
    listInProgress: async (companyId) =>
      this.#active().flatMap((call) =>
        call.companyId === companyId
          ? [
              {
                ...call,
                source: call.platform?.source ?? null,
                name: call.screenPop?.name ?? null,
                handedOnBy: call.transferredFrom?.name ?? null,
                ...recordOf(call),
              },
            ]
          : [],
      ),
    list: async () => ({
      items: [...this.calls.values()].map((call) => ({
        ...call,
        customerName: call.screenPop?.name ?? null,
        ...recordOf(call),
      })),
      nextCursor: null,
    }),
    countMissed: async () => 0,
    attachRecording: async (companyId, id, recordingUrl) => {
      const call = this.calls.get(id);
      if (call?.companyId !== companyId) return false;
      this.calls.set(id, { ...call, recordingUrl });
      return true;
    },
    saveDraft: async () => 'saved',
    steps: async () => [],
    corrections: async () => [],
    previous: async () => ({ calls: [], lastSpoken: null }),
    unnamedOfPlatform: async (companyId, agentId, source) =>
      this.#active().find(
        (call) =>
          call.companyId === companyId &&
          call.agentId === agentId &&
          call.platform?.source === source &&
          call.platform.callId === null,
      ) ?? null,
    ofPlatform: async (companyId, source, callId) =>
      [...this.calls.values()].filter(
        (call) => call.companyId === companyId && call.platform?.source === source && call.platform.callId === callId,
      ),
    silent: async () => [],
    listActive: async (before) => ({
      items: this.#active().filter((call) => call.createdAt < before),
      nextCursor: null,
    }),
  };

  #active(): Call[] {
    return [...this.calls.values()].filter((call) => call.state !== 'ended');
  }
}
