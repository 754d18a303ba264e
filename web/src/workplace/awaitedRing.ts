import type { CallView } from '../../../src/contract/calls.ts';
import type { Caller } from '../phone/phone.ts';
import type { ProgressReports } from './progressReports.ts';
import { isSameCaller } from './isSameCaller.ts';
import type { Timers } from './timers.ts';

type Needs = { reports: ProgressReports; timers: Timers; changed: () => void };

/** A queue that goes on hunting has come back to this agent by then, or has found somebody else. Milliseconds. */
const ringsAgainWithinMs = 15_000;

/**
 * A caller who was ringing when the page before this one went: nobody has declined, so the telephone network may well
 * ring here again. It is the same call then, which the gateway knows.
 */
export class AwaitedRing {
  readonly #needs: Needs;
  #call: CallView | null = null;
  #cancelTimer = () => {};

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  /** Null: nobody is waited for. */
  get call(): CallView | null {
    return this.#call;
  }

  /** The gateway has the agent ringing, and nothing rings here. */
  begin(call: CallView): void {
    if (this.#call?.id === call.id) return;
    this.forget();
    this.#call = call;
    this.#cancelTimer = this.#needs.timers.after(ringsAgainWithinMs, () => this.#end());
    this.#needs.changed();
  }

  /** Somebody calls. @returns the call that it is; null: another one, so that nobody waits for the first any more */
  take({ phoneNumber }: Caller): CallView | null {
    const call = this.#call;
    if (call === null) return null;
    if (!isSameCaller(call, phoneNumber)) {
      this.#end();
      return null;
    }
    this.forget();
    return call;
  }

  /** It is over, or nobody has to wait for it here. */
  forget(): void {
    this.#cancelTimer();
    this.#call = null;
  }

  #end(): void {
    const call = this.#call;
    this.forget();
    // Neither missed nor declined: the agent had no telephone to answer with.
    if (call !== null) this.#needs.reports.add(call.id, { state: 'ended', end: { reason: 'canceled', endedBy: 'customer' } });
    this.#needs.changed();
  }
}
