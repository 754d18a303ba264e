import type { Softphone } from '../../../src/client/softphone.ts';
import type { PhoneDialog } from '../phone/phone.ts';
import { Handover, type Channel } from './handover.ts';
import type { KeptDialog } from './keptDialog.ts';
import type { PhoneSlot } from './phoneSlot.ts';
import type { Timers } from './timers.ts';
import type { VoiceDesk } from './voiceDesk.ts';

type Needs = {
  softphone: Softphone;
  desk: VoiceDesk;
  slot: PhoneSlot;
  kept: KeptDialog;
  timers: Timers;
  /** Reaches the other tabs of this browser; null: there is no way. */
  channel: Channel | null;
  changed: () => void;
};

/** The voice waits this long for whoever has taken over to ask for it. Milliseconds. */
const askedWithinMs = 5_000;
/** Whoever has asked has started its telephone and taken the call over by then, or has failed. Milliseconds. */
const fetchedWithinMs = 45_000;
/** Whoever asks may have been told before this page that it has the softphone now. Milliseconds. */
const replacedWithinMs = 1_500;

/**
 * Who has the voice once another softphone of the agent has taken over: this page keeps it until the other one has it,
 * and hangs up when nobody fetches it.
 */
export class StandDown {
  readonly #needs: Needs;
  readonly #handover: Handover | null;
  #cancelWait: (() => void) | null = null;
  /** Wants to know that this page was replaced. */
  readonly #onBegun = new Set<() => void>();

  constructor(needs: Needs) {
    this.#needs = needs;
    const { channel, timers } = needs;
    const give = (callId: string) => this.#give(callId);
    const settled = (callId: string, isThere: boolean) => this.#settled(callId, isThere);
    this.#handover = channel === null ? null : new Handover(channel, timers, { give, settled });
  }

  /** Asks the other tabs of this browser for a call's voice; null: none has it. */
  ask(callId: string): Promise<PhoneDialog | null> {
    return this.#handover?.ask(callId) ?? Promise.resolve(null);
  }

  /** Tells the tab that gave a call's voice whether it is here now. */
  settle(callId: string, isHere: boolean): void {
    this.#handover?.settle(callId, isHere);
  }

  /** This page was replaced. */
  begin(): void {
    if (this.#needs.desk.voice?.phase !== 'connected') this.#letGo('stop');
    else {
      this.#needs.slot.retire();
      this.#wait(askedWithinMs);
    }
    for (const tell of this.#onBegun) tell();
  }

  /** The agent has come back to this page: what nobody has fetched stays here. */
  takeBack(): void {
    this.#cancelWait?.();
    this.#cancelWait = null;
    if (this.#needs.desk.voice?.isGiven === true) this.#needs.desk.takeBack();
  }

  /** Something has changed: the call may be over. */
  look(): void {
    if (this.#cancelWait !== null && this.#needs.desk.voice === null) this.#letGo('stop');
  }

  /** Whether the voice is nobody else's: who leaves the page for good has to hang up. */
  get isUnwanted(): boolean {
    return this.#cancelWait !== null && this.#needs.desk.voice?.isGiven === false;
  }

  close(): void {
    this.#cancelWait?.();
    this.#cancelWait = null;
    this.#handover?.close();
  }

  async #give(callId: string): Promise<PhoneDialog | null> {
    const { desk, softphone } = this.#needs;
    if (desk.voice?.callId !== callId) return null;
    if (softphone.line !== 'replaced') await this.#replaced();
    if (this.#cancelWait === null) return null;
    const dialog = desk.give(callId);
    if (dialog !== null) this.#wait(fetchedWithinMs);
    return dialog;
  }

  #settled(callId: string, isThere: boolean): void {
    const { voice } = this.#needs.desk;
    if (voice?.callId === callId && voice.isGiven) this.#letGo(isThere ? 'abandon' : 'stop');
  }

  #wait(ms: number): void {
    this.#cancelWait?.();
    this.#cancelWait = this.#needs.timers.after(ms, () => this.#letGo('stop'));
  }

  #replaced(): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        cancel();
        this.#onBegun.delete(done);
        resolve();
      };
      const cancel = this.#needs.timers.after(replacedWithinMs, done);
      this.#onBegun.add(done);
    });
  }

  #letGo(how: 'stop' | 'abandon'): void {
    this.#cancelWait?.();
    this.#cancelWait = null;
    const { desk, kept, slot, changed } = this.#needs;
    desk.forget();
    kept.forget();
    slot.empty(how);
    changed();
  }
}
