import { callerText } from '../../../src/contract/callRules.ts';
import type { Translate } from '../lib/i18n/catalog.ts';
import type { PhoneText } from './phoneNumbers/phoneText.ts';

export type OtherEndOfCall = { phone: string | null; caller?: string | null | undefined };

/**
 * The number of who is at the other end, else what the network told of them, for a person; in a sentence or a label.
 */
export function otherEndText(t: Translate, phoneText: PhoneText, { phone, caller }: OtherEndOfCall): string {
  return phone === null ? (caller ?? t('shared.withheld')) : phoneText(phone);
}

/** Who calls, as far as the telephone network tells, before the gateway has read it. */
export function callingEnd({ phoneNumber }: { phoneNumber: string }): { phone: string | null; caller: string | null } {
  const text = callerText(phoneNumber);
  return text !== null && /^\+[1-9]\d{1,14}$/.test(text)
    ? { phone: text, caller: null }
    : { phone: null, caller: text };
}
