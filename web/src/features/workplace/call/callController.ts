import type { Softphone } from '../../../../../src/client/softphone.ts';
import type { AgentStateView } from '../../../../../src/contract/agents.ts';
import type { CallView } from '../../../../../src/contract/calls.ts';
import type { ClickToDialOffer, TransferOffer } from '../../../../../src/contract/socket.ts';
import type { Phone } from '../../../lib/sip/phone.ts';
import { type CallKey, nextCallKey, type PhoneCall, type PhoneEnd } from '../../../lib/sip/phoneCall.ts';
import type { LeftDialogStorage, TabDialogStorage } from '../dialogStorage.ts';
import type { PhoneManager } from '../phoneManager.ts';
import type { ProgressReports } from '../progressReports.ts';
import type { Timers } from '../timers.ts';
import { CannotNow, type DialOptions, type NoticeMessage } from '../workplace.ts';
import { CallEffects, readinessOf, type Sounds } from './callEffects.ts';
import type { CallEvent } from './callEvents.ts';
import { CallLoop } from './callLoop.ts';
import { CallRecords } from './callRecords.ts';
import { callIdOf, sessionOf, type CallState } from './callState.ts';
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

/** Runs the call of this page: hands to the machine what happens to it, and does what the machine says. */
export class CallController {
  readonly #needs: CallControllerNeeds;
  readonly #records: CallRecords;
  readonly #orphans: OrphanedCalls;
  readonly #tabs: TabHandover | null;
  readonly #effects: CallEffects;
  readonly #loop: CallLoop;

  constructor(needs: CallControllerNeeds) {
    this.#needs = needs;
    const { channel, timers } = needs;
    const loop = new CallLoop({
      now: () => timers.now(),
      run: (effect) => this.#effects.run(effect),
      changed: needs.changed,
    });
    this.#loop = loop;
    const send = (event: CallEvent) => loop.send(event);
    const sendFor = (key: CallKey, event: CallEvent) => loop.sendFor(key, event);
    this.#records = new CallRecords({
      ...needs,
      send: sendFor,
      isPending: (key) => loop.isCurrent(key) && sessionOf(loop.state)?.record.kind === 'pending',
    });
    this.#orphans = new OrphanedCalls({
      ...needs,
      askTabs: (callId) => this.#tabs?.ask(callId) ?? Promise.resolve(null),
      release: (dialog) => this.#effects.release(dialog),
      onFound: (call) => loop.send({ type: 'orphan_found', key: nextCallKey(), call }),
    });
    const handover: TabHandoverListener = {
      has: (callId) => callIdOf(loop.state) === callId,
      isReplaced: () => needs.softphone.line === 'replaced',
      give: (callId) => {
        const dialog = this.phoneCall?.dialog ?? null;
        this.#loop.send({ type: 'dialog_asked', callId, dialog });
        return loop.state.phase === 'handed_over' && callIdOf(loop.state) === callId ? dialog : null;
      },
      settled: (callId, isThere) => this.#loop.send({ type: 'handover_settled', callId, isThere }),
    };
    this.#tabs = channel === null ? null : new TabHandover(channel, timers, handover);
    this.#effects = new CallEffects({
      ...needs,
      records: this.#records,
      orphans: this.#orphans,
      tabs: this.#tabs,
      send,
      sendFor,
    });
  }

  /** See CallRecords. */
  get turnedAway(): string | null {
    return this.#records.turnedAway;
  }
  get state(): CallState {
    return this.#loop.state;
  }
  /** Whether there is a call at this page, or one is on its way here. */
  get hasCall(): boolean {
    return sessionOf(this.#loop.state) !== null;
  }

  /** The page's call as its phone has it; null: there is none, or the phone has nothing of it. */
  get phoneCall(): PhoneCall | null {
    const session = sessionOf(this.#loop.state);
    return session === null ? null : (this.#needs.phones.phone?.call(session.key) ?? null);
  }

  // The agent.

  /** Dials by hand. Rejects with SoftphoneRefusal or CannotNow. */
  async dial(phoneNumber: string, options?: DialOptions): Promise<CallView> {
    if (this.#loop.state.phase !== 'idle') throw new CannotNow('in_call');
    const key = nextCallKey();
    this.#loop.send({ type: 'dial', key });
    try {
      return await this.#records.request(key, phoneNumber, options);
    } catch (error) {
      const { call } = this.#needs.softphone;
      // The answer was lost, and the gateway has told of the call all the same.
      if (call !== null && this.#loop.callIdOf(key) === call.id) return call;
      this.#loop.sendFor(key, { type: 'dial_refused' });
      // It may have been begun all the same.
      this.#orphans.check();
      throw error;
    }
  }

  answer(): void {
    this.#loop.send({ type: 'answer' });
  }

  decline(): void {
    this.#loop.send({ type: 'decline' });
  }

  /** Ends the call at once, whatever the connection to the gateway does. */
  hangUp(): void {
    const { softphone, reports } = this.#needs;
    const { call } = softphone;
    const lasts = call !== null && call.state !== 'ended' && !reports.isEnding(call.id);
    const end: PhoneEnd = { reason: call?.answered_at == null ? 'canceled' : 'completed', endedBy: 'agent' };
    this.#loop.send({ type: 'hang_up', orphan: lasts ? { callId: call.id, end } : null });
  }

  // The phone. Mute, hold and tones are asked of `phoneCall` itself, which tells what has become of them.

  /** From now on this is the agent's phone. */
  use(phone: Phone | null): void {
    if (phone === null) return;
    phone.on('incoming', (key, caller) => {
      const isServed = !['replaced', 'refused', 'closed'].includes(this.#needs.softphone.line);
      this.#loop.send({ type: 'incoming', key, caller, isServed });
      // Of one that the gateway is yet to know, it is told with who calls.
      if (caller.sipCallId !== undefined) this.#carry(key, caller.sipCallId);
    });
    phone.on('turnedAway', (caller) => this.#effects.run({ do: 'turn_away', caller }));
    phone.on('call', (key, event) => {
      if (event.type === 'placed') this.#carry(key, event.sipCallId);
      else this.#loop.sendFor(key, event);
    });
    phone.on('problem', (problem) => this.#effects.run({ do: 'notify', kind: 'problem', notice: problem }));
    this.#effects.use(phone);
  }

  /** The call is that SIP call. */
  #carry(key: CallKey, sipCallId: string): void {
    const callId = callIdOf(this.#loop.state);
    if (callId !== null && this.#loop.isCurrent(key)) this.#needs.reports.carry(callId, toldSipCallId(sipCallId));
  }

  /** There is another phone, or its line has changed. */
  phoneChanged(): void {
    const { phase } = this.#loop.state;
    if (phase !== 'recovering' && phase !== 'awaiting_phone') return;
    const { reportsByHand } = this.#needs.phones.can;
    this.#loop.send({ type: 'phone_changed', phone: readinessOf(this.#needs.phones), reportsByHand });
  }

  // The gateway.

  /** @returns whether a click can be dialed */
  acceptOffer(callId: string): boolean {
    this.#loop.send({ type: 'make_way' });
    this.#loop.send({ type: 'offer', callId });
    const { state } = this.#loop;
    return state.phase === 'offered' && state.callId === callId;
  }

  /** @returns whether a call that a colleague hands on can be taken */
  acceptTransfer(offer: TransferOffer): boolean {
    this.#loop.send({ type: 'transfer_offered', offer });
    const { state } = this.#loop;
    return state.phase === 'expecting' && state.offer.call_id === offer.call_id;
  }

  /** That click will not be made. */
  withdrawOffer(callId: string): void {
    this.#loop.send({ type: 'offer_withdrawn', callId });
  }

  /** The gateway has confirmed a click, and recorded it. */
  confirmDial({ call_id: callId, phone_number: phoneNumber, caller_id: callerId }: ClickToDialOffer): void {
    const { call } = this.#needs.softphone;
    this.#loop.send({
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
    this.#loop.send({ type: 'call_told', call, isEnding: this.#needs.reports.isEnding(call.id) });
  }

  /** The connection is back, and the gateway has said what the agent does. */
  resync({ state, reason, call_id: callId }: AgentStateView): void {
    const isLapse = state === 'not_ready' && reason !== null && lapseReasons.has(reason);
    this.#loop.send({ type: 'resynced', callId, isLapse });
  }

  /** Fetches the call that the gateway knows and this page does not, or ends it where there is nothing to fetch. */
  checkOrphans(): void {
    this.#orphans.check();
  }

  // Tabs and page.

  /** Another page has taken the softphone over. */
  beReplaced(): void {
    this.#loop.send({ type: 'replaced' });
    this.#tabs?.beReplaced();
  }

  /** The agent has come back to this page. */
  takeBack(): void {
    this.#loop.send({ type: 'taken_back' });
  }

  /** The page is going: calls that nobody has answered end, and the gateway is told. */
  leave(): void {
    this.#loop.send({ type: 'leaving', reportsByHand: this.#needs.phones.can.reportsByHand });
  }

  /** Nothing of a call is told any more. @param isForGood no page comes to fetch it */
  close(isForGood: boolean): void {
    // A call at a telephone on the desk needs no page.
    this.#loop.send({ type: 'left', isForGood: isForGood && !this.#needs.phones.can.reportsByHand });
    this.#orphans.stop();
    this.#tabs?.close();
  }
}
