import type { KeyValueStore } from './keyValueStore.ts';
import type { PhoneDialog } from './phone.ts';

/** That a call is over. `cancel`: of an INVITE that nobody has answered, as it goes out. */
export type Goodbye = { bye: PhoneDialog } | { cancel: string };

/** Whoever has not been told by then has found out. Milliseconds. */
const owedForMs = 120_000;

/** `until`: milliseconds since the epoch. */
type OwedGoodbye = Goodbye & { until: number };

/**
 * What the telephone network could not be told, kept for whichever page of the agent reaches it first: this one, the one
 * after a reload, or one in another tab. Nothing in it is secret.
 */
export class OwedGoodbyes {
  readonly #store: KeyValueStore;
  readonly #key: string;

  /** @param store of all the browser's tabs, e.g. `localStorage` */
  constructor(store: KeyValueStore, agentId: string) {
    this.#store = store;
    this.#key = `readyline.goodbyes.${agentId}`;
  }

  /** @param now milliseconds since the epoch; it is owed for two minutes */
  owe(goodbye: Goodbye, now: number): void {
    this.putBack({ ...goodbye, until: now + owedForMs });
  }

  /** What was taken could not be said. */
  putBack(goodbye: OwedGoodbye): void {
    this.#store.setItem(this.#key, JSON.stringify([...this.#read(), goodbye]));
  }

  /** All that are not too late; whoever takes them says them, or puts them back. @param now milliseconds since the epoch */
  takeAll(now: number): OwedGoodbye[] {
    const all = this.#read();
    this.#store.removeItem(this.#key);
    return all.filter(({ until }) => until > now);
  }

  #read(): OwedGoodbye[] {
    return JSON.parse(this.#store.getItem(this.#key) ?? '[]') as OwedGoodbye[];
  }
}
