import { callerText } from '../../../src/contract/callRules.ts';
import type { Translate } from '../lib/i18n/catalog.ts';

type OtherEnd = { phone: string | null; caller?: string | null | undefined };

/** The number of who is at the other end, else what the network told of them, for a person. */
export function otherEndText(t: Translate, { phone, caller }: OtherEnd): string {
  return phone ?? caller ?? t('shared.withheld');
}

/** Who calls, as far as the telephone network tells, before the gateway has read it. */
export function callingEnd({ phoneNumber }: { phoneNumber: string }): { phone: string | null; caller: string | null } {
  const text = callerText(phoneNumber);
  return text !== null && /^\+[1-9]\d{1,14}$/.test(text) ? { phone: text, caller: null } : { phone: null, caller: text };
}
