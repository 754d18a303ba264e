import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ClickToAccountRequest } from '../../../../src/contract/clickToDial.ts';
import type { ClickToDialOffer } from '../../../../src/contract/socket.ts';
import type { Principal } from '../../../../src/domain/access.ts';
import type { Company } from '../../../../src/domain/company.ts';
import type { AgentId, CompanyId, Lease, NodeId, SessionId } from '../../../../src/domain/ids.ts';
import type { Presence } from '../../../../src/domain/presence.ts';
import type { CreatedCall } from '../../../../src/ports/calls.ts';
import type { PresenceStore } from '../../../../src/ports/presence.ts';
import type { ClaimedPresence } from '../../../../src/ports/softphones.ts';
import { createLocalSoftphones } from '../../../../src/realtime/localSoftphones.ts';
import { createSoftphoneGateway } from '../../../../src/realtime/softphoneGateway.ts';
import { createSoftphoneRegistry } from '../../../../src/realtime/softphoneRegistry.ts';
import { loseConnection, openSession } from '../../../../src/usecases/agents/openSession.ts';
import { setState } from '../../../../src/usecases/agents/setState.ts';
import { sweepPresence } from '../../../../src/usecases/calls/repair/sweepPresence.ts';
import { clickToDial } from '../../../../src/usecases/calls/click/clickToDial.ts';
import { reapCalls } from '../../../../src/usecases/calls/repair/reapCalls.ts';
import { reportProgress } from '../../../../src/usecases/calls/lifecycle/reportProgress.ts';
import { createPeriodicTask, type PeriodicTask } from '../../../../src/usecases/concurrency/periodicTask.ts';
import { createRetryRegistry } from '../../../../src/usecases/concurrency/retryUntilSuccess.ts';
import type { Services } from '../../../../src/usecases/services.ts';
import { callView } from '../../../../src/usecases/views/callView.ts';
import type { ManualClock } from '../../../support/time/manualClock.ts';
import { createIdSource } from '../../../support/stores/presenceCommands.ts';
import { plainCompany } from '../../../support/stores/quietServices.ts';
import { RememberedCalls } from './rememberedCalls.ts';
import { ScriptedSoftphone, type Behavior } from './scriptedSoftphone.ts';

/** How the durable record takes the next dial. */
export const recordings = ['ok', 'slow', 'too_late', 'not_sent', 'fails', 'answer_lost'] as const;
export type Recording = (typeof recordings)[number];

export type ClickedRoom = { kind: 'ok'; callId: string } | { kind: 'refused'; code: string };

type Seat = {
  agentId: AgentId;
  principal: Extract<Principal, { kind: 'agent' }>;
  softphone: ScriptedSoftphone;
  sessionId: SessionId | null;
  lease: Lease | null;
  connected: boolean;
  /** The connection that was begun last. */
  connecting: Promise<void>;
};

/**
 * The click protocol with its real parts: use cases, presence store, offer delivery and the client's book of offers.
 * Pretended are only what lies outside: the network between them, the durable record, and time.
 */
export class ClickRoom {
  readonly record = new RememberedCalls();
  readonly seats: Seat[];
  /** Taken in turn by whoever is asked next; when it is used up, softphones acknowledge. */
  behaviors: Behavior[] = [];
  /** Taken in turn by the dials; when it is used up, they are recorded. */
  recordings: Recording[] = [];
  /** Taken in turn by the claims: whether the store's answer is lost, though it has done what it was asked. */
  lostAnswers: boolean[] = [];
  /** Whether the durable record can be asked what became of a call, or told that there is none. */
  databaseIsAway = false;
  /** Agents as they were claimed, in turn. */
  readonly claims: ClaimedPresence[] = [];
  /** Every presence that was written, in turn. */
  readonly written: Presence[] = [];
  /** Offers that were shown though their claim was over. */
  readonly shownLate: ClickToDialOffer[] = [];
  /** Every softphone that ever was, also those that were taken over. */
  readonly softphones: ScriptedSoftphone[] = [];
  readonly problems: unknown[] = [];
  readonly #clock: ManualClock;
  readonly #services: Services;
  readonly #registry = createSoftphoneRegistry();
  readonly #companyKey: Principal;
  readonly #newId = createIdSource();
  readonly #background: PeriodicTask[];
  /** The newest presence of each agent that the store has told of. */
  readonly #known = new Map<AgentId, Presence>();
  #underWay = 0;
  #delays: number[] = [0];
  #delayed = 0;

  constructor(store: PresenceStore, clock: ManualClock, agents: number) {
    this.#clock = clock;
    const companyId = this.#newId<CompanyId>();
    this.#companyKey = { kind: 'company_key', companyId, keyPrefix: 'rk_test' };
    this.#services = this.#compose(this.#watched(store), companyId);
    this.seats = Array.from({ length: agents }, (_, at) => {
      const agentId = this.#newId<AgentId>();
      const principal = {
        kind: 'agent',
        companyId,
        agentId,
        agentCode: `a${at}`,
        role: 'agent',
        ledTeamIds: null,
      } as const;
      const empty = { sessionId: null, lease: null, connected: false, connecting: Promise.resolve() };
      return { agentId, principal, softphone: this.#softphone(at), ...empty };
    });
    this.#background = [
      createPeriodicTask(this.#services, {
        everyMs: 200,
        name: 'sweep',
        round: async () => void (await sweepPresence(this.#services)),
      }),
      createPeriodicTask(this.#services, {
        everyMs: 30_000,
        name: 'reap',
        round: async () => void (await reapCalls(this.#services, false)),
      }),
    ];
    for (const task of this.#background) task.start();
  }

  async close(): Promise<void> {
    await Promise.all(this.#background.map((task) => task.stop()));
  }

  /** What a gateway has, for what a test does in place of one. */
  get services(): Services {
    return this.#services;
  }

  /** From now on each store operation waits so many turns of the event loop, or ms from 1,000 on; over and over. */
  delay(delays: number[]): void {
    this.#delays = delays;
    this.#delayed = 0;
  }

  /** A click of the company's key. `at`: which agent is named; null: whoever is idle longest. */
  async click(at: number | null, fallback: boolean): Promise<ClickedRoom> {
    const body: ClickToAccountRequest = {
      phone_number: '+15551230001',
      ...(at === null ? {} : { agent_id: this.#seat(at).agentId }),
      ...(fallback ? { fallback: 'any' } : {}),
    };
    const failed = { kind: 'refused', code: 'dependency_unavailable' } as const;
    const outcome = await clickToDial(this.#services, this.#companyKey, body, null).catch(() => failed);
    if (outcome.kind === 'refused') return { kind: 'refused', code: outcome.code };
    if (outcome.value.replayed) throw new Error('nothing was remembered');
    return { kind: 'ok', callId: outcome.value.answer.call_id };
  }

  /** The agent's softphone connects: again with its session, or as another one that takes over. One after the other. */
  connect(at: number, takeOver = false): Promise<void> {
    const seat = this.#seat(at);
    return (seat.connecting = seat.connecting.then(() => this.#connect(at, seat, takeOver)));
  }

  async #connect(at: number, seat: Seat, takeOver: boolean): Promise<void> {
    const before = seat.softphone;
    const lease = this.#newId<Lease>();
    const opened = await openSession(this.#services, seat.principal, {
      asked: takeOver ? null : seat.sessionId,
      lease,
    });
    if (opened.kind === 'refused') throw new Error('the session of this seat is its own');
    // One that was taken over keeps its connection, and only learns of it.
    if (takeOver) {
      before.replaced = true;
      seat.softphone = this.#softphone(at);
    } else before.disconnect();
    const { sessionId, presence } = opened.value;
    Object.assign(seat, { sessionId, lease, connected: true });
    const { companyId, agentId } = seat.principal;
    const socket = seat.softphone.connect();
    const owned = {
      companyId,
      agentId,
      socket,
      sessionId,
      lease,
      takesListeners: false,
      takesTransfers: true,
      openedAt: presence.connectionSince,
      presence,
    };
    this.#registry.own({ ...owned, offer: null, awaiting: null, rescinded: null, isShown: true, untold: null });
    const [call] = await this.record.store.findActive(companyId, agentId);
    if (call !== undefined) seat.softphone.learnCall(callView(call));
  }

  /** The line breaks. */
  async leave(at: number): Promise<void> {
    const seat = this.#seat(at);
    const { agentId, lease } = seat;
    if (!seat.connected || lease === null) return;
    seat.connected = false;
    seat.softphone.disconnect();
    this.#registry.release(agentId, lease);
    await loseConnection(this.#services, { companyId: seat.principal.companyId, agentId, lease });
  }

  /** Asks for Ready; a refusal is for the caller to see in the presence. */
  async goReady(at: number): Promise<void> {
    const { agentId, lease, connected, principal } = this.#seat(at);
    if (!connected || lease === null) return;
    await setState(this.#services, { companyId: principal.companyId, agentId, lease }, { state: 'ready' });
  }

  /** The agent's call ends, if there is one. */
  async hangUp(at: number): Promise<void> {
    const { agentId, lease, connected, principal } = this.#seat(at);
    const callId = (await this.presence(at))?.callId ?? null;
    if (!connected || lease === null || callId === null) return;
    await reportProgress(this.#services, principal.companyId, agentId, lease, { callId, state: 'ended' });
  }

  presence(at: number): Promise<Presence | null> {
    const { agentId, principal } = this.#seat(at);
    return this.#services.presence.find(principal.companyId, agentId);
  }

  /** Lets time pass in steps, each when all that could be done before it is done. */
  async pass(ms: number, stepMs: number): Promise<void> {
    for (let left = ms; left > 0; left -= stepMs) {
      await this.#quiet();
      await this.#clock.advance(Math.min(left, stepMs));
    }
    await this.#quiet();
  }

  /** Waits for an action, and lets time pass only as far as the action waits for it. */
  async until<T>(action: Promise<T>, stepMs: number): Promise<T> {
    let over = false;
    const ended = () => void (over = true);
    action.then(ended, ended);
    await this.#quiet();
    while (!over) await this.pass(stepMs, stepMs);
    return action;
  }

  #seat(at: number): Seat {
    const seat = this.seats[at % this.seats.length];
    if (seat === undefined) throw new Error('there is at least one seat');
    return seat;
  }

  #softphone(at: number): ScriptedSoftphone {
    const softphone = new ScriptedSoftphone(({ offer, answer }) => {
      if (this.#known.get(this.#seat(at).agentId)?.claimId !== offer.claim_id) this.shownLate.push(offer);
      switch (this.behaviors.shift() ?? 'acknowledge') {
        case 'acknowledge':
          return answer(true);
        case 'acknowledge_slowly':
          return void this.#clock.after(1_500, () => answer(true));
        case 'acknowledge_too_late':
          return void this.#clock.after(2_500, () => answer(true));
        case 'acknowledge_and_vanish':
          answer(true);
          return void this.leave(at);
        case 'decline':
          return answer(false);
        case 'stay_silent':
          return;
        case 'vanish':
          return void this.leave(at);
        case 'be_taken_over':
          return void this.connect(at, true).then(() => answer(true));
        case 'acknowledge_and_be_taken_over':
          // Its acknowledgement and the other softphone's session race for the claim.
          answer(true);
          return void this.connect(at, true);
      }
    });
    this.softphones.push(softphone);
    return softphone;
  }

  #compose(presence: PresenceStore, companyId: CompanyId): Services {
    const plain = plainCompany(companyId);
    const company: Company = {
      ...plain,
      settings: { ...plain.settings, wrap_up_seconds: 0 },
      crmProvider: 'custom',
      ctiConnector: 'none',
    };
    const cardOf = (id: AgentId) => ({ id, agentCode: id.slice(-3), name: id.slice(-3) });
    // Only what the click protocol reaches is here; anything else would fail loudly.
    const nodeId = this.#newId<NodeId>();
    const alone = () => {
      throw new Error('there is no other gateway');
    };
    const observer = {
      click: () => {},
      offer: () => {},
      repaired: () => {},
      problem: (_: string, error: unknown) => void this.problems.push(error),
    };
    const services = {
      clock: this.#clock,
      presence,
      calls: {
        ...this.record.store,
        create: (...args: Parameters<Services['calls']['create']>) => this.#create(...args),
        fate: (...args: Parameters<Services['calls']['fate']>) =>
          this.#askDatabase(() => this.record.store.fate(...args)),
        ruleOut: (...args: Parameters<Services['calls']['ruleOut']>) =>
          this.#askDatabase(() => this.record.store.ruleOut(...args)),
      },
      agents: {
        find: async (_: CompanyId, id: AgentId) => ({ kind: 'found', value: { ...cardOf(id), active: true } }),
      },
      screenPops: { find: async () => null },
      crmLookup: { find: async () => ({ kind: 'off' }), isPaused: () => false, forget: () => undefined },
      softphones: createSoftphoneGateway({
        registry: this.#registry,
        presence,
        clock: this.#clock,
        nodeId,
        softphoneServers: () => ({ local, link: alone as never }),
        broadcast: {
          revoke: alone,
          forget: alone,
          settingsChanged: alone,
          rightsChanged: alone,
          onRightsChanged: alone,
          task: alone,
          messagesChanged: alone,
          onMessages: alone,
          onForget: alone,
          // Nobody watches.
          toSupervisors: () => null,
          watched: alone,
          gap: alone,
        },
        onProblem: (_, error) => void this.problems.push(error),
      }),
      companyOf: async () => company,
      agentCard: async (_: CompanyId, id: AgentId) => cardOf(id),
      observer,
      retries: createRetryRegistry({ clock: this.#clock, observer }),
      countClick: () => {},
      dialsUnderWay: new Map(),
      unansweredClaims: new Map(),
      newId: () => this.#newId<SessionId>(),
      nodeId,
      wakeDispatcher: () => {},
    } as unknown as Services;
    const local = createLocalSoftphones({ registry: this.#registry, services });
    return services;
  }

  async #askDatabase<T>(ask: () => Promise<T>): Promise<T> {
    if (this.databaseIsAway) throw new Error('the database system is starting up');
    return ask();
  }

  async #create(...args: Parameters<Services['calls']['create']>): Promise<CreatedCall> {
    const recording = this.recordings.shift() ?? 'ok';
    if (recording !== 'not_sent') args[2]?.onSend?.();
    switch (recording) {
      case 'not_sent':
        // No connection is free for so long that the time is over.
        await new Promise<void>((resolve) => this.#clock.after(20_000, resolve));
        return 'too_late';
      case 'ok':
        return this.record.store.create(...args);
      case 'slow':
        await new Promise<void>((resolve) => this.#clock.after(900, resolve));
        return this.record.store.create(...args);
      case 'too_late':
        // Longer than the check of the record waits.
        await new Promise<void>((resolve) => this.#clock.after(20_000, resolve));
        return this.record.store.create(...args);
      case 'fails':
        throw new Error('the disk is full');
      case 'answer_lost':
        await this.record.store.create(...args);
        throw new Error('the connection broke');
    }
  }

  /** Each operation takes a few turns, so that those of several clicks meet in any order. */
  #watched(store: PresenceStore): PresenceStore {
    const delayed = async <T>(operation: () => Promise<T>): Promise<T> => {
      const delay = this.#delays[this.#delayed++ % this.#delays.length] ?? 0;
      if (delay >= 1_000) await new Promise<void>((resolve) => this.#clock.after(delay, resolve));
      this.#underWay += 1;
      try {
        for (let turn = 0; turn < delay && delay < 1_000; turn++) await nextTurn();
        return await operation();
      } finally {
        this.#underWay -= 1;
      }
    };
    // Answers of the store may overtake each other here.
    const note = (presence: Presence) => {
      this.written.push(presence);
      if (presence.state === 'offline') this.#known.delete(presence.agentId);
      else if ((this.#known.get(presence.agentId)?.version ?? 0) < presence.version)
        this.#known.set(presence.agentId, presence);
    };
    return {
      ...store,
      find: (...args) => delayed(() => store.find(...args)),
      due: (...args) => delayed(() => store.due(...args)),
      claim: (...args) =>
        delayed(async () => {
          const outcome = await store.claim(...args);
          if (outcome.kind === 'claimed') {
            note(outcome.presence);
            const [, { claimId }] = args;
            this.claims.push({ ...outcome.presence, claimId });
          }
          if (this.lostAnswers.shift() === true) throw new Error('Command timed out');
          return outcome;
        }),
      commit: (companyId, version, next) =>
        delayed(async () => {
          const outcome = await store.commit(companyId, version, next);
          if (outcome === 'committed') note(next);
          return outcome;
        }),
    };
  }

  /** Resolves when nothing goes on any more but what waits for the clock. */
  async #quiet(): Promise<void> {
    for (let turns = 0; turns < 4; turns = this.#underWay === 0 ? turns + 1 : 0) await nextTurn();
  }
}
