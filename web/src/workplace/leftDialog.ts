import type { KeyValueStore } from '../phone/keyValueStore.ts';
import type { PhoneDialog } from '../phone/phone.ts';

/** Whoever was left in a call for longer has hung up. Milliseconds. */
const leftForMs = 120_000;

type Left = { callId: string; dialog: PhoneDialog };

/**
 * The SIP dialog of a call whose page is gone, for the agent's next page, be it in another tab: a browser does not tell a
 * tab that is closed from one that is reloaded. Nothing in it is secret.
 */
export class LeftDialog {
  readonly #store: KeyValueStore;
  readonly #key: string;

  /** @param store of all the browser's tabs, e.g. `localStorage` */
  constructor(store: KeyValueStore, agentId: string) {
    this.#store = store;
    this.#key = `readyline.left.${agentId}`;
  }

  /** The page of that call is going. @param now milliseconds since the epoch */
  leave(left: Left, now: number): void {
    this.#store.setItem(this.#key, JSON.stringify({ ...left, until: now + leftForMs }));
  }

  /** Whoever takes it fetches the call, or hangs up in it: nobody else will. Null: there is none, or it is too late. */
  take(now: number): Left | null {
    const text = this.#store.getItem(this.#key);
    if (text === null) return null;
    this.#store.removeItem(this.#key);
    const { until, ...left } = JSON.parse(text) as Left & { until: number };
    return until > now ? left : null;
  }
}
