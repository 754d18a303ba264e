import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';

/**
 * Where the CRM area is: the part of the address behind `#`. It is known before anything of the area has been loaded.
 */
const address = createStore(() => ({ path: pathNow() }));

function pathNow(): string {
  return location.hash.startsWith('#/') ? location.hash.slice(1) : '/';
}

/** Reads the address again; for a router that changes it without the browser telling. */
export function followAddress(): void {
  address.setState({ path: pathNow() });
}
addEventListener('hashchange', followAddress);

/** Whether the address leads into the area, and not to the softphone alone. */
export function useIsInArea(): boolean {
  return useStore(address, ({ path }) => path !== '/');
}

/** The address of the page of a contact. */
export function contactAddress(id: string): string {
  return `#/contacts/${id}`;
}

/** The address of the form for a new contact. @param phone E.164 */
export function newContactAddress(phone: string): string {
  return `#/contacts/new?phone=${encodeURIComponent(phone)}`;
}
