import type { Softphone } from '../../../src/client/softphone.ts';
import type { Phone, PhoneEnd } from '../phone/phone.ts';
import type { Callers } from './callers.ts';
import type { CurrentVoice } from './currentVoice.ts';
import type { Timers } from './timers.ts';
import type { Sounds } from './voice.ts';

export type VoiceProgressNeeds = {
  softphone: Softphone;
  current: CurrentVoice;
  callers: Callers;
  timers: Timers;
  sounds: Sounds;
  tell: (kind: 'info' | 'problem', text: string) => void;
  /** A call of another page was fetched, or was given up. */
  fetched: (callId: string, isHere: boolean) => void;
};

const moveWords = {
  begun: (who: string) => `The other side is transferring this call to ${who} …`,
  done: (who: string) => `The call was transferred: you are connected with ${who}.`,
  failed: (who: string) => `The call could not be transferred to ${who}. It goes on as before.`,
};
const notFetched = 'The voice of the call could not be fetched to this page, so the call was ended.';

/** What becomes of the call at the telephone, for the agent to see and the gateway to be told. */
export class VoiceProgress {
  readonly #needs: VoiceProgressNeeds;
  readonly #current: CurrentVoice;

  constructor(needs: VoiceProgressNeeds) {
    this.#needs = needs;
    this.#current = needs.current;
  }

  /** From now on that telephone is heard. */
  follow(phone: Phone): void {
    phone.on('incoming', (caller) => this.#needs.callers.take(caller));
    phone.on('ringing', (hasSound) => this.#ringBack(hasSound));
    phone.on('connected', () => this.#beConnected());
    phone.on('held', (isHeld) => this.#beHeld(isHeld));
    phone.on('heldByOther', (isHeldByOther) => this.#current.change({ isHeldByOther }));
    phone.on('move', (step, who) => this.#beMoved(step, who));
    phone.on('voiceTrouble', (trouble) => this.#current.change({ trouble }));
    phone.on('muted', (isMuted) => this.#beMuted(isMuted));
    phone.on('ended', (end) => this.end(end));
    phone.on('problem', (text) => this.#needs.tell('problem', text));
  }

  /** The call is over, as the telephone tells, or as this page has decided. */
  end(told: PhoneEnd): void {
    const { voice } = this.#current;
    if (voice === null) return;
    const isRecovering = voice.phase === 'recovering';
    // Of a call that was answered once, no refusal of its new place says how the other side ended it.
    const isLost = isRecovering && told.endedBy !== 'agent';
    const end: PhoneEnd = isLost ? { problem: notFetched, ...told, reason: 'failed' } : told;
    this.#needs.callers.ended(voice, end);
    this.#current.report({ state: 'ended', end });
    if (end.problem !== undefined && !voice.isGiven) this.#needs.tell('problem', end.problem);
    this.#current.clear();
    if (isRecovering && voice.callId !== null) this.#needs.fetched(voice.callId, false);
    if (told.stands === true && voice.fetches !== null) this.#current.release(voice.fetches);
  }

  #ringBack(hasSound: boolean): void {
    const { voice } = this.#current;
    if (voice?.phase !== 'outgoing') return;
    // The network's own tone, or what it announces, once it has begun.
    if (hasSound) {
      this.#needs.sounds.silence();
      this.#current.change({ hasRingBack: true });
    } else if (!voice.hasRingBack) this.#needs.sounds.ring('outgoing');
    this.#current.report({ state: 'ringing' });
  }

  #beConnected(): void {
    const { voice } = this.#current;
    if (voice === null) return;
    this.#needs.sounds.silence();
    if (voice.phase === 'recovering' && voice.callId !== null) this.#needs.fetched(voice.callId, true);
    this.#current.change({ phase: 'connected', fetches: null, since: this.#needs.timers.now() });
    // A call that was held when it was fetched is held still, unless the gateway has not even learned of its answer.
    if (!voice.isHeld || this.#needs.softphone.call?.answered_at === null) this.#current.report({ state: 'connected' });
    if (voice.isHeld) this.#current.report({ state: 'held' });
    this.#current.keepDialog();
  }

  #beHeld(isHeld: boolean): void {
    if (this.#current.voice?.isHeld === isHeld) return;
    this.#current.change({ isHeld });
    this.#current.report({ state: isHeld ? 'held' : 'connected' });
    this.#current.keepDialog();
  }

  /** To the gateway, it is the same call. */
  #beMoved(step: keyof typeof moveWords, who: string): void {
    if (this.#current.voice?.isGiven !== false) return;
    this.#needs.tell('info', moveWords[step](who));
    this.#current.keepDialog();
  }

  #beMuted(isMuted: boolean): void {
    this.#current.change({ isMuted });
    this.#current.keepDialog();
  }
}
