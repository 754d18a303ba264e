import type { KeyValueStore } from '../../lib/sip/pendingHangUps.ts';
import type { PhoneDialog } from '../../lib/sip/phoneCall.ts';

const tabKey = 'readyline.voice';

/** The SIP dialog of the call that is connected, kept so that the page after a reload can take its place. */
export class TabDialogStorage {
  readonly #store: KeyValueStore;
  #isDoubtful = false;

  /** @param store of this tab, e.g. `sessionStorage` */
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
    this.#store.setItem(tabKey, JSON.stringify({ callId, dialog }));
  }

  /** Null: that call's is not known. */
  of(callId: string): PhoneDialog | null {
    const text = this.#store.getItem(tabKey);
    if (text === null) return null;
    const kept = JSON.parse(text) as LeftCall;
    return kept.callId === callId ? kept.dialog : null;
  }

  forget(): void {
    this.#store.removeItem(tabKey);
  }
}

/** Whoever was left in a call for longer has hung up. Milliseconds. */
const leftForMs = 120_000;

type LeftCall = { callId: string; dialog: PhoneDialog };

/**
 * The SIP dialog of a call whose page is gone, for the agent's next page, be it in another tab: a browser does not tell
 * a tab that is closed from one that is reloaded. Nothing in it is secret.
 */
export class LeftDialogStorage {
  readonly #store: KeyValueStore;
  readonly #key: string;

  /** @param store of all the browser's tabs, e.g. `localStorage` */
  constructor(store: KeyValueStore, agentId: string) {
    this.#store = store;
    this.#key = `readyline.left.${agentId}`;
  }

  /** The page of that call is going. @param now milliseconds since the epoch */
  leave(left: LeftCall, now: number): void {
    this.#store.setItem(this.#key, JSON.stringify({ ...left, until: now + leftForMs }));
  }

  /** Whoever takes it fetches the call, or hangs up in it: nobody else will. Null: there is none, or it is too late. */
  take(now: number): LeftCall | null {
    const text = this.#store.getItem(this.#key);
    if (text === null) return null;
    this.#store.removeItem(this.#key);
    const { until, ...left } = JSON.parse(text) as LeftCall & { until: number };
    return until > now ? left : null;
  }
}
