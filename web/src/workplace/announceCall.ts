import type { Softphone, SoftphoneRefusal } from '../../../src/client/softphone.ts';
import type { CallView } from '../../../src/contract/calls.ts';
import type { Caller } from '../phone/phone.ts';
import { isFinal } from './isFinal.ts';
import type { ProgressReports } from './progressReports.ts';
import { isSameCaller } from './isSameCaller.ts';
import type { Timers } from './timers.ts';

/** What the gateway makes of a call that rings at the telephone. */
export type Announced =
  | { kind: 'recorded'; call: CallView }
  /** It does not take what the network told of who calls, as gateways of before took numbers alone. */
  | { kind: 'not_taken' }
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
      const { call } = await softphone.incomingCall(toldBy(caller), name);
      return { kind: 'recorded', call };
    } catch (error) {
      if (isFinal(error) && !isYielding(error, caller, softphone, reports)) return answerTo(error, softphone, reports);
    }
    await new Promise<void>((resolve) => timers.after(againAfterMs, resolve));
  } while (isWanted());
  return { kind: 'obsolete' };
}

/** The agent's call is one that is just ending, or rang at the page before this one: it gives way to who calls now. */
function isYielding({ code }: SoftphoneRefusal, caller: Caller, { call }: Softphone, reports: ProgressReports): boolean {
  if (code !== 'conflict' || call === null) return false;
  if (isRing(call) && !reports.isEnding(call.id) && !isSameCaller(call, caller.phoneNumber)) {
    reports.add(call.id, { state: 'ended', end: { reason: 'canceled', endedBy: 'customer' } });
  }
  return reports.isEnding(call.id);
}

function isRing({ state, trigger }: CallView): boolean {
  return state === 'ringing' && trigger === 'inbound_ring';
}

function answerTo(refusal: SoftphoneRefusal, softphone: Softphone, reports: ProgressReports): Announced {
  if (refusal.code === 'invalid_phone' || refusal.code === 'invalid_request') return { kind: 'not_taken' };
  // The agent is reserved for this very call where an answer of the gateway was lost.
  const { call } = softphone;
  return call !== null && isRing(call) && !reports.isEnding(call.id) ? { kind: 'recorded', call } : { kind: 'refused' };
}

/** As the gateway takes it: what no call may be lost for is cut. */
function toldBy({ phoneNumber }: Caller): string {
  return lineOf(phoneNumber, 256);
}

/** As the gateway takes names: one line, not empty, at most 200 characters. */
function nameOf({ displayName }: Caller): string | undefined {
  const name = lineOf(displayName ?? '', 200);
  return name === '' ? undefined : name;
}

/** In one line, of so many UTF-16 units at most, with no character cut in half. */
function lineOf(text: string, longest: number): string {
  return text.replaceAll(/[\p{Cc}\p{Cs}]+/gu, ' ').trim().slice(0, longest).replace(/\p{Cs}$/u, '');
}
