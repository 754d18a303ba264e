import { callerText } from '../../../../../src/contract/callRules.ts';
import type { CallView } from '../../../../../src/contract/calls.ts';

/** So many last digits tell numbers apart that one network writes nationally and another with a country. */
const telling = 6;

/** Whether the gateway's call is of who the telephone network tells is calling. Those who withhold it count as one. */
export function isSameCaller({ phone, caller }: CallView, told: string): boolean {
  return phone === null ? callerText(told) === caller : isSameNumber(phone, told);
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
