import { createContext, useContext, useSyncExternalStore } from 'react';

/** Writes a phone number (E.164) as people read it. */
export type PhoneText = (number: string) => string;

type PhoneTextStore = { subscribe: (listener: () => void) => () => void; current: () => PhoneText };

const asItIs: PhoneText = (number) => number;

/**
 * Loads how numbers are written when the first one has been painted.
 * Until then they stay as they are, and for as long as the page lives where it cannot be loaded.
 */
export function createPhoneText(load: () => Promise<PhoneText>): PhoneTextStore {
  const listeners = new Set<() => void>();
  let current = asItIs;
  let isAsked = false;

  async function ask(): Promise<void> {
    isAsked = true;
    current = await load().catch(() => asItIs);
    for (const listener of listeners) listener();
  }

  return {
    subscribe(listener) {
      listeners.add(listener);
      if (!isAsked) void ask();
      return () => listeners.delete(listener);
    },
    current: () => current,
  };
}

/** The formats of all countries are a file of their own: nothing on a page waits for them. */
export const PhoneTextContext = createContext(
  createPhoneText(async () => (await import('./internationalFormat.ts')).internationalFormat),
);

/** How to write phone numbers now; another function once the formats are here. */
export function usePhoneText(): PhoneText {
  const { subscribe, current } = useContext(PhoneTextContext);
  return useSyncExternalStore(subscribe, current);
}
