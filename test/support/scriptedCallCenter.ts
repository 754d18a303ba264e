import { randomUUID } from 'node:crypto';
import { sweepPresence } from '../../src/usecases/agents/sweepPresence.ts';
import { changePresence } from '../../src/usecases/agents/changePresence.ts';
import { clickToDial } from '../../src/usecases/calls/clickToDial.ts';
import { reportProgress } from '../../src/usecases/calls/reportProgress.ts';
import type { Services } from '../../src/usecases/services.ts';
import type { Call } from '../../src/domain/calls.ts';
import { toId, type AgentId, type CallId, type CompanyId } from '../../src/domain/ids.ts';
import { claimTtlMs, recordCheckMs, type Presence } from '../../src/domain/presence.ts';
import type { OutboxEvent } from '../../src/ports/outbox.ts';
import type { PresenceStore } from '../../src/ports/presence.ts';
import type { OfferOutcome } from '../../src/ports/softphones.ts';
import { withServices } from '../http/serve.ts';
import { createManualClock } from './manualClock.ts';
import { ask, openSession } from './presenceFixtures.ts';

/** What a softphone, and the world around it, does with one offer. */
export type OfferScript = 'ack' | 'decline' | 'silence' | 'taken over' | 'lapsed' | 'forced free';
/** What becomes of the record of a confirmed dial. */
export type RecordScript = 'written' | 'failed' | 'answer lost';

export type ClickOutcome = { ok: true; callId: CallId; agentId: AgentId } | { ok: false; code: string };

/**
 * A company whose softphones and database follow a script, around the real click protocol and a real presence
 * store. It keeps a ledger of what happened.
 */
export function openCallCenter(presence: PresenceStore, clock: ReturnType<typeof createManualClock>, agents: number) {
  const companyId = toId<CompanyId>(randomUUID());
  const agentIds = Array.from({ length: agents }, () => toId<AgentId>(randomUUID()));
  const acknowledged = new Set<CallId>();
  const recorded = new Map<CallId, { call: Call; events: OutboxEvent[] }>();
  let offerScript: OfferScript[] = [];
  let recordScript: RecordScript[] = [];

  const services: Services = withServices({
    clock,
    presence,
    dialsUnderWay: new Map(),
    newId: () => randomUUID(),
    wakeDispatcher: () => undefined,
    agentCard: async (_companyId, id) => ({ id, agentCode: id, name: id }),
    settings: async () => ({
      companyId,
      slug: 'scripted',
      defaultCountry: null,
      wrapUpSeconds: 0,
      dispositions: [],
      notReadyReasons: [],
      crmProvider: null,
      ctiConnector: null,
      mode: 'push',
      apiKeyPrefix: null,
    }),
    observer: {
      click: () => undefined,
      offer: () => undefined,
      delivery: () => undefined,
      push: () => undefined,
      repaired: () => undefined,
      problem: () => undefined,
    },
    agents: only<Services['agents']>({
      find: async (_companyId, id) => ({ kind: 'found', value: account(companyId, id) }),
    }),
    screenPops: only<Services['screenPops']>({ find: async () => null }),
    calls: only<Services['calls']>({
      async create(call, events) {
        const script = recordScript.shift() ?? 'written';
        if (script !== 'failed') recorded.set(call.id, { call, events });
        if (script !== 'written') throw new Error(`scripted: ${script}`);
      },
      async commit(next, events) {
        const known = recorded.get(next.id);
        if (known?.call.version !== next.version - 1) return 'conflict';
        recorded.set(next.id, { call: next, events: [...known.events, ...events] });
        return 'committed';
      },
      async find(_companyId, id) {
        const known = recorded.get(id);
        return known === undefined ? { kind: 'unknown' } : { kind: 'found', value: known.call };
      },
    }),
    softphones: only<Services['softphones']>({
      offer: async (claimed) => playOffer(claimed, offerScript.shift() ?? 'ack'),
      rescind: () => undefined,
      agentChanged: () => undefined,
      callChanged: () => undefined,
    }),
  });

  async function playOffer(claimed: Presence, script: OfferScript): Promise<OfferOutcome> {
    const { agentId, callId } = claimed;
    switch (script) {
      case 'decline':
        return { kind: 'declined' };
      case 'silence':
        return { kind: 'undelivered', detail: 'scripted' };
      case 'taken over':
        await changePresence(services, companyId, agentId, openSession(companyId, agentId));
        break;
      case 'forced free':
        await changePresence(services, companyId, agentId, ask('ready', { force: true }));
        break;
      case 'lapsed':
        await clock.leap(claimTtlMs);
        await sweepPresence(services);
        break;
      case 'ack':
        break;
    }
    if (callId !== null) acknowledged.add(callId);
    return { kind: 'acknowledged' };
  }

  async function present(agentId: AgentId): Promise<Presence> {
    const found = await presence.find(companyId, agentId);
    if (found === null) throw new Error('the agent has signed in');
    return found;
  }

  return {
    agentIds,
    acknowledged,
    recorded,
    present,
    /** What the next offers and records will meet, in this order; afterwards everything goes well. */
    script(offers: OfferScript[], records: RecordScript[]): void {
      offerScript = [...offers];
      recordScript = [...records];
    },
    async signIn(agentId: AgentId): Promise<void> {
      await changePresence(services, companyId, agentId, openSession(companyId, agentId));
    },
    async goReady(agentId: AgentId): Promise<void> {
      await changePresence(services, companyId, agentId, ask('ready'));
    },
    async click(named: AgentId | null, fallback: boolean): Promise<ClickOutcome> {
      const principal = { kind: 'company_key', companyId, keyPrefix: 'rlk_scripted' } as const;
      const body = {
        phone_number: '+15551230001',
        ...(named === null ? {} : { agent_id: named }),
        ...(fallback ? { fallback: 'any' as const } : {}),
      };
      const outcome = await clickToDial(services, principal, body, null);
      if (outcome.kind === 'refused') return { ok: false, code: outcome.code };
      const { answer } = outcome.value;
      return { ok: true, callId: toId<CallId>(answer.call_id), agentId: toId<AgentId>(answer.agent.id) };
    },
    /** The agent's own softphone ends whatever call it is on. */
    async hangUp(agentId: AgentId): Promise<void> {
      const { callId, lease } = await present(agentId);
      if (callId === null || lease === null) return;
      await reportProgress(services, companyId, agentId, lease, { callId, state: 'ended', endReason: 'completed' });
    },
    /** Long enough for claims to lapse and for records to be checked. */
    async letTimePass(): Promise<void> {
      await clock.leap(claimTtlMs + recordCheckMs);
      await sweepPresence(services);
    },
  };
}

/** A service of which only these methods are called. */
function only<T extends object>(methods: Partial<T>): T {
  return methods as T;
}

function account(companyId: CompanyId, id: AgentId) {
  const at = new Date(0);
  return {
    id,
    companyId,
    agentCode: id,
    name: id,
    email: null,
    role: 'agent' as const,
    active: true,
    tokenVersion: 1,
    createdAt: at,
    updatedAt: at,
  };
}
