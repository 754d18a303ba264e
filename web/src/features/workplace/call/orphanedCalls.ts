import type { Softphone } from '../../../../../src/client/softphone.ts';
import type { CallView } from '../../../../../src/contract/calls.ts';
import type { PhoneDialog } from '../../../lib/sip/phoneCall.ts';
import type { LeftDialogStorage, TabDialogStorage } from '../dialogStorage.ts';
import type { ProgressReports } from '../progressReports.ts';
import type { Timers } from '../timers.ts';
import { isOpen } from './stepParts.ts';

type Needs = {
  softphone: Softphone;
  reports: ProgressReports;
  dialogs: TabDialogStorage;
  left: LeftDialogStorage;
  timers: Timers;
  /** Asks the other tabs of this browser for a call's dialog. */
  askTabs: (callId: string) => Promise<PhoneDialog | null>;
  /** Hangs up in a dialog of a page that is gone. */
  release: (dialog: PhoneDialog) => void;
  onFound: (call: CallView) => void;
};

/**
 * A call that the gateway tells of may be followed by the word that it is to be dialed, or by an answer. Milliseconds.
 */
const lookAfterMs = 2_000;

/**
 * Calls that the gateway counts as this page's, and of which this page may have no audio: no
 * agent stays in such a call.
 */
export class OrphanedCalls {
  readonly #needs: Needs;
  #cancelTimer: (() => void) | null = null;

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  /** Looks once everything about a call was told. */
  checkSoon(): void {
    this.#cancelTimer ??= this.#needs.timers.after(lookAfterMs, () => {
      this.#cancelTimer = null;
      this.check();
    });
  }

  /** Tells of the calls that last at the gateway, and takes up what a page that is gone has left. */
  check(): void {
    const { softphone, reports, onFound } = this.#needs;
    if (softphone.line !== 'connected') return;
    const open = [softphone.call, softphone.secondCall].filter(
      (call) => call !== null && isOpen(call) && !reports.isEnding(call.id),
    ) as CallView[];
    this.#takeLeft(open);
    for (const call of inOrder(open)) onFound(call);
  }

  /**
   * Finds a call's dialog; null: nobody has it. A tab that has the call itself is asked for it before a copy of its
   * dialog is used: it must know that it gives it away.
   */
  async findDialog(callId: string): Promise<PhoneDialog | null> {
    const { dialogs, askTabs } = this.#needs;
    const own = dialogs.of(callId);
    return own !== null && !dialogs.isDoubtful ? own : ((await askTabs(callId)) ?? own);
  }

  stop(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
  }

  /** They are fetched by this page, or hung up where the gateway has ended that call meanwhile. */
  #takeLeft(calls: readonly CallView[]): void {
    const { dialogs, left, timers, release } = this.#needs;
    for (const { callId, dialog } of left.take(timers.now())) {
      if (!calls.some(({ id }) => id === callId)) release(dialog);
      else if (dialogs.of(callId) === null || dialogs.isDoubtful) dialogs.keep(callId, dialog);
    }
  }
}

/** Whom the agent talks to before who is on hold, or rings. */
function inOrder(calls: readonly CallView[]): CallView[] {
  const rank = ({ state }: CallView) => (state === 'connected' ? 0 : state === 'held' ? 1 : 2);
  return calls.toSorted((one, other) => rank(one) - rank(other));
}
