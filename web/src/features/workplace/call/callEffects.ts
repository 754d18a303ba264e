import type { Phone } from '../../../lib/sip/phone.ts';
import type { CallKey, PhoneDialog, PhoneEnd } from '../../../lib/sip/phoneCall.ts';
import type { LeftDialogStorage, TabDialogStorage } from '../dialogStorage.ts';
import type { PhoneManager } from '../phoneManager.ts';
import type { ProgressReports } from '../progressReports.ts';
import type { Timers } from '../timers.ts';
import type { NoticeMessage } from '../workplace.ts';
import type { CallEffect, CallEvent, PhoneReadiness } from './callEvents.ts';
import type { CallRecords } from './callRecords.ts';
import type { OrphanedCalls } from './orphanedCalls.ts';
import type { TabHandover } from './tabHandover.ts';

/** What the agent hears that is no voice. */
export type Sounds = {
  /** Somebody calls, be it beside a talk (`waiting`); the other side is being called. Until `silence`. */
  ring(which: 'incoming' | 'outgoing' | 'waiting'): void;
  silence(): void;
  /** Something is due: once, and never into a ring. */
  chime(): void;
};

export type CallEffectsNeeds = {
  reports: ProgressReports;
  phones: PhoneManager;
  timers: Timers;
  sounds: Pick<Sounds, 'silence'> & { ring(which: 'incoming' | 'outgoing'): void };
  dialogs: TabDialogStorage;
  left: LeftDialogStorage;
  tell: (kind: 'info' | 'problem', message: NoticeMessage) => void;
  tellLeft: (callId: string) => void;
  records: CallRecords;
  orphans: OrphanedCalls;
  tabs: TabHandover | null;
  /** The call that it is about, or was the last; null: there was none. */
  last: () => { key: CallKey; callId: string } | null;
  /** Whether the page has another call at the same phone. */
  hasOther: () => boolean;
  send: (event: CallEvent) => void;
  /** For that call, if the page still has it. */
  sendFor: (key: CallKey, event: CallEvent) => void;
};

/** Does what the machine says of one call: at the phone, at the gateway, in storage and among the tabs. */
export class CallEffects {
  readonly #needs: CallEffectsNeeds;
  #cancelDeadline: () => void = () => {};
  /** To be hung up by the phone that is to come. */
  #unreleased: PhoneDialog[] = [];

  constructor(needs: CallEffectsNeeds) {
    this.#needs = needs;
  }

  /** There is a phone now: what waited for one is done. */
  use(phone: Phone): void {
    for (const dialog of this.#unreleased.splice(0)) phone.release(dialog);
  }

  run(effect: CallEffect): void {
    const { reports, phones, timers, sounds, dialogs, left, tell, tellLeft, send, records, orphans, tabs } =
      this.#needs;
    const { phone } = phones;
    switch (effect.do) {
      case 'ring':
        return sounds.ring(effect.which);
      case 'silence':
        return sounds.silence();
      case 'notify':
        return tell(effect.kind, effect.notice);
      case 'dial':
        return phone?.dial(effect.key, effect);
      case 'answer':
        return phone?.call(effect.key)?.answer();
      case 'reject':
        return phone?.call(effect.key)?.reject(effect.why);
      case 'end_call':
        return this.#endCall(effect.key, effect.end);
      case 'hang_up':
        return phone?.call(effect.key)?.hangUp(effect.when);
      case 'take_over':
        return phone?.takeOver(effect.key, effect.dialog);
      case 'release':
        return this.release(effect.dialog);
      case 'withdraw_phone':
        return phones.retire();
      case 'empty_phone':
        return this.#emptyPhone(effect.how);
      case 'report':
        return reports.add(effect.callId, effect.step);
      case 'announce':
        return void records.announce(effect.key, effect.caller);
      case 'turn_away':
        return void records.turnAway(effect.caller);
      case 'answer_late':
        return records.endLate(effect.key, effect.end);
      case 'resume_ready':
        return records.resumeReady();
      case 'look_for_orphan_soon':
        return orphans.checkSoon();
      case 'keep_dialog':
        return this.#keepDialog(effect.key, effect.callId);
      case 'store_dialog':
        return dialogs.keep(effect.callId, effect.dialog);
      case 'forget_dialog':
        return dialogs.forget(this.#needs.last()?.callId ?? null);
      case 'leave_dialog': {
        const dialog = dialogs.of(effect.callId);
        return void (dialog !== null && left.leave({ callId: effect.callId, dialog }, timers.now()));
      }
      case 'release_kept': {
        const dialog = dialogs.of(effect.callId);
        return void (dialog !== null && this.release(dialog));
      }
      case 'tell_left':
        return tellLeft(effect.callId);
      case 'find_dialog':
        return void this.#find(effect.key, effect.callId);
      case 'tell_tabs':
        return tabs?.done(effect.callId, effect.isHere);
      case 'set_deadline':
        this.#cancelDeadline();
        this.#cancelDeadline = effect.ms === null ? () => {} : timers.after(effect.ms, () => send({ type: 'timeout' }));
    }
  }

  /** The phone is the other call's, too: it goes with the last one. */
  #emptyPhone(how: 'stop' | 'abandon'): void {
    const { hasOther, last, phones } = this.#needs;
    if (!hasOther()) return phones.empty(how);
    const key = last()?.key;
    if (how === 'stop' && key !== undefined) phones.phone?.call(key)?.hangUp();
  }

  #endCall(key: CallKey, end: PhoneEnd): void {
    const { phone, can } = this.#needs.phones;
    const call = phone?.call(key) ?? null;
    // Where the phone had nothing yet, nothing is told by it.
    if (call === null) return this.#needs.send({ type: 'nothing_to_end', end });
    if (can.reportsByHand) call.reportEnded(end);
    else call.hangUp('after_tones');
  }

  #keepDialog(key: CallKey, callId: string): void {
    const dialog = this.#needs.phones.phone?.call(key)?.dialog ?? null;
    if (dialog !== null) this.#needs.dialogs.keep(callId, dialog);
  }

  /** Hangs up in a dialog of a page that is gone. */
  release(dialog: PhoneDialog): void {
    const { phone } = this.#needs.phones;
    if (phone === null) this.#unreleased.push(dialog);
    else phone.release(dialog);
  }

  async #find(key: CallKey, callId: string): Promise<void> {
    const dialog = await this.#needs.orphans.findDialog(callId);
    this.#needs.sendFor(key, { type: 'dialog_found', dialog, phone: readinessOf(this.#needs.phones) });
  }
}

/** How far the page's phone is. */
export function readinessOf({ phone, line }: Pick<PhoneManager, 'phone' | 'line'>): PhoneReadiness {
  if (phone === null) return 'none';
  return line.state === 'unavailable' ? (line.retrying ? 'starting' : 'failed') : line.state;
}
