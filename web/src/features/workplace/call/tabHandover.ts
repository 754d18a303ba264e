import type { PhoneDialog } from '../../../lib/sip/phoneCall.ts';
import type { Timers } from '../timers.ts';

/** What the pages of one browser say to each other, e.g. a `BroadcastChannel`. */
export type Channel = {
  postMessage(message: unknown): void;
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
  close(): void;
};

type Message =
  | { type: 'ask'; callId: string }
  | { type: 'give'; callId: string; dialog: PhoneDialog }
  /** `isHere`: the asking page has the audio; else it has given the call up. */
  | { type: 'done'; callId: string; isHere: boolean };

export type TabHandoverListener = {
  /** Whether that call is this page's. */
  has: (callId: string) => boolean;
  /** Whether this page knows that another one has the softphone. */
  isReplaced: () => boolean;
  /** Another tab wants a call's audio; null: this page does not have it. */
  give: (callId: string) => PhoneDialog | null;
  /** What became of it there. */
  done: (callId: string, isThere: boolean) => void;
};

/**
 * A page of the same browser answers at once, unless it is yet to learn that it was replaced;
 * or it is not there. Milliseconds.
 */
const answerWithinMs = 2_000;

/** Whoever asks may have been told before this page that it has the softphone now. Milliseconds. */
const replacedWithinMs = 1_500;

/** Hands the audio of a call from one tab of a browser to another, which has taken the softphone over. */
export class TabHandover {
  readonly #channel: Channel;
  readonly #timers: Timers;
  /** Wants to know that this page was replaced. */
  readonly #onReplaced = new Set<() => void>();
  readonly #asked = new Map<string, (dialog: PhoneDialog | null) => void>();

  constructor(channel: Channel, timers: Timers, listener: TabHandoverListener) {
    this.#channel = channel;
    this.#timers = timers;
    channel.addEventListener('message', ({ data }) => {
      // Only pages of this very origin can be heard here.
      const message = data as Message;
      if (message.type === 'give') this.#asked.get(message.callId)?.(message.dialog);
      else if (message.type === 'done') listener.done(message.callId, message.isHere);
      else void this.#answer(message.callId, listener);
    });
  }

  /** Asks the other tabs for a call's audio; null: none has it. */
  ask(callId: string): Promise<PhoneDialog | null> {
    return new Promise((resolve) => {
      const answer = (dialog: PhoneDialog | null) => {
        cancel();
        this.#asked.delete(callId);
        resolve(dialog);
      };
      const cancel = this.#timers.after(answerWithinMs, () => answer(null));
      this.#asked.set(callId, answer);
      this.#say({ type: 'ask', callId });
    });
  }

  /** Tells the tab that gave a call's audio what became of it. */
  done(callId: string, isHere: boolean): void {
    this.#say({ type: 'done', callId, isHere });
  }

  close(): void {
    this.#channel.close();
  }

  /** Another page has the softphone. */
  beReplaced(): void {
    for (const tell of this.#onReplaced) tell();
  }

  async #answer(callId: string, { has, isReplaced, give }: TabHandoverListener): Promise<void> {
    if (!has(callId)) return;
    if (!isReplaced()) await this.#replaced();
    const dialog = give(callId);
    if (dialog !== null) this.#say({ type: 'give', callId, dialog });
  }

  /** Resolves when this page was replaced, or is not for a while. */
  #replaced(): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        cancel();
        this.#onReplaced.delete(done);
        resolve();
      };
      const cancel = this.#timers.after(replacedWithinMs, done);
      this.#onReplaced.add(done);
    });
  }

  #say(message: Message): void {
    this.#channel.postMessage(message);
  }
}
