import type { PhoneDialog } from '../phone/phone.ts';
import type { Timers } from './timers.ts';

/** What the pages of one browser say to each other, e.g. a `BroadcastChannel`. */
export type Channel = {
  postMessage(message: unknown): void;
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
  close(): void;
};

type Message = { type: 'ask'; callId: string } | { type: 'give'; callId: string; dialog: PhoneDialog };

/** A page of the same browser answers at once, or is not there. Milliseconds. */
const answerWithinMs = 1_000;

/** Hands the voice of a call from one tab of a browser to another, which has taken the softphone over. */
export class Handover {
  readonly #channel: Channel;
  readonly #timers: Timers;
  readonly #asked = new Map<string, (dialog: PhoneDialog | null) => void>();

  /** @param give called when another tab wants a call's voice; null: this page does not have it */
  constructor(channel: Channel, timers: Timers, give: (callId: string) => PhoneDialog | null) {
    this.#channel = channel;
    this.#timers = timers;
    channel.addEventListener('message', ({ data }) => {
      // Only pages of this very origin can be heard here.
      const message = data as Message;
      if (message.type === 'give') return this.#asked.get(message.callId)?.(message.dialog);
      const dialog = give(message.callId);
      if (dialog !== null) this.#say({ type: 'give', callId: message.callId, dialog });
    });
  }

  /** Asks the other tabs for a call's voice; null: none has it. */
  ask(callId: string): Promise<PhoneDialog | null> {
    return new Promise((resolve) => {
      const settle = (dialog: PhoneDialog | null) => {
        cancel();
        this.#asked.delete(callId);
        resolve(dialog);
      };
      const cancel = this.#timers.after(answerWithinMs, () => settle(null));
      this.#asked.set(callId, settle);
      this.#say({ type: 'ask', callId });
    });
  }

  close(): void {
    this.#channel.close();
  }

  #say(message: Message): void {
    this.#channel.postMessage(message);
  }
}
