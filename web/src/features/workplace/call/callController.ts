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
import type { CallEvent } from './callEvents.ts';
import { CallPlace } from './callPlace.ts';
import { CallRecords } from './callRecords.ts';
import { CallSounds } from './callSounds.ts';
import { callIdOf, isTalk, sessionOf, usesPhone, type CallState } from './callState.ts';
import { OrphanedCalls } from './orphanedCalls.ts';
import { toldSipCallId } from './toldCaller.ts';
import { TabHandover, type Channel, type TabHandoverListener } from './tabHandover.ts';
import { hasRoomBehind, mayTurn, stepsOf, type Turn, type TurnStep } from './twoCalls.ts';

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
 * Runs the calls of this page: hands to the machine what happens to each, and does what the machine says. There is one in
 * front, which the agent talks in, and may be one behind it (see twoCalls.ts).
 */
export class CallController {
  readonly #needs: CallControllerNeeds;
  readonly #records: CallRecords;
  readonly #orphans: OrphanedCalls;
  readonly #tabs: TabHandover | null;
  readonly #sounds: CallSounds;
  #front: CallPlace;
  #behind: CallPlace;
  #turn: Turn = 'none';
  #isArranging = false;

  constructor(needs: CallControllerNeeds) {
    this.#needs = needs;
    const { channel, timers } = needs;
    this.#sounds = new CallSounds(needs.sounds, () => this.#places.some(({ state }) => isTalk(state)));
    this.#records = new CallRecords({
      ...needs,
      send: (key, event) => this.#sendFor(key, event),
      isPending: (key) => sessionOf(this.#placeOf(key)?.state ?? idle)?.record.kind === 'pending',
    });
    this.#orphans = new OrphanedCalls({
      ...needs,
      askTabs: (callId) => this.#tabs?.ask(callId) ?? Promise.resolve(null),
      release: (dialog) => this.#effects.release(dialog),
      onFound: (call) => this.#placeForOrphan(call).send({ type: 'orphan_found', key: nextCallKey(), call }),
    });
    const handover: TabHandoverListener = {
      has: (callId) => this.#placeWith(callId) !== null,
      isReplaced: () => needs.softphone.line === 'replaced',
      give: (callId) => this.#give(callId),
      settled: (callId, isThere) => this.#placeWith(callId)?.send({ type: 'handover_settled', callId, isThere }),
    };
    this.#tabs = channel === null ? null : new TabHandover(channel, timers, handover);
    this.#front = this.#newPlace();
    this.#behind = this.#newPlace();
  }

  /** See CallRecords. */
  get turnedAway(): string | null {
    return this.#records.turnedAway;
  }
  /** Of the call in front. */
  get state(): CallState {
    return this.#front.state;
  }
  /** Of the one behind it. */
  get behind(): CallState {
    return this.#behind.state;
  }
  /** Whether the agent is about to talk in the one behind. */
  get isTurning(): boolean {
    return this.#turn !== 'none';
  }
  /** Whether the gateway's word of a call is of the one behind: that has this id, or is yet to get one. */
  isBehind(callId: string): boolean {
    const record = sessionOf(this.#behind.state)?.record;
    return record?.kind === 'pending'
      ? callIdOf(this.#front.state) !== callId
      : callIdOf(this.#behind.state) === callId;
  }
  /** Whether there is a call at this page, or one is on its way here. */
  get hasCall(): boolean {
    return this.#places.some(({ state }) => sessionOf(state) !== null);
  }
  /** Whether the phone is in a call, so that replacing it would end one. */
  get usesPhone(): boolean {
    return this.#places.some(({ state }) => usesPhone(state));
  }

  /** By which the phone knows the call in front; null: there is none. */
  get key(): CallKey | null {
    return sessionOf(this.#front.state)?.key ?? null;
  }

  /** The call in front as its phone has it; null: there is none, or the phone has nothing of it. */
  get phoneCall(): PhoneCall | null {
    return this.#phoneCallOf(this.#front);
  }

  // The agent.

  /** Dials by hand. Rejects with SoftphoneRefusal or CannotNow. */
  async dial(phoneNumber: string, options?: DialOptions): Promise<CallView> {
    const place = this.#front;
    if (place.state.phase !== 'idle') throw new CannotNow('in_call');
    const key = nextCallKey();
    place.send({ type: 'dial', key });
    try {
      return await this.#records.request(key, phoneNumber, options);
    } catch (error) {
      const { call } = this.#needs.softphone;
      // The answer was lost, and the gateway has told of the call all the same.
      if (call !== null && place.callIdOf(key) === call.id) return call;
      this.#sendFor(key, { type: 'dial_refused' });
      // It may have been begun all the same.
      this.#orphans.check();
      throw error;
    }
  }

  answer(): void {
    this.#front.send({ type: 'answer' });
  }

  decline(): void {
    this.#front.send({ type: 'decline' });
  }

  /** Ends the call in front at once, whatever the connection to the gateway does. */
  hangUp(): void {
    const { softphone, reports } = this.#needs;
    const { call } = softphone;
    const lasts = call !== null && call.state !== 'ended' && !reports.isEnding(call.id);
    const end: PhoneEnd = { reason: call?.answered_at == null ? 'canceled' : 'completed', endedBy: 'agent' };
    this.#front.send({ type: 'hang_up', orphan: lasts ? { callId: call.id, end } : null });
  }

  /** Answers the call behind, or goes on with it, once the one in front is on hold. */
  turn(): void {
    if (this.#turn !== 'none' || !mayTurn(this.#front.state, this.#behind.state)) return;
    this.#turn = 'wanted';
    this.#changed();
  }

  declineBehind(): void {
    this.#behind.send({ type: 'decline' });
  }

  // The phone. Mute, hold and tones are asked of `phoneCall` itself, which tells what has become of them.

  /** From now on this is the agent's phone. */
  use(phone: Phone | null): void {
    if (phone === null) return;
    phone.on('incoming', (key, caller) => {
      const isServed = !['replaced', 'refused', 'closed'].includes(this.#needs.softphone.line);
      this.#placeForCaller().send({ type: 'incoming', key, caller, isServed });
      // Of one that the gateway is yet to know, it is told with who calls.
      if (caller.sipCallId !== undefined) this.#carry(key, caller.sipCallId);
    });
    phone.on('turnedAway', (caller) => this.#effects.run({ do: 'turn_away', caller }));
    phone.on('call', (key, event) => {
      if (event.type === 'placed') this.#carry(key, event.sipCallId);
      else this.#sendFor(key, event);
      // The network does not hold the call: the agent stays in it.
      if (event.type === 'held' && !event.isHeld && this.#front.isCurrent(key) && this.#turn !== 'none') {
        this.#turn = 'none';
        this.#changed();
      }
    });
    phone.on('problem', (problem) => this.#effects.run({ do: 'notify', kind: 'problem', notice: problem }));
    for (const place of this.#places) place.effects.use(phone);
  }

  /** The call is that SIP call. */
  #carry(key: CallKey, sipCallId: string): void {
    const place = this.#placeOf(key);
    const callId = place === null ? null : callIdOf(place.state);
    if (callId !== null) this.#needs.reports.carry(callId, toldSipCallId(sipCallId));
  }

  /** There is another phone, or its line has changed. */
  phoneChanged(): void {
    const { reportsByHand } = this.#needs.phones.can;
    const phone = readinessOf(this.#needs.phones);
    for (const place of this.#places) {
      const { phase } = place.state;
      if (phase === 'recovering' || phase === 'awaiting_phone')
        place.send({ type: 'phone_changed', phone, reportsByHand });
    }
  }

  // The gateway.

  /** @returns whether a click can be dialed */
  acceptOffer(callId: string): boolean {
    this.#front.send({ type: 'make_way' });
    this.#front.send({ type: 'offer', callId });
    const { state } = this.#front;
    return state.phase === 'offered' && state.callId === callId;
  }

  /** @returns whether a call that a colleague hands on can be taken */
  acceptTransfer(offer: TransferOffer): boolean {
    this.#front.send({ type: 'transfer_offered', offer });
    const { state } = this.#front;
    return state.phase === 'expecting' && state.offer.call_id === offer.call_id;
  }

  /** That click will not be made. */
  withdrawOffer(callId: string): void {
    this.#front.send({ type: 'offer_withdrawn', callId });
  }

  /** The gateway has confirmed a click, and recorded it. */
  confirmDial({ call_id: callId, phone_number: phoneNumber, caller_id: callerId }: ClickToDialOffer): void {
    const { call } = this.#needs.softphone;
    this.#front.send({
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
    const isAsked = sessionOf(this.#behind.state)?.record.kind === 'pending';
    const place = this.#placeWith(call.id) ?? (isAsked ? this.#behind : this.#front);
    place.send({ type: 'call_told', call, isEnding: this.#needs.reports.isEnding(call.id) });
  }

  /** The connection is back, and the gateway has said what the agent does. */
  resync({ state, reason, call_id: first, second_call_id: second = null }: AgentStateView): void {
    const isLapse = state === 'not_ready' && reason !== null && lapseReasons.has(reason);
    for (const place of this.#busy) {
      const callId = second !== null && callIdOf(place.state) === second ? second : first;
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
    for (const place of this.#busy) place.send({ type: 'replaced' });
    this.#tabs?.beReplaced();
  }

  /** The agent has come back to this page. */
  takeBack(): void {
    for (const place of this.#busy) place.send({ type: 'taken_back' });
  }

  /** The page is going: calls that nobody has answered end, and the gateway is told. */
  leave(): void {
    const { reportsByHand } = this.#needs.phones.can;
    for (const place of this.#busy) place.send({ type: 'leaving', reportsByHand });
  }

  /** Nothing of a call is told any more. @param isForGood no page comes to fetch it */
  close(isForGood: boolean): void {
    // A call at a telephone on the desk needs no page.
    const left = { type: 'left', isForGood: isForGood && !this.#needs.phones.can.reportsByHand } as const;
    for (const place of this.#busy) place.send(left);
    this.#orphans.stop();
    this.#tabs?.close();
  }

  // The two places.

  get #places(): readonly CallPlace[] {
    return [this.#front, this.#behind];
  }

  /** Where there is something; at least the one in front. */
  get #busy(): readonly CallPlace[] {
    return this.#behind.state.phase === 'idle' ? [this.#front] : this.#places;
  }

  /** For what is about no call of its own. */
  get #effects(): CallEffects {
    return this.#front.effects;
  }

  #newPlace(): CallPlace {
    const place: CallPlace = new CallPlace({
      ...this.#needs,
      sounds: {
        ring: (which) => this.#sounds.ring(place, which),
        silence: () => this.#sounds.silence(place),
      },
      records: this.#records,
      orphans: this.#orphans,
      tabs: this.#tabs,
      hasOther: () => this.#places.some((other) => other !== place && usesPhone(other.state)),
      changed: () => this.#changed(),
    });
    return place;
  }

  #placeOf(key: CallKey): CallPlace | null {
    return this.#places.find((place) => place.isCurrent(key)) ?? null;
  }

  #placeWith(callId: string): CallPlace | null {
    return this.#places.find(({ state }) => callIdOf(state) === callId) ?? null;
  }

  /** For that call, if the page still has it. @returns whether it has */
  #sendFor(key: CallKey, event: CallEvent): boolean {
    const place = this.#placeOf(key);
    place?.send(event);
    return place !== null;
  }

  /** Where whoever calls now has a place, or hears that the agent is busy. */
  #placeForCaller(): CallPlace {
    const awaiting = this.#places.find(({ state }) => state.phase === 'awaiting_ring' || state.phase === 'expecting');
    if (awaiting !== undefined) return awaiting;
    const isAllowed = this.#needs.phones.settings?.call_waiting === true;
    return isAllowed && hasRoomBehind(this.#front.state, this.#behind.state) ? this.#behind : this.#front;
  }

  /** Of two calls that the gateway knows, one comes behind the other. */
  #placeForOrphan({ id }: CallView): CallPlace {
    const known = this.#placeWith(id);
    if (known !== null || this.#needs.softphone.secondCall === null) return known ?? this.#front;
    const { state } = this.#front;
    const isTaken = state.phase === 'awaiting_ring' || callIdOf(state) !== null;
    return isTaken && this.#behind.state.phase === 'idle' ? this.#behind : this.#front;
  }

  #phoneCallOf({ state }: CallPlace): PhoneCall | null {
    const session = sessionOf(state);
    return session === null ? null : (this.#needs.phones.phone?.call(session.key) ?? null);
  }

  /** Gives a call's audio to another tab; null: this page does not have it. */
  #give(callId: string): PhoneDialog | null {
    const place = this.#placeWith(callId);
    if (place === null) return null;
    const dialog = this.#phoneCallOf(place)?.dialog ?? null;
    place.send({ type: 'dialog_asked', callId, dialog });
    return place.state.phase === 'handed_over' && callIdOf(place.state) === callId ? dialog : null;
  }

  /** Who rings behind a call is left to the page that takes over, and not to the phone that is let go for it. */
  #declineRinging(): void {
    const { phase } = this.#behind.state;
    if (phase === 'ringing' || phase === 'answering') this.#behind.send({ type: 'leaving', reportsByHand: false });
  }

  #changed(): void {
    this.#arrange();
    this.#sounds.update();
    this.#needs.changed();
  }

  /** Does what follows from how the two calls stand. */
  #arrange(): void {
    if (this.#isArranging) return;
    this.#isArranging = true;
    try {
      for (
        let steps = stepsOf(this.#front.state, this.#behind.state, this.#turn);
        steps.length > 0;
        steps = stepsOf(this.#front.state, this.#behind.state, this.#turn)
      )
        for (const step of steps) this.#do(step);
    } finally {
      this.#isArranging = false;
    }
  }

  #do(step: TurnStep): void {
    switch (step) {
      case 'exchange':
        [this.#front, this.#behind] = [this.#behind, this.#front];
        return;
      case 'forget':
        this.#turn = 'none';
        return;
      case 'return':
        this.#turn = 'returning';
        return;
      case 'hold_front':
        this.#turn = 'holding';
        return this.phoneCall?.setHeld(true);
      case 'answer_front':
        return this.answer();
      case 'resume_front':
        return this.phoneCall?.setHeld(false);
    }
  }
}

const idle: CallState = { phase: 'idle' };
