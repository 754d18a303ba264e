import type { Softphone } from '../../../src/client/softphone.ts';
import type { Caller, PhoneEnd } from '../phone/phone.ts';
import { announceCall } from './announceCall.ts';
import type { AwaitedRing } from './awaitedRing.ts';
import type { CurrentVoice } from './currentVoice.ts';
import type { ProgressReports } from './progressReports.ts';
import { ReadyPause } from './readyPause.ts';
import type { Timers } from './timers.ts';
import type { Sounds, Voice } from './voice.ts';

type Needs = {
  current: CurrentVoice;
  softphone: Softphone;
  reports: ProgressReports;
  timers: Timers;
  sounds: Sounds;
  awaited: AwaitedRing;
  /** Whether a click is about to be dialed: it wins over who calls now. */
  isPromised: () => boolean;
};

/** Those who call the agent: the gateway is told of them, and says whether it has a place for the call. */
export class Callers {
  readonly #needs: Needs;
  readonly #pause: ReadyPause;
  /** How calls ended of which the gateway was still being told. */
  readonly #ends = new WeakMap<Readonly<Voice>, PhoneEnd>();

  constructor(needs: Needs) {
    this.#needs = needs;
    this.#pause = new ReadyPause(needs.softphone);
  }

  /** Somebody calls. */
  take(caller: Caller): void {
    const { current, softphone, sounds, isPromised } = this.#needs;
    const isOver = ['replaced', 'refused', 'closed'].includes(softphone.line);
    if (current.voice !== null || isOver || isPromised()) return current.phone?.reject('busy');
    const voice = current.begin({ callId: null, phase: 'incoming', caller });
    sounds.ring('incoming');
    const again = this.#needs.awaited.take(caller);
    if (again !== null) return current.learnCall(again);
    void this.#announce(voice, caller);
  }

  /** The call has ended like that. */
  ended(voice: Readonly<Voice>, end: PhoneEnd): void {
    this.#ends.set(voice, end);
    void this.#pause.end();
  }

  async #announce(voice: Readonly<Voice>, caller: Caller): Promise<void> {
    const { current, reports } = this.#needs;
    const announced = await announceCall(this.#needs, caller, () => current.voice === voice && voice.callId === null);
    // The page is gone, and leaves the call to the one after it.
    if (voice.isGiven) return;
    switch (announced.kind) {
      case 'recorded':
        if (current.voice === voice) return current.learnCall(announced.call);
        // It was over before the gateway knew of it.
        return reports.add(announced.call.id, { state: 'ended', end: this.#ends.get(voice) ?? { reason: 'canceled' } });
      case 'obsolete':
        return;
      case 'not_taken':
        return this.#takeUnrecorded(voice);
      case 'refused':
        // Unless the gateway has told of it by other means.
        if (current.voice === voice && voice.callId === null) this.#leaveOut(voice);
    }
  }

  /** The agent may talk to somebody whom the gateway does not take; it sends no call meanwhile. */
  async #takeUnrecorded(voice: Readonly<Voice>): Promise<void> {
    const { current, softphone } = this.#needs;
    const state = softphone.agent?.state;
    const isFree = state === 'not_ready' || (state === 'ready' && (await this.#pause.begin()));
    if (current.voice !== voice) return void this.#pause.end();
    if (isFree) current.change({ isUnrecorded: true });
    else this.#leaveOut(voice);
  }

  /** The gateway has no place for the call. Nobody hangs up on a customer who has been answered. */
  #leaveOut(voice: Readonly<Voice>): void {
    const { current } = this.#needs;
    if (voice.phase === 'incoming' && !voice.isAnswering) current.phone?.reject('busy');
    else current.change({ isUnrecorded: true });
  }
}
