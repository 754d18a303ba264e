import type { KeyValueStore } from '../phone/keyValueStore.ts';

/** What all tabs of this browser share. Where the browser refuses it, as to some frames, this page has its own. */
export function sharedStore(): KeyValueStore {
  try {
    return localStorage;
  } catch {
    const kept = new Map<string, string>();
    return {
      getItem: (key) => kept.get(key) ?? null,
      setItem: (key, value) => void kept.set(key, value),
      removeItem: (key) => void kept.delete(key),
    };
  }
}
