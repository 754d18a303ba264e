import type { PhoneDialog } from './phoneCall.ts';

/**
 * A hang-up that the telephone network is to be told. `cancel`: of an INVITE that nobody has answered, as it goes out.
 */
export type HangUp = { bye: PhoneDialog } | { cancel: string };

/** Whoever has not been told by then has found out. Milliseconds. */
const pendingForMs = 120_000;

/** `until`: milliseconds since the epoch. */
type PendingHangUp = HangUp & { until: number };

/**
 * What the telephone network could not be told, kept for whichever page of the agent reaches it first: this one,
 * the one after a reload, or one in another tab. Nothing in it is secret.
 */
export class HangUpStorage {
  readonly #store: KeyValueStore;
  readonly #key: string;

  /** @param store of all the browser's tabs, e.g. `localStorage` */
  constructor(store: KeyValueStore, agentId: string) {
    this.#store = store;
    this.#key = `readyline.goodbyes.${agentId}`;
  }

  /** @param now milliseconds since the epoch; it is kept for two minutes */
  add(hangUp: HangUp, now: number): void {
    this.putBack({ ...hangUp, until: now + pendingForMs });
  }

  /** What was taken could not be sent. */
  putBack(hangUp: PendingHangUp): void {
    this.#store.setItem(this.#key, JSON.stringify([...this.#read(), hangUp]));
  }

  /**
   * All that are not too late; whoever takes them sends them, or puts them back.
   * @param now milliseconds since the epoch
   */
  takeAll(now: number): PendingHangUp[] {
    const all = this.#read();
    this.#store.removeItem(this.#key);
    return all.filter(({ until }) => until > now);
  }

  #read(): PendingHangUp[] {
    return JSON.parse(this.#store.getItem(this.#key) ?? '[]') as PendingHangUp[];
  }
}

type Needs = {
  storage: HangUpStorage;
  isReachable: () => boolean;
  /** `onUnsent`: it did not arrive; called at most once. */
  send: (hangUp: HangUp, onUnsent: () => void) => void;
};

/** Tells the telephone network that calls are over as soon as it can be reached. */
export class PendingHangUps {
  readonly #needs: Needs;

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  /** Sends it now, or as soon as that is possible; nothing that is older than two minutes. */
  add(hangUp: HangUp): void {
    this.#needs.storage.add(hangUp, Date.now());
    this.sendAll();
  }

  /** The network can be reached. */
  sendAll(): void {
    const { storage, isReachable, send } = this.#needs;
    if (!isReachable()) return;
    for (const hangUp of storage.takeAll(Date.now())) send(hangUp, () => storage.putBack(hangUp));
  }
}

/** What keeps something over the end of a page, e.g. `sessionStorage`. */
export type KeyValueStore = {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
};
