import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';

/** Contacts that were made on this page, by their numbers (E.164): a call that began before does not know of them. */
const made = createStore<Readonly<Record<string, string>>>(() => ({}));

/** From now on that contact has these numbers. */
export function noteMade(phones: readonly string[], contactId: string): void {
  made.setState(Object.fromEntries(phones.map((phone) => [phone, contactId])));
}

/** The contact of a number that was made on this page; undefined: none was. */
export function useMadeContact(phone: string | null): string | undefined {
  return useStore(made, (contacts) => (phone === null ? undefined : contacts[phone]));
}
