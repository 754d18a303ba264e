import type { Softphone } from '../../../src/client/softphone.ts';
import type { CallView } from '../../../src/contract/calls.ts';
import type { PhoneDialog } from '../phone/phone.ts';
import type { AwaitedRing } from './awaitedRing.ts';
import type { KeptDialog } from './keptDialog.ts';
import type { LeftDialog } from './leftDialog.ts';
import type { PhoneSlot } from './phoneSlot.ts';
import type { ProgressReports } from './progressReports.ts';
import { recoverCall } from './recovery.ts';
import type { Timers } from './timers.ts';
import type { VoiceDesk } from './voiceDesk.ts';

type Needs = {
  softphone: Softphone;
  desk: VoiceDesk;
  reports: ProgressReports;
  slot: PhoneSlot;
  kept: KeptDialog;
  left: LeftDialog;
  awaited: AwaitedRing;
  timers: Timers;
  /** Asks the other tabs of this browser for a call's voice. */
  ask: (callId: string) => Promise<PhoneDialog | null>;
  /** Resolves when telephone or settings have changed. */
  change: () => Promise<void>;
};

/** A call that the gateway tells of may be followed by the word that it is to be dialed, or by an answer. Milliseconds. */
const settledAfterMs = 2_000;

/** Calls that the gateway counts as this page's, and of which this page has no voice: no agent stays in such a call. */
export class UnknownCalls {
  readonly #needs: Needs;
  #isWaiting = false;

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  /** The gateway has told of a call: it is this page's own, or it is looked at once everything about it was told. */
  hear(call: CallView): void {
    const { desk, reports, timers } = this.#needs;
    if (!isOpen(call) || reports.isEnding(call.id)) return;
    desk.adopt(call);
    if (desk.voice !== null || this.#isWaiting) return;
    this.#isWaiting = true;
    timers.after(settledAfterMs, () => {
      this.#isWaiting = false;
      this.look();
    });
  }

  /** Fetches the call that the gateway knows and this page does not, or ends it where there is nothing to fetch. */
  look(): void {
    const { softphone, desk, reports, slot, awaited } = this.#needs;
    if (softphone.line !== 'connected') return;
    const call = softphone.call !== null && isOpen(softphone.call) && !reports.isEnding(softphone.call.id) ? softphone.call : null;
    this.#settleLeft(call);
    if (call === null) return;
    if (desk.voice !== null) return desk.adopt(call);
    if (isRinging(call)) return awaited.begin(call);
    void recoverCall({ ...this.#needs, phone: () => slot.phone }, call);
  }

  /** What a page that is gone has left is fetched by this one, or hung up where the gateway has ended that call meanwhile. */
  #settleLeft(call: CallView | null): void {
    const { desk, kept, left, timers } = this.#needs;
    const found = left.take(timers.now());
    if (found === null) return;
    if (found.callId !== call?.id) desk.release(found.dialog);
    else if (kept.of(call.id) === null || kept.isDoubtful) kept.keep(call.id, found.dialog);
  }
}

/** Somebody calls, and nobody has answered yet. */
function isRinging({ direction, state }: CallView): boolean {
  return direction === 'inbound' && state === 'ringing';
}

/** A call in the queue is an offer, which comes by itself. */
function isOpen(call: CallView): boolean {
  return call.state !== 'ended' && call.state !== 'queued';
}
