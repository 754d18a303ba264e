import type { Softphone, SoftphoneRefusal } from '../../../src/client/softphone.ts';
import type { CallView } from '../../../src/contract/calls.ts';
import type { Caller } from '../phone/phone.ts';
import { isFinal } from './isFinal.ts';
import type { ProgressReports } from './progressReports.ts';
import type { Timers } from './timers.ts';

/** What the gateway makes of a call that rings at the telephone. */
export type Announced =
  | { kind: 'recorded'; call: CallView }
  /** It knows calls by the customer's number, and this one has none. */
  | { kind: 'no_number' }
  /** The agent has other things to do. */
  | { kind: 'refused' }
  /** The call ended, or was found, before the gateway could be asked. */
  | { kind: 'obsolete' };

/** While the gateway does not answer. Milliseconds. */
const againAfterMs = 2_000;

/**
 * Tells the gateway that somebody calls, however long it takes to reach it.
 * @param isWanted whether there is still something to be told
 */
export async function announceCall(
  { softphone, reports, timers }: { softphone: Softphone; reports: ProgressReports; timers: Timers },
  caller: Caller,
  isWanted: () => boolean,
): Promise<Announced> {
  const name = nameOf(caller);
  do {
    try {
      const { call } = await softphone.incomingCall(caller.phoneNumber, name);
      return { kind: 'recorded', call };
    } catch (error) {
      if (isFinal(error)) return answerTo(error, softphone, reports);
    }
    await new Promise<void>((resolve) => timers.after(againAfterMs, resolve));
  } while (isWanted());
  return { kind: 'obsolete' };
}

function answerTo(refusal: SoftphoneRefusal, softphone: Softphone, reports: ProgressReports): Announced {
  if (refusal.code === 'invalid_phone' || refusal.code === 'invalid_request') return { kind: 'no_number' };
  // The agent is reserved for this very call where an answer of the gateway was lost. One telephone rings for one caller
  // at a time, so numbers need no comparing: the network's may be a national one.
  const { call } = softphone;
  const isThis = call?.state === 'ringing' && call.trigger === 'inbound_ring' && !reports.isEnding(call.id);
  return isThis ? { kind: 'recorded', call } : { kind: 'refused' };
}

/** As the gateway takes names: one line, not empty, at most 200 characters. */
function nameOf({ displayName }: Caller): string | undefined {
  const name = (displayName ?? '').replaceAll(/\p{Cc}+/gu, ' ').trim().slice(0, 200);
  return name === '' ? undefined : name;
}
