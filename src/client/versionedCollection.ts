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
