import type { Softphone } from '../../../../../src/client/softphone.ts';
import type { AgentStateView } from '../../../../../src/contract/agents.ts';
import type { CallView } from '../../../../../src/contract/calls.ts';
import type { ClickToDialOffer, TransferOffer } from '../../../../../src/contract/socket.ts';
import type { Phone } from '../../../lib/sip/phone.ts';
import {
  type CallKey,
  nextCallKey,
  type PhoneCall,
  type PhoneDialog,
  type PhoneEnd,
} from '../../../lib/sip/phoneCall.ts';
import type { LeftDialogStorage, TabDialogStorage } from '../dialogStorage.ts';
import type { PhoneManager } from '../phoneManager.ts';
import type { ProgressReports } from '../progressReports.ts';
import type { Timers } from '../timers.ts';
import { CannotNow, type DialOptions, type NoticeMessage } from '../workplace.ts';
import { type CallEffects, readinessOf, type Sounds } from './callEffects.ts';
import { CallPlace } from './callPlace.ts';
import { CallPlaces } from './callPlaces.ts';
import { CallRecords } from './callRecords.ts';
import { awaitedIdOf, callIdOf, sessionOf, usesPhone, type CallState } from './callState.ts';
import { OrphanedCalls } from './orphanedCalls.ts';
import { toldSipCallId } from './toldCaller.ts';
import { TabHandover, type Channel, type TabHandoverListener } from './tabHandover.ts';

export type CallControllerNeeds = {
  softphone: Softphone;
  reports: ProgressReports;
  phones: PhoneManager;
  timers: Timers;
  sounds: Sounds;
  dialogs: TabDialogStorage;
  left: LeftDialogStorage;
  /** Reaches the other tabs of this browser; null: there is no way. */
  channel: Channel | null;
  tell: (kind: 'info' | 'problem', message: NoticeMessage) => void;
  /** The gateway is to know that this page has hung up, and is gone. */
  tellLeft: (callId: string) => void;
  changed: () => void;
};

/** Why an agent is Not Ready whom the gateway has not heard of for long: signed in anew, or a ring has lapsed. */
const lapseReasons: ReadonlySet<string> = new Set(['login', 'no_answer', 'connection_lost']);

/**
 * Runs the calls of this page: hands to the machine what happens to each, and does what the machine says. There is one
 * in front, which the agent talks in, and may be one behind it (see twoCalls.ts).
 */
export class CallController {
  readonly #needs: CallControllerNeeds;
  readonly #records: CallRecords;
  readonly #orphans: OrphanedCalls;
  readonly #tabs: TabHandover | null;
  readonly #places: CallPlaces;

  constructor(needs: CallControllerNeeds) {
    this.#needs = needs;
    const { channel, softphone, timers } = needs;
    this.#records = new CallRecords({
      ...needs,
      send: (key, event) => this.#places.sendFor(key, event),
      isPending: (key) => sessionOf(this.#places.of(key)?.state ?? idle)?.record.kind === 'pending',
    });
    this.#orphans = new OrphanedCalls({
      ...needs,
      askTabs: (callId) => this.#tabs?.ask(callId) ?? Promise.resolve(null),
      release: (dialog) => this.#effects.release(dialog),
      onFound: (call) => {
        const place = this.#places.forOrphan(call, softphone.secondCall !== null);
        place.send({ type: 'orphan_found', key: nextCallKey(), call });
      },
    });
    const handover: TabHandoverListener = {
      has: (callId) => this.#places.with(callId) !== null,
      isReplaced: () => softphone.line === 'replaced',
      give: (callId) => this.#give(callId),
      done: (callId, isThere) => this.#places.with(callId)?.send({ type: 'handover_done', callId, isThere }),
    };
    this.#tabs = channel === null ? null : new TabHandover(channel, timers, handover);
    this.#places = new CallPlaces({
      ...needs,
      newPlace: (shared) =>
        new CallPlace({ ...needs, ...shared, records: this.#records, orphans: this.#orphans, tabs: this.#tabs }),
    });
  }

  /** See CallRecords. */
  get turnedAway(): string | null {
    return this.#records.turnedAway;
  }
  /** Of the call in front. */
  get state(): CallState {
    return this.#places.front.state;
  }
  /** Of the one behind it. */
  get behind(): CallState {
    return this.#places.behind.state;
  }
  /** See CallPlaces. */
  get isTurning(): boolean {
    return this.#places.isTurning;
  }
  /** See CallPlaces. */
  isBehind(callId: string): boolean {
    return this.#places.isBehind(callId);
  }
  /** Whether there is a call at this page, or one is on its way here. */
  get hasCall(): boolean {
    return this.#places.all.some(({ state }) => sessionOf(state) !== null);
  }
  /** Whether the phone is in a call, so that replacing it would end one. */
  get usesPhone(): boolean {
    return this.#places.all.some(({ state }) => usesPhone(state));
  }

  /** By which the phone knows the call in front; null: there is none. */
  get key(): CallKey | null {
    return sessionOf(this.#places.front.state)?.key ?? null;
  }

  /** The call in front as its phone has it; null: there is none, or the phone has nothing of it. */
  get phoneCall(): PhoneCall | null {
    return this.#places.phoneCallOf(this.#places.front);
  }

  /** The same of either call; null also: the page has it no more. */
  phoneCallOf(key: CallKey): PhoneCall | null {
    const place = this.#places.of(key);
    return place === null ? null : this.#places.phoneCallOf(place);
  }

  // The agent.

  /** Dials by hand. Rejects with SoftphoneRefusal or CannotNow. */
  async dial(phoneNumber: string, options?: DialOptions): Promise<CallView> {
    const place = this.#places.front;
    if (place.state.phase !== 'idle') throw new CannotNow('in_call');
    const key = nextCallKey();
    place.send({ type: 'dial', key });
    try {
      return await this.#records.request(key, phoneNumber, options);
    } catch (error) {
      const { call } = this.#needs.softphone;
      // The answer was lost, and the gateway has told of the call all the same.
      if (call !== null && place.callIdOf(key) === call.id) return call;
      this.#places.sendFor(key, { type: 'dial_refused' });
      // It may have been begun all the same.
      this.#orphans.check();
      throw error;
    }
  }

  answer(): void {
    this.#places.front.send({ type: 'answer' });
  }

  decline(): void {
    this.#places.front.send({ type: 'decline' });
  }

  /** Ends the call in front at once, whatever the connection to the gateway does. */
  hangUp(): void {
    const { softphone, reports } = this.#needs;
    const { call } = softphone;
    const lasts = call !== null && call.state !== 'ended' && !reports.isEnding(call.id);
    const end: PhoneEnd = { reason: call?.answered_at == null ? 'canceled' : 'completed', endedBy: 'agent' };
    this.#places.front.send({ type: 'hang_up', orphan: lasts ? { callId: call.id, end } : null });
  }

  /** See CallPlaces. */
  turn(): void {
    this.#places.turn();
  }

  declineBehind(): void {
    this.#places.behind.send({ type: 'decline' });
  }

  // The phone. Mute, hold and tones are asked of `phoneCall` itself, which tells what has become of them.

  /** From now on this is the agent's phone. */
  use(phone: Phone | null): void {
    if (phone === null) return;
    phone.on('incoming', (key, caller) => {
      const isServed = !['replaced', 'refused', 'closed'].includes(this.#needs.softphone.line);
      this.#places.forCaller().send({ type: 'incoming', key, caller, isServed });
      // Of one that the gateway is yet to know, it is told with who calls.
      if (caller.sipCallId !== undefined) this.#carry(key, caller.sipCallId);
    });
    phone.on('turnedAway', (caller) => this.#effects.run({ do: 'turn_away', caller }));
    phone.on('call', (key, event) => {
      if (event.type === 'placed') this.#carry(key, event.sipCallId);
      else this.#places.sendFor(key, event);
      if (event.type === 'held' && !event.isHeld) this.#places.holdRefused(key);
    });
    phone.on('problem', (problem) => this.#effects.run({ do: 'notify', kind: 'problem', notice: problem }));
    for (const place of this.#places.all) place.effects.use(phone);
  }

  /** The call is that SIP call. */
  #carry(key: CallKey, sipCallId: string): void {
    const place = this.#places.of(key);
    const callId = place === null ? null : callIdOf(place.state);
    if (callId !== null) this.#needs.reports.carry(callId, toldSipCallId(sipCallId));
  }

  /** There is another phone, or its line has changed. */
  phoneChanged(): void {
    const { reportsByHand } = this.#needs.phones.can;
    const phone = readinessOf(this.#needs.phones);
    for (const place of this.#places.all) {
      const { phase } = place.state;
      if (phase === 'recovering' || phase === 'awaiting_phone')
        place.send({ type: 'phone_changed', phone, reportsByHand });
    }
  }

  // The gateway.

  /** @returns whether a click can be dialed */
  acceptOffer(callId: string): boolean {
    this.#places.front.send({ type: 'make_way' });
    this.#places.front.send({ type: 'offer', callId });
    const { state } = this.#places.front;
    return state.phase === 'offered' && state.callId === callId;
  }

  /** @returns whether a call that a colleague hands on can be taken */
  acceptTransfer(offer: TransferOffer): boolean {
    this.#places.front.send({ type: 'transfer_offered', offer });
    const { state } = this.#places.front;
    return state.phase === 'expecting' && state.offer.call_id === offer.call_id;
  }

  /** That click will not be made. */
  withdrawOffer(callId: string): void {
    this.#places.front.send({ type: 'offer_withdrawn', callId });
  }

  /** The gateway has confirmed a click, and recorded it. */
  confirmDial({ call_id: callId, phone_number: phoneNumber, caller_id: callerId }: ClickToDialOffer): void {
    const { call } = this.#needs.softphone;
    this.#places.front.send({
      type: 'dial_confirmed',
      key: nextCallKey(),
      callId,
      phoneNumber,
      callerId: callerId ?? null,
      call: call?.id === callId ? call : null,
    });
  }

  /** The gateway has told of a call. */
  hear(call: CallView): void {
    const { behind, front, isBehindUnrecorded } = this.#places;
    const place = this.#places.about(call.id) ?? (isBehindUnrecorded ? behind : front);
    place.send({ type: 'call_told', call, isEnding: this.#needs.reports.isEnding(call.id) });
  }

  /** The connection is back, and the gateway has said what the agent does. */
  resync({ state, reason, call_id: first, second_call_id: second = null }: AgentStateView): void {
    const isLapse = state === 'not_ready' && reason !== null && lapseReasons.has(reason);
    for (const place of this.#places.busy) {
      const callId = second !== null && awaitedIdOf(place.state) === second ? second : first;
      place.send({ type: 'resynced', callId, isLapse });
    }
  }

  /** Fetches the calls that the gateway knows and this page does not, or ends them where there is nothing to fetch. */
  checkOrphans(): void {
    this.#orphans.check();
  }

  // Tabs and page.

  /** Another page has taken the softphone over. */
  beReplaced(): void {
    this.#declineRinging();
    for (const place of this.#places.busy) place.send({ type: 'replaced' });
    this.#tabs?.beReplaced();
  }

  /** The agent has come back to this page. */
  takeBack(): void {
    for (const place of this.#places.busy) place.send({ type: 'taken_back' });
  }

  /** The page is going: calls that nobody has answered end, and the gateway is told. */
  leave(): void {
    const { reportsByHand } = this.#needs.phones.can;
    for (const place of this.#places.busy) place.send({ type: 'leaving', reportsByHand });
  }

  /** Nothing of a call is told any more. @param isForGood no page comes to fetch it */
  close(isForGood: boolean): void {
    // A call at a telephone on the desk needs no page.
    const left = { type: 'left', isForGood: isForGood && !this.#needs.phones.can.reportsByHand } as const;
    for (const place of this.#places.busy) place.send(left);
    this.#orphans.stop();
    this.#tabs?.close();
  }

  /** For what is about no call of its own. */
  get #effects(): CallEffects {
    return this.#places.front.effects;
  }

  /** Gives a call's audio to another tab; null: this page does not have it. */
  #give(callId: string): PhoneDialog | null {
    const place = this.#places.with(callId);
    if (place === null) return null;
    const dialog = this.#places.phoneCallOf(place)?.dialog ?? null;
    place.send({ type: 'dialog_asked', callId, dialog });
    return place.state.phase === 'handed_over' && callIdOf(place.state) === callId ? dialog : null;
  }

  /** Who rings behind a call is left to the page that takes over, and not to the phone that is let go for it. */
  #declineRinging(): void {
    const { phase } = this.#places.behind.state;
    if (phase === 'ringing' || phase === 'answering')
      this.#places.behind.send({ type: 'leaving', reportsByHand: false });
  }
}

const idle: CallState = { phase: 'idle' };
