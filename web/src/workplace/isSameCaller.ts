import { callerText } from '../../../src/contract/caller.ts';
import type { CallView } from '../../../src/contract/calls.ts';
import { isSameNumber } from './sameNumber.ts';

/** Whether the gateway's call is of who the telephone network tells is calling. Those who withhold it count as one. */
export function isSameCaller({ phone, caller }: CallView, told: string): boolean {
  return phone === null ? callerText(told) === caller : isSameNumber(phone, told);
}
