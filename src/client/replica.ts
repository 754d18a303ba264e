export type ReplicaRules<T> = {
  idOf: (item: T) => string;
  /** Whether it replaces what is known of the same thing. */
  isNewer: (item: T, known: T) => boolean;
  /** It is gone; what is told of it later may have been overtaken by that. */
  isOver: (item: T) => boolean;
};

/** So many that are over are remembered, to know late messages by. */
const overRemembered = 1_000;

/** What a gateway tells in snapshots and changes, as it stands: messages may overtake each other. */
export class Replica<T> {
  readonly #rules: ReplicaRules<T>;
  #known = new Map<string, T>();
  /** Learned on this connection, and perhaps not in the snapshot that is to come. */
  #ahead: Set<string> | null = null;
  #over: string[] = [];

  constructor(rules: ReplicaRules<T>) {
    this.#rules = rules;
  }

  /** All that are not over. */
  get all(): T[] {
    return [...this.#known.values()].filter((item) => !this.#rules.isOver(item));
  }

  /** A new connection: its snapshot is to come. */
  expectSnapshot(): void {
    this.#ahead = new Set();
  }

  /** Forgets everything but what was told on this connection ahead of the snapshot, and is newer. */
  replace(items: T[]): void {
    const next = new Map(items.map((item) => [this.#rules.idOf(item), item]));
    for (const id of this.#ahead ?? []) {
      const told = this.#known.get(id);
      const shown = next.get(id);
      if (told !== undefined && (shown === undefined || this.#rules.isNewer(told, shown))) next.set(id, told);
    }
    this.#known = next;
    this.#ahead = null;
    this.#over = this.#over.filter((id) => next.has(id));
  }

  /** Takes a change; false: what is known is newer. */
  learn(item: T): boolean {
    const id = this.#rules.idOf(item);
    const known = this.#known.get(id);
    if (known !== undefined && !this.#rules.isNewer(item, known)) return false;
    this.#known.set(id, item);
    this.#ahead?.add(id);
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
