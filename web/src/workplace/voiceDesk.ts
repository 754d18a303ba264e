import { SoftphoneRefusal } from '../../../src/client/softphone.ts';
import type { AgentStateView } from '../../../src/contract/agents.ts';
import type { CallView } from '../../../src/contract/calls.ts';
import type { Phone, PhoneDialog, PhoneEnd } from '../phone/phone.ts';
import type { AwaitedRing } from './awaitedRing.ts';
import { Callers } from './callers.ts';
import { CurrentVoice, type CurrentVoiceNeeds } from './currentVoice.ts';
import type { Voice } from './voice.ts';
import { VoiceProgress, type VoiceProgressNeeds } from './voiceProgress.ts';

type Needs = CurrentVoiceNeeds & Omit<VoiceProgressNeeds, 'current' | 'callers'> & { awaited: AwaitedRing };

/** An offer that was accepted becomes a dial by then, or never. Milliseconds. */
const promiseLastsMs = 15_000;

/**
 * Keeps the telephone's call and the gateway's call one and the same: what happens at the telephone is reported, what
 * the gateway has ended is hung up.
 */
export class VoiceDesk {
  readonly #needs: Needs;
  readonly #current: CurrentVoice;
  readonly #progress: VoiceProgress;
  /** The click that the agent's page has accepted, and not dialed yet. */
  #promised: { callId: string; until: number } | null = null;

  constructor(needs: Needs) {
    this.#needs = needs;
    this.#current = new CurrentVoice(needs);
    const isPromised = () => this.#promised !== null && this.#needs.timers.now() < this.#promised.until;
    const callers = new Callers({ ...needs, current: this.#current, isPromised });
    this.#progress = new VoiceProgress({ ...needs, current: this.#current, callers });
  }

  get voice(): Readonly<Voice> | null {
    return this.#current.voice;
  }

  /** From now on this is the agent's telephone. */
  use(phone: Phone | null): void {
    if (phone !== null) this.#progress.follow(phone);
    this.#current.use(phone);
  }

  /** Whether a click can be dialed. The gateway keeps the agent for it, and would have no place for who calls just now. */
  acceptOffer(callId: string): boolean {
    const { voice, phone } = this.#current;
    if (voice?.phase === 'incoming' && voice.callId === null && !voice.isUnrecorded && !voice.isAnswering) phone?.reject('busy');
    if (this.voice !== null) return false;
    this.#promised = { callId, until: this.#needs.timers.now() + promiseLastsMs };
    return true;
  }

  /** That click will not be made. */
  forgetOffer(callId: string): void {
    if (this.#promised?.callId === callId) this.#promised = null;
  }

  /** The gateway has confirmed a click: the telephone dials. */
  dial(callId: string, phoneNumber: string): void {
    this.forgetOffer(callId);
    // The agent has begun a call in the moment between the page's yes and the gateway's.
    if (this.voice !== null) return this.#needs.reports.add(callId, { state: 'ended', end: { reason: 'failed' } });
    const { call } = this.#needs.softphone;
    this.#current.begin({ callId, phase: 'outgoing', record: call?.id === callId ? call : null });
    this.#current.phone?.dial(phoneNumber);
  }

  /** Dials by hand. Throws SoftphoneRefusal. */
  async dialByHand(phoneNumber: string): Promise<CallView> {
    const voice = this.#current.begin({ callId: null, phase: 'outgoing' });
    try {
      const call = await this.#needs.softphone.startCall(phoneNumber);
      if (this.voice === voice) this.adopt(call);
      else if (voice.callId === null) this.#needs.reports.add(call.id, { state: 'ended', end: { reason: 'canceled', endedBy: 'agent' } });
      return call;
    } catch (error) {
      const { call } = this.#needs.softphone;
      // The answer was lost, and the gateway has told of the call all the same.
      if (voice.callId !== null && call?.id === voice.callId) return call;
      if (this.voice === voice) this.#current.clear();
      throw error;
    }
  }

  answer(): void {
    const { voice, phone } = this.#current;
    if (voice?.phase !== 'incoming' || voice.isAnswering) return;
    this.#needs.sounds.silence();
    this.#current.change({ isAnswering: true });
    phone?.answer();
  }

  reject(): void {
    if (this.voice?.phase === 'incoming') this.#current.phone?.reject();
  }

  /** Ends the call at once, whatever the line to the gateway does. */
  hangUp(): void {
    const { voice, phone } = this.#current;
    if (voice === null) return;
    const end: PhoneEnd = { reason: voice.phase === 'outgoing' ? 'canceled' : 'completed', endedBy: 'agent' };
    if (phone?.can.reportsByHand === true) return phone.reportEnded(end);
    if (voice.phase === 'incoming') return phone?.reject();
    // A call that is still being fetched was answered long ago; the telephone would take it for one that was not.
    if (voice.phase === 'recovering') this.#progress.end({ ...end, stands: true });
    const isTold = phone?.hangUp('after_tones') === true;
    // Where the telephone had nothing yet, nothing is told by it.
    if (!isTold && this.voice === voice) this.#progress.end(end);
  }

  /** The gateway has told of a call. */
  hear(call: CallView): void {
    if (call.state === 'ended') {
      if (this.#needs.awaited.call?.id === call.id) this.#needs.awaited.forget();
      this.endedByGateway(call.id);
    }
    else if (this.voice?.callId === call.id) this.#current.change({ record: call });
  }

  /**
   * The line is back: the gateway has the agent in the call still, or has ended it meanwhile. What it has ended only
   * because it heard nothing of the agent goes on at the telephone: nobody hangs up on a customer for that.
   */
  resync(agent: AgentStateView): void {
    const { voice } = this.#current;
    if (voice === null || voice.callId === null || voice.callId === agent.call_id) return;
    const isLapse = agent.state === 'not_ready' && agent.reason !== null && lapseReasons.has(agent.reason);
    if (!isLapse || voice.phase !== 'connected') return this.endedByGateway(voice.callId);
    this.#needs.kept.forget();
    this.#current.change({ callId: null, isUnrecorded: true });
    this.#needs.tell('info', 'The gateway was out of reach for too long, and has recorded this call as over. You can go on talking.');
  }

  /** The gateway says that this call is over. */
  endedByGateway(callId: string): void {
    const { voice, phone } = this.#current;
    if (voice?.callId !== callId) return;
    const { phase, fetches } = voice;
    this.#current.clear();
    if (phase === 'recovering') this.#needs.fetched(callId, false);
    if (fetches !== null) this.#current.release(fetches);
    if (phase === 'incoming') phone?.reject();
    else phone?.hangUp();
  }

  /** A call that the gateway knows shall be fetched to this page. */
  beginRecovery(call: CallView): Readonly<Voice> {
    return this.#current.begin({ callId: call.id, phase: 'recovering', record: call });
  }

  /** What is to be fetched is known: it is fetched, or ended, by this page or the one after it. */
  willFetch(callId: string, dialog: PhoneDialog): void {
    this.#needs.kept.keep(callId, dialog);
    this.#current.change({ fetches: dialog, isHeld: dialog.isHeld });
  }

  fetch(dialog: PhoneDialog): void {
    this.#current.change({ isFetching: true });
    this.#current.phone?.takeOver(dialog);
  }

  /** The call could not be fetched. */
  giveUp(problem: string): void {
    this.#progress.end({ reason: 'failed', problem, stands: true });
  }

  /** The gateway has a call that is this page's: it rings here, or was to be dialed, and the answer that told so was lost. */
  adopt(call: CallView): void {
    const { voice, phone } = this.#current;
    if (voice === null || voice.callId !== null || voice.isUnrecorded) return;
    if (voice.caller !== null && call.direction === 'inbound') return this.#current.learnCall(call);
    if (voice.phase !== 'outgoing' || call.trigger !== 'manual_dial') return;
    this.#current.learnCall(call);
    if (call.phone !== null) phone?.dial(call.phone);
  }

  /** The call goes on at a telephone that needs nothing from this page. */
  keepAsIs(call: CallView): void {
    this.#current.change({ phase: call.answered_at === null ? 'outgoing' : 'connected' });
  }

  /** Gives the voice to another tab; null: it cannot be given. */
  give(callId: string): PhoneDialog | null {
    const { voice, phone } = this.#current;
    const dialog = phone?.dialog ?? null;
    if (voice?.callId !== callId || voice.phase !== 'connected' || dialog === null) return null;
    this.#current.change({ isGiven: true });
    this.#needs.kept.forget();
    return dialog;
  }

  /** The other tab has not fetched it, and shall not. */
  takeBack(): void {
    this.#current.change({ isGiven: false });
    this.#current.keepDialog();
  }

  /** Hangs up in a dialog of a page that is gone. */
  release(dialog: PhoneDialog): void {
    this.#current.release(dialog);
  }

  /**
   * The page is going: whoever has not answered is not left ringing. Who calls may ring again at the page after it: the
   * agent has not declined, and the gateway is told nothing.
   */
  leave(): void {
    const { voice, phone } = this.#current;
    if (phone?.can.reportsByHand === true) return;
    if (voice?.phase === 'outgoing') this.hangUp();
    if (voice?.phase !== 'incoming') return;
    this.#current.change({ isGiven: true });
    phone?.reject('away');
  }

  /** Nothing of the call is told any more: the page is going, or another one has the call. */
  forget(): void {
    this.#current.forget();
  }
}

/** Why an agent is Not Ready whom the gateway has not heard of for long: signed in anew, or a ring has lapsed. */
const lapseReasons: ReadonlySet<string> = new Set(['login', 'no_answer', 'connection_lost']);

/** For what an agent cannot do now. */
export function cannotNow(detail: string): SoftphoneRefusal {
  return new SoftphoneRefusal({ code: 'conflict', detail });
}
