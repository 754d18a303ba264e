import { type Softphone, SoftphoneRefusal } from '../../../../src/client/softphone.ts';
import type { KeyValueStore } from '../../lib/sip/pendingHangUps.ts';
import type { PhoneEnd } from '../../lib/sip/phoneCall.ts';
import type { CallStep } from './call/callState.ts';
import { nameOf, toldBy } from './call/toldCaller.ts';
import type { Timers } from './timers.ts';

type Report = { callId: string; step: CallStep; sipCallId?: string };

const storageKey = 'readyline.reports';

/** After a report that failed for a reason that passes. Milliseconds. */
const againAfterMs = 2_000;

/**
 * What the gateway still has to be told of calls, in the order in which it happened. Each report is repeated until the
 * gateway has it, or says that it has no use for it; while the line is down they wait. What waits is kept for the page
 * that follows this one in the same tab, which tells it first of all.
 */
export class ProgressReports {
  readonly #softphone: Softphone;
  readonly #timers: Timers;
  readonly #store: KeyValueStore;
  readonly #onTold: () => void;
  readonly #waiting: Report[];
  #carrying: { callId: string; sipCallId: string } | null = null;
  #isSending = false;
  #cancelRetry: (() => void) | null = null;

  /** @param onTold all that waited was told */
  constructor(softphone: Softphone, timers: Timers, store: KeyValueStore, onTold: () => void) {
    this.#softphone = softphone;
    this.#timers = timers;
    this.#store = store;
    this.#onTold = onTold;
    this.#waiting = JSON.parse(store.getItem(storageKey) ?? '[]') as Report[];
  }

  /** Whether there is something that the gateway is yet to learn. */
  get isBehind(): boolean {
    return this.#waiting.length > 0;
  }

  /** From now on the gateway is told with what is reported of that call how SIP calls it. */
  carry(callId: string, sipCallId: string): void {
    this.#carrying = { callId, sipCallId };
  }

  add(callId: string, step: CallStep): void {
    const carrying = this.#carrying;
    this.#waiting.push({ callId, step, ...(carrying?.callId === callId ? { sipCallId: carrying.sipCallId } : {}) });
    this.#keep();
    void this.#send();
  }

  /** Whether the gateway is yet to learn that this call is over. */
  isEnding(callId: string): boolean {
    return this.endOf(callId) !== null;
  }

  /** How this call has ended; null: it has not, or the gateway knows. */
  endOf(callId: string): PhoneEnd | null {
    for (const { callId: id, step } of this.#waiting) if (id === callId && step.state === 'ended') return step.end;
    return null;
  }

  /** The line is up: what waits goes out. */
  resume(): void {
    this.#cancelRetry?.();
    this.#cancelRetry = null;
    void this.#send();
  }

  /** Nothing is told any more: another softphone has the calls. */
  drop(): void {
    this.#stop();
    this.#keep();
  }

  /** The page is going: what waits is sent at once, and repeated by the page after it, if there is one. */
  flush(): void {
    const [first, ...others] = this.#waiting;
    // The first is on its way already, unless another try was waited for.
    const unsent = first !== undefined && this.#cancelRetry !== null ? [first, ...others] : others;
    this.#stop();
    for (const report of unsent) void this.#deliver(report);
  }

  async #send(): Promise<void> {
    if (this.#isSending || this.#cancelRetry !== null) return;
    this.#isSending = true;
    try {
      for (let report = this.#waiting[0]; report !== undefined; report = this.#waiting[0]) {
        if (!(await this.#deliver(report))) return this.#tryLater();
        if (this.#waiting[0] !== report) continue;
        this.#waiting.shift();
        this.#keep();
      }
    } finally {
      this.#isSending = false;
    }
    this.#onTold();
  }

  /** False: try again. */
  async #deliver({ callId, step, sipCallId }: Report): Promise<boolean> {
    try {
      if (step.state === 'caller_changed')
        await this.#softphone.reportCaller(callId, toldBy(step.caller), nameOf(step.caller));
      else await this.#tell(callId, step, sipCallId);
      return true;
    } catch (error) {
      // What is refused for good: the call is over already, or belongs to somebody else by now.
      return isFinal(error);
    }
  }

  async #tell(
    callId: string,
    step: Exclude<CallStep, { state: 'caller_changed' }>,
    sipCallId: string | undefined,
  ): Promise<void> {
    const details = step.state === 'ended' ? detailsOf(step.end) : {};
    try {
      const sip = sipCallId === undefined ? {} : { sip_call_id: sipCallId };
      await this.#softphone.reportProgress(callId, step.state, { ...details, ...sip });
    } catch (error) {
      const older = step.state === 'ended' ? forOlderGateways(step.end) : null;
      if (older === null || !(error instanceof SoftphoneRefusal) || error.code !== 'invalid_request') throw error;
      await this.#softphone.reportProgress(callId, step.state, detailsOf(older));
    }
  }

  #stop(): void {
    this.#cancelRetry?.();
    this.#cancelRetry = null;
    this.#waiting.length = 0;
  }

  #keep(): void {
    if (this.#waiting.length === 0) this.#store.removeItem(storageKey);
    else this.#store.setItem(storageKey, JSON.stringify(this.#waiting));
  }

  #tryLater(): void {
    if (this.#waiting.length === 0 || this.#softphone.line === 'closed') return;
    this.#cancelRetry = this.#timers.after(againAfterMs, () => this.resume());
  }
}

function detailsOf({ reason, endedBy, sipCode, detail, transferredTo, quality }: PhoneEnd) {
  return {
    end_reason: reason,
    ...(endedBy === undefined ? {} : { ended_by: endedBy }),
    ...(sipCode === undefined ? {} : { sip_code: sipCode }),
    ...(detail === undefined ? {} : { end_detail: detail }),
    ...(quality === undefined ? {} : { quality }),
    ...(transferredTo === undefined ? {} : { transferred_to: transferredTo }),
  };
}

/** The end as gateways of before take it, which refuse what they do not know; null: they know all of it. */
function forOlderGateways({ detail, quality, reason, transferredTo, ...known }: PhoneEnd): PhoneEnd | null {
  const isPassedOn = detail === 'passed_on';
  if (quality === undefined && transferredTo === undefined && reason !== 'transferred' && !isPassedOn) return null;
  return {
    ...known,
    ...(detail === undefined || isPassedOn ? {} : { detail }),
    reason: reason === 'transferred' ? 'completed' : reason,
  };
}

const passing: ReadonlySet<string> = new Set([
  'dependency_unavailable',
  'outcome_unknown',
  'rate_limited',
  'internal_error',
]);

/** Whether asking the gateway again would bring the same answer. Without an answer, it would not. */
export function isFinal(error: unknown): error is SoftphoneRefusal {
  return error instanceof SoftphoneRefusal && !passing.has(error.code);
}
