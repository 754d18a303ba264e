import type { ClickTally } from '../contract/live.ts';

export type VersionRules<T> = {
  idOf: (item: T) => string;
  /** Whether it replaces what is known of the same thing. */
  isNewer: (item: T, known: T) => boolean;
  /** It is gone; a message about it that comes later may be older. */
  isOver: (item: T) => boolean;
};

/** How many items that are over are kept, to recognise late messages about them. */
const overRemembered = 1_000;

/** Items by their latest version, from snapshots and changes that may overtake each other. */
export class VersionedCollection<T> {
  readonly #rules: VersionRules<T>;
  #known = new Map<string, T>();
  /** Changes on this connection that came before its snapshot, which may not have them. */
  #beforeSnapshot: Set<string> | null = null;
  #over: string[] = [];

  constructor(rules: VersionRules<T>) {
    this.#rules = rules;
  }

  /** All that are not over. */
  get all(): T[] {
    return [...this.#known.values()].filter((item) => !this.#rules.isOver(item));
  }

  /** A new connection: its snapshot is to come. */
  expectSnapshot(): void {
    this.#beforeSnapshot = new Set();
  }

  /** Takes a snapshot; of what was known, only newer changes that came before it on this connection stay. */
  replace(items: T[]): void {
    const next = new Map(items.map((item) => [this.#rules.idOf(item), item]));
    for (const id of this.#beforeSnapshot ?? []) {
      const told = this.#known.get(id);
      const shown = next.get(id);
      if (told !== undefined && (shown === undefined || this.#rules.isNewer(told, shown))) next.set(id, told);
    }
    this.#known = next;
    this.#beforeSnapshot = null;
    this.#over = this.#over.filter((id) => next.has(id));
  }

  /** Takes a change; false: what is known is newer. */
  learn(item: T): boolean {
    const id = this.#rules.idOf(item);
    const known = this.#known.get(id);
    if (known !== undefined && !this.#rules.isNewer(item, known)) return false;
    this.#known.set(id, item);
    this.#beforeSnapshot?.add(id);
    if (this.#rules.isOver(item)) this.#remember(id);
    return true;
  }

  #remember(id: string): void {
    this.#over.push(id);
    if (this.#over.length <= overRemembered) return;
    const [oldest] = this.#over.splice(0, 1);
    const known = oldest === undefined ? undefined : this.#known.get(oldest);
    if (oldest !== undefined && known !== undefined && this.#rules.isOver(known)) this.#known.delete(oldest);
  }
}

/** As long as the gateway's snapshot reaches back. Milliseconds. */
const keptMs = 48 * 3_600_000;

/** The clicks of the last 48 hours, a quarter of an hour each. */
export class ClickTallies {
  #tallies = new Map<string, ClickTally>();
  /** Changes on this connection that came before its snapshot, which may not have them. */
  #beforeSnapshot: ClickTally[] | null = null;

  /** In order of time. */
  get all(): ClickTally[] {
    return [...this.#tallies.values()].sort((a, b) => (a.at < b.at ? -1 : 1));
  }

  /** A new connection: its snapshot is to come. */
  expectSnapshot(): void {
    this.#beforeSnapshot = [];
  }

  replace(tallies: ClickTally[]): void {
    const ahead = this.#beforeSnapshot ?? [];
    this.#tallies = new Map();
    this.#beforeSnapshot = null;
    for (const tally of [...tallies, ...ahead]) this.#raise(tally);
  }

  learn(tallies: ClickTally[]): void {
    for (const tally of tallies) this.#raise(tally);
    this.#beforeSnapshot?.push(...tallies);
    // A page that watches for days must not gather more.
    const latest = Math.max(...[...this.#tallies.keys()].map((at) => Date.parse(at)));
    for (const at of this.#tallies.keys()) if (Date.parse(at) < latest - keptMs) this.#tallies.delete(at);
  }

  /** Sums only rise, so a lower one is older. */
  #raise(tally: ClickTally): void {
    const known = this.#tallies.get(tally.at);
    this.#tallies.set(tally.at, {
      at: tally.at,
      dialed: Math.max(tally.dialed, known?.dialed ?? 0),
      no_ready_agent: Math.max(tally.no_ready_agent, known?.no_ready_agent ?? 0),
      agent_not_ready: Math.max(tally.agent_not_ready, known?.agent_not_ready ?? 0),
      failed: Math.max(tally.failed, known?.failed ?? 0),
    });
  }
}
