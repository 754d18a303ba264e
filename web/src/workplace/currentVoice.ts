import type { CallView } from '../../../src/contract/calls.ts';
import type { Phone, PhoneDialog } from '../phone/phone.ts';
import type { KeptDialog } from './keptDialog.ts';
import type { CallStep, ProgressReports } from './progressReports.ts';
import type { Timers } from './timers.ts';
import type { Sounds, Voice } from './voice.ts';

export type CurrentVoiceNeeds = {
  reports: ProgressReports;
  timers: Timers;
  kept: KeptDialog;
  sounds: Sounds;
  changed: () => void;
};

/** The call at this page's telephone, if there is one, and what the gateway is told of it. */
export class CurrentVoice {
  readonly #needs: CurrentVoiceNeeds;
  #phone: Phone | null = null;
  #voice: Voice | null = null;
  /** Of a call whose id is not known yet. */
  #unreported: CallStep[] = [];
  /** To be hung up by the telephone that is to come. */
  #owed: PhoneDialog[] = [];

  constructor(needs: CurrentVoiceNeeds) {
    this.#needs = needs;
  }

  get voice(): Readonly<Voice> | null {
    return this.#voice;
  }
  get phone(): Phone | null {
    return this.#phone;
  }

  /** From now on this is the agent's telephone. */
  use(phone: Phone | null): void {
    this.#phone = phone;
    if (phone !== null) for (const dialog of this.#owed.splice(0)) phone.release(dialog);
  }

  /** Hangs up in a dialog of a page that is gone. */
  release(dialog: PhoneDialog): void {
    if (this.#phone === null) this.#owed.push(dialog);
    else this.#phone.release(dialog);
  }

  begin(about: Pick<Voice, 'callId' | 'phase'> & Partial<Voice>): Readonly<Voice> {
    const voice: Voice = {
      record: null,
      caller: null,
      isAnswering: false,
      hasRingBack: false,
      fetches: null,
      isFetching: false,
      isUnrecorded: false,
      isMuted: false,
      trouble: null,
      isHeld: false,
      isHeldByOther: false,
      isGiven: false,
      since: this.#needs.timers.now(),
      ...about,
    };
    this.#voice = voice;
    this.#unreported = [];
    this.#needs.changed();
    return voice;
  }

  /** It is over. */
  clear(): void {
    this.#needs.kept.forget();
    this.forget();
    this.#needs.changed();
  }

  /** Nothing of it is told any more, and the page after this one may still find it. */
  forget(): void {
    this.#needs.sounds.silence();
    this.#voice = null;
    this.#unreported = [];
  }

  change(changes: Partial<Voice>): void {
    if (this.#voice === null) return;
    Object.assign(this.#voice, changes);
    this.#needs.changed();
  }

  report(step: CallStep): void {
    const voice = this.#voice;
    if (voice === null || voice.isUnrecorded || voice.isGiven) return;
    if (voice.callId === null) this.#unreported.push(step);
    else this.#needs.reports.add(voice.callId, step);
  }

  /** The gateway knows it as that call. */
  learnCall(call: CallView): void {
    if (this.#voice === null) return;
    this.#voice.callId = call.id;
    this.#voice.record = call;
    for (const step of this.#unreported.splice(0)) this.report(step);
    this.keepDialog();
    this.#needs.changed();
  }

  /** For the page after this one in the same tab. */
  keepDialog(): void {
    const dialog = this.#phone?.dialog ?? null;
    const callId = this.#voice?.callId ?? null;
    if (dialog !== null && callId !== null && this.#voice?.isGiven === false) this.#needs.kept.keep(callId, dialog);
  }
}
