import { SoftphoneRefusal, type Softphone } from '../../../src/client/softphone.ts';
import type { CallView } from '../../../src/contract/calls.ts';
import type { Caller, Phone, PhoneDialog, PhoneEnd } from '../phone/phone.ts';
import { announceCall } from './announceCall.ts';
import type { KeptDialog } from './keptDialog.ts';
import type { CallStep, ProgressReports } from './progressReports.ts';
import { ReadyPause } from './readyPause.ts';
import type { Timers } from './timers.ts';
import type { Sounds, Voice } from './voice.ts';

type Needs = {
  softphone: Softphone;
  reports: ProgressReports;
  timers: Timers;
  kept: KeptDialog;
  sounds: Sounds;
  tell: (kind: 'info' | 'problem', text: string) => void;
  changed: () => void;
};

/**
 * Keeps the telephone's call and the gateway's call one and the same: what happens at the telephone is reported, what
 * the gateway has ended is hung up.
 */
export class VoiceDesk {
  readonly #needs: Needs;
  readonly #pause: ReadyPause;
  #phone: Phone | null = null;
  #voice: Voice | null = null;
  /** Of a call whose id is not known yet. */
  #unreported: CallStep[] = [];
  /** How calls ended of which the gateway was still being told. */
  readonly #ends = new WeakMap<Voice, PhoneEnd>();

  constructor(needs: Needs) {
    this.#needs = needs;
    this.#pause = new ReadyPause(needs.softphone);
  }

  get voice(): Readonly<Voice> | null {
    return this.#voice;
  }

  /** From now on this is the agent's telephone. */
  use(phone: Phone | null): void {
    this.#phone = phone;
    if (phone === null) return;
    phone.on('incoming', (caller) => this.#beCalled(caller));
    phone.on('ringing', (hasSound) => this.#ringBack(hasSound));
    phone.on('connected', () => this.#beConnected());
    phone.on('held', (isHeld) => this.#beHeld(isHeld));
    phone.on('muted', (isMuted) => this.#change((voice) => void (voice.isMuted = isMuted)));
    phone.on('ended', (end) => this.#end(end));
    phone.on('problem', (text) => this.#needs.tell('problem', text));
  }

  /** The gateway has confirmed a click: the telephone dials. */
  dial(callId: string, phoneNumber: string): void {
    // Somebody called in the moment between the agent's yes and the gateway's.
    if (this.#voice !== null) return this.#needs.reports.add(callId, { state: 'ended', end: { reason: 'failed' } });
    this.#begin({ callId, phase: 'outgoing' });
    this.#phone?.dial(phoneNumber);
  }

  /** Dials by hand. Throws SoftphoneRefusal. */
  async dialByHand(phoneNumber: string): Promise<CallView> {
    const voice = this.#begin({ callId: null, phase: 'outgoing' });
    try {
      const call = await this.#needs.softphone.startCall(phoneNumber);
      if (this.#voice === voice) {
        this.#learnId(voice, call.id);
        this.#phone?.dial(call.phone);
      } else this.#needs.reports.add(call.id, { state: 'ended', end: { reason: 'canceled', endedBy: 'agent' } });
      return call;
    } catch (error) {
      if (this.#voice === voice) this.#clear();
      throw error;
    }
  }

  answer(): void {
    if (this.#voice?.phase !== 'incoming') return;
    this.#needs.sounds.silence();
    this.#phone?.answer();
  }

  reject(): void {
    if (this.#voice?.phase === 'incoming') this.#phone?.reject();
  }

  /** Ends the call at once, whatever the line to the gateway does. */
  hangUp(): void {
    const voice = this.#voice;
    if (voice === null) return;
    const end: PhoneEnd = { reason: voice.phase === 'outgoing' ? 'canceled' : 'completed', endedBy: 'agent' };
    if (this.#phone?.can.reportsByHand === true) return this.#phone.reportEnded(end);
    if (voice.phase === 'incoming') return this.#phone?.reject();
    // A call that is still being fetched was answered long ago; the telephone would take it for one that was not.
    if (voice.phase === 'recovering') this.#end(end);
    this.#phone?.hangUp();
    // Where the telephone had nothing yet, nothing is told by it.
    if (this.#voice === voice) this.#end(end);
  }

  /** The gateway says that this call is over. */
  endedByGateway(callId: string): void {
    if (this.#voice?.callId !== callId) return;
    const { phase } = this.#voice;
    this.#clear();
    if (phase === 'incoming') this.#phone?.reject();
    else this.#phone?.hangUp();
  }

  /** A call that the gateway knows shall be fetched to this page. */
  beginRecovery(callId: string): Voice {
    return this.#begin({ callId, phase: 'recovering' });
  }

  /** The gateway knows the call that rings here: the answer to its announcement was lost. */
  adopt(call: CallView): boolean {
    const voice = this.#voice;
    if (voice === null || voice.callId !== null || voice.caller === null || call.direction !== 'inbound') return false;
    this.#learnId(voice, call.id);
    return true;
  }

  /** The call goes on at a telephone that needs nothing from this page. */
  keepAsIs(call: CallView): void {
    this.#change((voice) => void (voice.phase = call.answered_at === null ? 'outgoing' : 'connected'));
  }

  /** The call could not be fetched. */
  giveUp(problem: string): void {
    this.#end({ reason: 'failed', problem });
  }

  /** Gives the voice to another tab; null: it cannot be given. */
  give(callId: string): PhoneDialog | null {
    const dialog = this.#phone?.dialog ?? null;
    if (this.#voice?.callId !== callId || dialog === null) return null;
    this.#voice.isGiven = true;
    this.#needs.kept.forget();
    return dialog;
  }

  /** Nothing of the call is told any more: the page is going, or another one has the call. */
  forget(): void {
    this.#needs.sounds.silence();
    this.#voice = null;
    this.#unreported = [];
  }

  #begin(about: Pick<Voice, 'callId' | 'phase'> & { caller?: Caller }): Voice {
    const since = this.#needs.timers.now();
    const voice = { caller: null, isUnrecorded: false, isMuted: false, isHeld: false, isGiven: false, since, ...about };
    this.#voice = voice;
    this.#unreported = [];
    this.#needs.changed();
    return voice;
  }

  #clear(): void {
    this.#needs.sounds.silence();
    this.#needs.kept.forget();
    this.#voice = null;
    this.#unreported = [];
    this.#needs.changed();
  }

  #change(act: (voice: Voice) => void): void {
    if (this.#voice === null) return;
    act(this.#voice);
    this.#needs.changed();
  }

  #report(step: CallStep): void {
    const voice = this.#voice;
    if (voice === null || voice.isUnrecorded || voice.isGiven) return;
    if (voice.callId === null) this.#unreported.push(step);
    else this.#needs.reports.add(voice.callId, step);
  }

  #learnId(voice: Voice, callId: string): void {
    voice.callId = callId;
    for (const step of this.#unreported.splice(0)) this.#report(step);
    this.#keepDialog();
    this.#needs.changed();
  }

  #keepDialog(): void {
    const dialog = this.#phone?.dialog ?? null;
    const callId = this.#voice?.callId ?? null;
    if (dialog !== null && callId !== null) this.#needs.kept.keep(callId, dialog);
  }

  #beCalled(caller: Caller): void {
    const isOver = ['replaced', 'refused', 'closed'].includes(this.#needs.softphone.line);
    if (this.#voice !== null || isOver) return this.#phone?.reject('busy');
    const voice = this.#begin({ callId: null, phase: 'incoming', caller });
    this.#needs.sounds.ring('incoming');
    void this.#announce(voice, caller);
  }

  async #announce(voice: Voice, caller: Caller): Promise<void> {
    const announced = await announceCall(this.#needs, caller, () => this.#voice === voice && voice.callId === null);
    switch (announced.kind) {
      case 'recorded':
        if (this.#voice === voice) return this.#learnId(voice, announced.call.id);
        // It was over before the gateway knew of it.
        return this.#needs.reports.add(announced.call.id, { state: 'ended', end: this.#ends.get(voice) ?? { reason: 'canceled' } });
      case 'obsolete':
        return;
      case 'no_number':
        return this.#takeUnrecorded(voice);
      case 'refused':
        // Nobody hangs up on a customer who has been answered.
        if (voice.phase === 'incoming') this.#phone?.reject('busy');
        else this.#change((current) => void (current.isUnrecorded = true));
    }
  }

  /** The agent may talk to somebody without a number; the gateway sends no call meanwhile. */
  async #takeUnrecorded(voice: Voice): Promise<void> {
    const state = this.#needs.softphone.agent?.state;
    const isFree = state === 'not_ready' || (state === 'ready' && (await this.#pause.begin()));
    if (this.#voice !== voice) return void this.#pause.end();
    if (isFree) this.#change(() => void (voice.isUnrecorded = true));
    else this.#phone?.reject('busy');
  }

  #ringBack(hasSound: boolean): void {
    if (this.#voice?.phase !== 'outgoing') return;
    if (!hasSound) this.#needs.sounds.ring('outgoing');
    this.#report({ state: 'ringing' });
  }

  #beConnected(): void {
    this.#needs.sounds.silence();
    this.#change((voice) => {
      voice.phase = 'connected';
      voice.since = this.#needs.timers.now();
    });
    this.#report({ state: 'connected' });
    this.#keepDialog();
  }

  #beHeld(isHeld: boolean): void {
    this.#change((voice) => void (voice.isHeld = isHeld));
    this.#report({ state: isHeld ? 'held' : 'connected' });
  }

  #end(told: PhoneEnd): void {
    const voice = this.#voice;
    if (voice === null) return;
    // Of a call that was answered once, no refusal of its new place says how the other side ended it.
    const isLost = voice.phase === 'recovering' && told.endedBy !== 'agent';
    const end: PhoneEnd = isLost ? { problem: notFetched, ...told, reason: 'failed' } : told;
    this.#ends.set(voice, end);
    this.#report({ state: 'ended', end });
    if (end.problem !== undefined && !voice.isGiven) this.#needs.tell('problem', end.problem);
    this.#clear();
    void this.#pause.end();
  }
}

const notFetched = 'The voice of the call could not be fetched to this page, so the call was ended.';

/** For calls that nobody can make now. */
export function cannotDial(detail: string): SoftphoneRefusal {
  return new SoftphoneRefusal({ code: 'conflict', detail });
}
