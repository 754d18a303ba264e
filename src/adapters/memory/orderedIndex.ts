/**
 * Values under unique keys, ordered by score and then by key, as a Redis sorted set orders them. Built as a binary
 * heap in which every entry knows its place, so that nothing stale stays behind; a change costs the logarithm of
 * the size.
 */
export type OrderedIndex<Value> = {
  /** Adds the key or moves it to another score. */
  set(key: string, score: number, value: Value): void;
  /** Removes the key if it is there. */
  delete(key: string): void;
  /** Under which score the key is; null: it is not there. */
  scoreOf(key: string): number | null;
  /** The value with the lowest score under a key that is none of these few, or null when there is none. */
  first(except?: readonly string[]): Value | null;
  /** The value with the lowest score under one of these keys, or null when none of them is there. */
  firstAmong(keys: readonly string[]): Value | null;
  /** Values with a score of at most `maximum`, the lowest first, at most `limit`. */
  upTo(maximum: number, limit: number): Value[];
};

type Entry<Value> = { key: string; score: number; value: Value; place: number };

/** An empty index. */
export function createOrderedIndex<Value>(): OrderedIndex<Value> {
  const heap: Entry<Value>[] = [];
  const entries = new Map<string, Entry<Value>>();

  function put(entry: Entry<Value>, place: number): void {
    heap[place] = entry;
    entry.place = place;
  }

  function rise(entry: Entry<Value>): void {
    while (entry.place > 0) {
      const parent = heap[(entry.place - 1) >> 1];
      if (!parent || !isBefore(entry, parent)) return;
      swap(entry, parent);
    }
  }

  function sink(entry: Entry<Value>): void {
    for (;;) {
      const left = heap[entry.place * 2 + 1];
      const right = heap[entry.place * 2 + 2];
      const child = left && right && isBefore(right, left) ? right : left;
      if (!child || !isBefore(child, entry)) return;
      swap(entry, child);
    }
  }

  function swap(one: Entry<Value>, other: Entry<Value>): void {
    const place = one.place;
    put(one, other.place);
    put(other, place);
  }

  function insert(entry: Entry<Value>): void {
    entries.set(entry.key, entry);
    put(entry, heap.length);
    rise(entry);
  }

  function remove(entry: Entry<Value>): void {
    entries.delete(entry.key);
    const last = heap.pop();
    if (!last || last === entry) return;
    put(last, entry.place);
    rise(last);
    sink(last);
  }

  return {
    set(key, score, value) {
      const old = entries.get(key);
      if (old) remove(old);
      insert({ key, score, value, place: heap.length });
    },
    delete(key) {
      const entry = entries.get(key);
      if (entry) remove(entry);
    },
    scoreOf: (key) => entries.get(key)?.score ?? null,
    first(except = []) {
      const passed: Entry<Value>[] = [];
      for (let top = heap[0]; top && except.includes(top.key); top = heap[0]) {
        passed.push(top);
        remove(top);
      }
      const first = heap[0]?.value ?? null;
      passed.forEach(insert);
      return first;
    },
    firstAmong(keys) {
      let first: Entry<Value> | null = null;
      for (const key of keys) {
        const entry = entries.get(key);
        if (entry !== undefined && (first === null || isBefore(entry, first))) first = entry;
      }
      return first?.value ?? null;
    },
    upTo(maximum, limit) {
      const taken: Entry<Value>[] = [];
      for (let top = heap[0]; top && top.score <= maximum && taken.length < limit; top = heap[0]) {
        taken.push(top);
        remove(top);
      }
      taken.forEach(insert);
      return taken.map((entry) => entry.value);
    },
  };
}

function isBefore(one: Entry<unknown>, other: Entry<unknown>): boolean {
  return one.score === other.score ? one.key < other.key : one.score < other.score;
}
