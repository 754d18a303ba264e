import type { KeyValueStore } from '../../lib/sip/pendingHangUps.ts';
import type { PhoneDialog } from '../../lib/sip/phoneCall.ts';

const tabKey = 'readyline.voice';

type KeptCall = { callId: string; dialog: PhoneDialog };

/** The SIP dialogs of the calls that are connected, kept so that the page after a reload can take their places. */
export class TabDialogStorage {
  readonly #store: KeyValueStore;
  #isDoubtful = false;

  /** @param store of this tab, e.g. `sessionStorage` */
  constructor(store: KeyValueStore) {
    this.#store = store;
  }

  /** Whether what is kept may be another tab's, which has the calls itself. */
  get isDoubtful(): boolean {
    return this.#isDoubtful;
  }

  /** This tab has no session of its own: it may have begun as a copy of another one. */
  doubt(): void {
    this.#isDoubtful = true;
  }

  keep(callId: string, dialog: PhoneDialog): void {
    this.#isDoubtful = false;
    this.#write([...this.#others(callId), { callId, dialog }]);
  }

  /** Null: that call's is not known. */
  of(callId: string): PhoneDialog | null {
    return read<KeptCall>(this.#store, tabKey).find((kept) => kept.callId === callId)?.dialog ?? null;
  }

  /** @param callId null: all of them */
  forget(callId: string | null): void {
    this.#write(callId === null ? [] : this.#others(callId));
  }

  #others(callId: string): KeptCall[] {
    return read<KeptCall>(this.#store, tabKey).filter((kept) => kept.callId !== callId);
  }

  #write(calls: KeptCall[]): void {
    if (calls.length === 0) this.#store.removeItem(tabKey);
    else this.#store.setItem(tabKey, JSON.stringify(calls));
  }
}

/** Whoever was left in a call for longer has hung up. Milliseconds. */
const leftForMs = 120_000;

type LeftCall = KeptCall & { until: number };

/**
 * The SIP dialogs of calls whose page is gone, for the agent's next page, be it in another tab: a browser does not tell
 * a tab that is closed from one that is reloaded. Nothing in them is secret.
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
  leave(left: KeptCall, now: number): void {
    const others = read<LeftCall>(this.#store, this.#key).filter(
      (one) => one.until > now && one.callId !== left.callId,
    );
    this.#store.setItem(this.#key, JSON.stringify([...others, { ...left, until: now + leftForMs }]));
  }

  /** Whoever takes them fetches the calls, or hangs up in them: nobody else will. None: there are none, or too late. */
  take(now: number): KeptCall[] {
    const left = read<LeftCall>(this.#store, this.#key);
    this.#store.removeItem(this.#key);
    return left.filter(({ until }) => until > now).map(({ callId, dialog }) => ({ callId, dialog }));
  }
}

/** A page of before has kept one alone. */
function read<T>(store: KeyValueStore, key: string): T[] {
  const kept = JSON.parse(store.getItem(key) ?? '[]') as T | T[];
  return Array.isArray(kept) ? kept : [kept];
}
