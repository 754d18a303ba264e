import type { ContactView } from '../../../../src/contract/contacts.ts';
import type { Translate } from '../../lib/i18n/catalog.ts';
import type { PhoneText } from '../../shared/phoneNumbers/phoneText.ts';

type Listed = { primary: boolean };

/** The one that is dialed or written to: the one that is marked, else the first. */
export function primaryOf<T extends Listed>(list: readonly T[]): T | null {
  return list.find(({ primary }) => primary) ?? list[0] ?? null;
}

/** The parts of a contact by which it can be called. */
export type Called = Pick<ContactView, 'name'> & {
  phones: readonly { phone_number: string; primary: boolean }[];
  emails: readonly { email: string; primary: boolean }[];
};

/** What to call a contact: its name, else its number, else its address. */
export function contactTitle(t: Translate, phoneText: PhoneText, { name, phones, emails }: Called): string {
  if (name !== null && name.trim() !== '') return name.trim();
  const phone = primaryOf(phones);
  return phone !== null ? phoneText(phone.phone_number) : (primaryOf(emails)?.email ?? t('crmArea.contact.nameless'));
}
