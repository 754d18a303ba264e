import type { Call } from './call.ts';
import type { SipConnection } from './sipConnection.ts';

/** The calls that last. */
export class CallBook {
  readonly #calls = new Set<Call>();
  readonly #limit: number;

  /** @param limit so many at once */
  constructor(limit: number) {
    this.#limit = limit;
  }

  get count(): number {
    return this.#calls.size;
  }

  get isFull(): boolean {
    return this.#calls.size >= this.#limit;
  }

  /** Keeps a call until it ends. */
  add(call: Call): void {
    this.#calls.add(call);
    call.whenEnded(() => this.#calls.delete(call));
  }

  /**
   * The calls of an agent; there is one at most, but for one beside another that is on hold,
   * and while one takes the other's place.
   */
  ofUser(user: string): Call[] {
    return this.all().filter((call) => call.user === user);
  }

  /** By the dialog's names, from the carrier's side. */
  find(dialog: { callId: string; localTag: string | null; remoteTag: string | null }): Call | null {
    return this.#find(
      ({ callId, localTag, remoteTag }) =>
        callId === dialog.callId && localTag === dialog.localTag && remoteTag === dialog.remoteTag,
    );
  }

  /** By the Call-ID and the telephone's tag, which is all that is known before the carrier has answered. */
  findEarly(callId: string, remoteTag: string | null): Call | null {
    return this.#find((call) => call.callId === callId && call.remoteTag === remoteTag);
  }

  /** A call to an agent, by the carrier's own names for it. */
  findOwn(callId: string, localTag: string | null): Call | null {
    return this.#find((call) => call.callId === callId && call.localTag === localTag);
  }

  on(connection: SipConnection): Call[] {
    return [...this.#calls].filter((call) => call.connection === connection);
  }

  all(): Call[] {
    return [...this.#calls];
  }

  #find(fits: (call: Call) => boolean): Call | null {
    for (const call of this.#calls) if (fits(call)) return call;
    return null;
  }
}
