import type { KeyValueStore } from '../phone/keyValueStore.ts';
import type { PhoneDialog } from '../phone/phone.ts';

const storageKey = 'readyline.voice';

/** The SIP dialog of the call that is connected, kept so that the page after a reload can take its place. */
export class KeptDialog {
  readonly #store: KeyValueStore;
  #isDoubtful = false;

  constructor(store: KeyValueStore) {
    this.#store = store;
  }

  /** Whether what is kept may be another tab's, which has the call itself. */
  get isDoubtful(): boolean {
    return this.#isDoubtful;
  }

  /** This tab has no session of its own: it may have begun as a copy of another one. */
  doubt(): void {
    this.#isDoubtful = true;
  }

  keep(callId: string, dialog: PhoneDialog): void {
    this.#isDoubtful = false;
    this.#store.setItem(storageKey, JSON.stringify({ callId, dialog }));
  }

  /** Null: that call's is not known. */
  of(callId: string): PhoneDialog | null {
    const text = this.#store.getItem(storageKey);
    if (text === null) return null;
    const kept = JSON.parse(text) as { callId: string; dialog: PhoneDialog };
    return kept.callId === callId ? kept.dialog : null;
  }

  forget(): void {
    this.#store.removeItem(storageKey);
  }
}
