import type { Softphone, SoftphoneRefusal } from '../../../../../src/client/softphone.ts';
import type { CallView } from '../../../../../src/contract/calls.ts';
import type { Caller, CallKey, PhoneEnd } from '../../../lib/sip/phoneCall.ts';
import { ReadyPause } from '../phoneWatch.ts';
import { isFinal, type ProgressReports } from '../progressReports.ts';
import type { Timers } from '../timers.ts';
import { callingEnd } from '../../../shared/otherEnd.ts';
import type { DialOptions, NoticeMessage } from '../workplace.ts';
import type { CallEvent } from './callEvents.ts';
import { isSameCaller } from './sameCaller.ts';
import { nameOf, ringOf, toldBy } from './toldCaller.ts';

type Needs = {
  softphone: Softphone;
  reports: ProgressReports;
  timers: Timers;
  tell: (kind: 'info' | 'problem', message: NoticeMessage) => void;
  /** Whether the page has that call, and the gateway is yet to say what it is. */
  isPending: (key: CallKey) => boolean;
  /** For that call, if the page still has it. @returns whether it has */
  send: (key: CallKey, event: CallEvent) => boolean;
};

/** What the gateway makes of a call that rings at the phone. */
type Announced =
  | { kind: 'recorded'; call: CallView }
  /** It does not take what the network told of who calls, as gateways of before took numbers alone. */
  | { kind: 'not_taken' }
  /** The agent has other things to do. */
  | { kind: 'refused' }
  /** The call ended, or was found, before the gateway could be asked. */
  | { kind: 'obsolete' };

/** While the gateway does not answer. Milliseconds. */
const againAfterMs = 2_000;
/** So often it is tried to tell of a caller of before. */
const mostTries = 100;

/**
 * Asks the gateway for the records of calls that begin at this page,
 * and tells it of those that ended before it answered.
 */
export class CallRecords {
  readonly #needs: Needs;
  readonly #pause: ReadyPause;
  /** Calls that the gateway has not answered for. */
  readonly #asked = new Set<CallKey>();
  /** How those of them ended that are over; null: it is not told. */
  readonly #ends = new Map<CallKey, PhoneEnd | null>();
  #turnedAway: string | null = null;

  constructor(needs: Needs) {
    this.#needs = needs;
    this.#pause = new ReadyPause(needs.softphone);
  }

  /** For a call that the agent dials by hand. Rejects with SoftphoneRefusal. */
  async request(key: CallKey, phoneNumber: string, options?: DialOptions): Promise<CallView> {
    this.#asked.add(key);
    try {
      const call = await this.#needs.softphone.startCall(phoneNumber, options);
      this.#take(key, call);
      return call;
    } finally {
      this.#close(key);
    }
  }

  /** For somebody who calls, however long it takes to reach the gateway. */
  async announce(key: CallKey, caller: Caller): Promise<void> {
    this.#asked.add(key);
    const announced = await this.#ask(key, caller);
    const isOver = this.#ends.has(key);
    if (announced.kind === 'recorded') this.#take(key, announced.call);
    this.#close(key);
    // Unless the gateway has told of it by other means.
    if (announced.kind === 'refused') this.#needs.send(key, { type: 'no_place' });
    if (announced.kind === 'not_taken' && !isOver) await this.#takeUnrecorded(key);
  }

  /** Who heard that the agent is busy is told to the gateway, however long it takes to reach it, and to the agent. */
  async turnAway(caller: Caller): Promise<void> {
    const { softphone, tell, timers } = this.#needs;
    let who: { phone: string | null; caller: string | null; customer_name: string | null } = {
      ...callingEnd(caller),
      customer_name: caller.displayName,
    };
    for (let tries = 0; tries < mostTries; tries += 1) {
      try {
        const call = await softphone.reportTurnedAway(toldBy(caller), nameOf(caller), ringOf(caller));
        this.#turnedAway = call.id;
        who = call;
        break;
      } catch (error) {
        // Gateways of before do not know of it.
        if (isFinal(error)) break;
      }
      await new Promise<void>((resolve) => timers.after(againAfterMs, resolve));
    }
    tell('info', { code: 'turned_away', who });
  }

  /** Whom the gateway recorded last as having heard that the agent is busy, by the call's id; null: nobody. */
  get turnedAway(): string | null {
    return this.#turnedAway;
  }

  /** The call is over before the gateway has answered. @param end null: it is not told */
  endLate(key: CallKey, end: PhoneEnd | null): void {
    if (this.#asked.has(key)) this.#ends.set(key, end);
  }

  /** The agent is Ready again, if that was paused for a call without a record. */
  resumeReady(): void {
    void this.#pause.end();
  }

  #take(key: CallKey, call: CallView): void {
    if (!this.#ends.has(key)) return void this.#needs.send(key, { type: 'recorded', call });
    const end = this.#ends.get(key) ?? null;
    if (end === null) return;
    // Only who talked can be handed on: the gateway takes it of no call that it counts as unanswered.
    if (end.reason === 'transferred') this.#needs.reports.add(call.id, { state: 'connected' });
    this.#needs.reports.add(call.id, { state: 'ended', end });
  }

  #close(key: CallKey): void {
    this.#asked.delete(key);
    this.#ends.delete(key);
  }

  /** The agent may talk to somebody whom the gateway does not take; it sends no call meanwhile. */
  async #takeUnrecorded(key: CallKey): Promise<void> {
    const state = this.#needs.softphone.agent?.state;
    const isFree = state === 'not_ready' || (state === 'ready' && (await this.#pause.begin()));
    if (!this.#needs.send(key, { type: isFree ? 'unrecorded' : 'no_place' })) this.resumeReady();
  }

  async #ask(key: CallKey, caller: Caller): Promise<Announced> {
    const { softphone, timers, isPending } = this.#needs;
    const name = nameOf(caller);
    do {
      try {
        const { call } = await softphone.incomingCall(toldBy(caller), name, ringOf(caller));
        return { kind: 'recorded', call };
      } catch (error) {
        if (isFinal(error) && !this.#isYielding(error, caller)) return this.#outcomeOf(error);
      }
      await new Promise<void>((resolve) => timers.after(againAfterMs, resolve));
    } while (isPending(key));
    return { kind: 'obsolete' };
  }

  /**
   * The agent's call is one that is just ending, or rang at the page before this one: it gives way to who calls now.
   */
  #isYielding({ code }: SoftphoneRefusal, caller: Caller): boolean {
    const { softphone, reports } = this.#needs;
    const { call } = softphone;
    if (code !== 'conflict' || call === null) return false;
    if (isRing(call) && !reports.isEnding(call.id) && !isSameCaller(call, caller.phoneNumber)) {
      reports.add(call.id, { state: 'ended', end: { reason: 'canceled', endedBy: 'customer' } });
    }
    return reports.isEnding(call.id);
  }

  #outcomeOf({ code }: SoftphoneRefusal): Announced {
    if (code === 'invalid_phone' || code === 'invalid_request') return { kind: 'not_taken' };
    // The agent has this very call where an answer of the gateway was lost.
    const { call, secondCall } = this.#needs.softphone;
    const rung = [secondCall, call].find((one) => one !== null && isRing(one) && !this.#needs.reports.isEnding(one.id));
    return rung == null ? { kind: 'refused' } : { kind: 'recorded', call: rung };
  }
}

function isRing({ state, trigger }: CallView): boolean {
  return state === 'ringing' && trigger === 'inbound_ring';
}
