import type { Phone, PhoneDialog } from '../phone/phone.ts';
import type { CallView } from '../../../src/contract/calls.ts';
import type { KeptDialog } from './keptDialog.ts';
import type { Timers } from './timers.ts';
import type { VoiceDesk } from './voiceDesk.ts';
import { otherEndText } from '../shared/otherEnd.ts';

/** A telephone that is not ready by then will not fetch a call any more: the other side has hung up. Milliseconds. */
const phoneReadyWithinMs = 15_000;

type Needs = {
  desk: VoiceDesk;
  kept: KeptDialog;
  timers: Timers;
  /** Asks the other tabs of this browser. */
  ask: (callId: string) => Promise<PhoneDialog | null>;
  phone: () => Phone | null;
  /** Resolves when telephone or settings have changed. */
  change: () => Promise<void>;
};

/** Fetches a call that the gateway knows, and this page does not: of the page before a reload, or of another tab. */
export async function recoverCall(needs: Needs, call: CallView): Promise<void> {
  const { desk } = needs;
  const voice = desk.beginRecovery(call);
  let isLate = false;
  let wake = () => {};
  const late = new Promise<void>((resolve) => (wake = resolve));
  const cancel = needs.timers.after(phoneReadyWithinMs, () => {
    isLate = true;
    wake();
  });
  const isCurrent = () => desk.voice === voice;
  try {
    while (isCurrent() && !isLate && needs.phone() === null) await Promise.race([needs.change(), late]);
    if (!isCurrent()) return;
    if (needs.phone()?.can.reportsByHand === true) return desk.keepAsIs(call);
    const dialog = await find(needs, call.id);
    if (!isCurrent()) return;
    if (dialog !== null) desk.willFetch(call.id, dialog);
    while (isCurrent() && !isLate && dialog !== null && isComing(needs.phone())) await Promise.race([needs.change(), late]);
    if (!isCurrent()) return;
    const phone = needs.phone();
    if (dialog === null || phone?.line.state !== 'ready') return desk.giveUp(lost(call));
    desk.fetch(dialog);
  } finally {
    cancel();
  }
}

/** A tab that has the call itself is asked for it before a copy of its dialog is used: it must know that it gives it away. */
async function find({ kept, ask }: Needs, callId: string): Promise<PhoneDialog | null> {
  const own = kept.of(callId);
  return own !== null && !kept.isDoubtful ? own : ((await ask(callId)) ?? own);
}

function isComing(phone: Phone | null): boolean {
  if (phone === null) return true;
  return phone.line.state === 'starting' || (phone.line.state === 'unavailable' && phone.line.retrying);
}

function lost(call: CallView): string {
  const who = otherEndText(call);
  return call.answered_at === null
    ? `The call with ${who} was given up before anybody had answered: this page has no voice of it.`
    : `The voice of the call with ${who} could not be fetched to this page, so the call was ended.`;
}
