import { callerText } from '../../../../../src/contract/callRules.ts';
import type { CallView, TransferredFrom } from '../../../../../src/contract/calls.ts';
import type { Caller } from '../../../lib/sip/phoneCall.ts';

/** So many last digits tell numbers apart that one network writes nationally and another with a country. */
const telling = 6;

/** Whether the gateway's call is of who the telephone network tells is calling. Those who withhold it count as one. */
export function isSameCaller({ phone, caller }: Pick<CallView, 'caller' | 'phone'>, told: string): boolean {
  return phone === null ? callerText(told) === caller : isSameNumber(phone, told);
}

/** A call that a colleague hands on; `callId`: the gateway's. */
export type HandedOnCall = Pick<CallView, 'caller' | 'phone'> & { callId: string; from: TransferredFrom | null };

/**
 * Whether the telephone network tells of that call: it names the call, or the colleague, or the customer,
 * as PBXs do that put the customer through at once; or it says nothing of who calls.
 */
export function isHandedOn({ callId, caller, from, phone }: HandedOnCall, { forCall, phoneNumber }: Caller): boolean {
  if (forCall !== undefined) return forCall === callId;
  if (callerText(phoneNumber) === null) return true;
  if (from?.extension != null && from.extension.toLowerCase() === phoneNumber.toLowerCase()) return true;
  return isSameCaller({ phone, caller }, phoneNumber);
}

/** Whether two spellings are of one number: `+49 30 123456`, `030123456`. */
function isSameNumber(left: string, right: string): boolean {
  const [a, b] = [digitsOf(left), digitsOf(right)];
  const [long, short] = a.length < b.length ? [b, a] : [a, b];
  return a === b || (short.length >= telling && long.endsWith(short));
}

function digitsOf(number: string): string {
  return number.replaceAll(/\D/g, '').replace(/^0+/, '');
}
