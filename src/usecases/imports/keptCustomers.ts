import type { KeptKey } from '../../domain/imports.ts';
import { type Customer, firstKeyOf } from './rowKeys.ts';

/** What a customer is known by as it is kept between batches. */
export type KeptCustomer = KeptKey & Customer;

type KeysThatFollow = Record<string, (reach: string, customer: Customer) => string>;
const ofReach: KeysThatFollow = {
  u: (reach) => `u:${reach}`,
  n: (reach, { name }) => `n:${reach}|${name}`,
  q: (reach, { row }) => `q:${row}:${reach}`,
};
const ofRow: KeysThatFollow = { w: (_, { row }) => `w:${row}`, i: (_, { row }) => `i:${row}` };

/** Keys that most customers have who have this one, each by a letter. */
function following(key: string): KeysThatFollow {
  if (/^[pe]:/.test(key)) return ofReach;
  return /^q:\d+:$/.test(key) ? ofRow : {};
}

/**
 * A customer's keys (`rowKeys.ts`) as they are kept: most rows have ten, of which six follow from the others.
 * @param keys that the customer gets at once, each once
 */
export function keptKeys(keys: readonly string[], customer: Customer): KeptKey[] {
  const rest = new Set(keys);
  const kept = keys.map((key) => {
    const letters = Object.entries(following(key)).filter(([, keyOf]) => rest.delete(keyOf(key.slice(2), customer)));
    return { key, also: letters.map(([letter]) => letter).join('') };
  });
  return kept.filter(({ key }) => rest.has(key));
}

/**
 * The customers of earlier batches by their keys, as far as they have been asked for. Rows are judged by what is known;
 * what was looked for and is not known yet is noted, to be asked for before they are judged again.
 */
export class KeptCustomers {
  readonly #byKey = new Map<string, Customer>();
  readonly #asked = new Set<string>();
  readonly #lacking = new Set<string>();
  readonly #firstRow: number;

  /** @param firstRow of the batch: of what later rows have come to nothing is kept */
  constructor(firstRow: number) {
    this.#firstRow = firstRow;
  }

  get(key: string): Customer | undefined {
    const found = this.#byKey.get(key);
    if (found === undefined && this.#canBeKept(key)) this.#lacking.add(key);
    return found;
  }

  /**
   * Asks for what was found to lack, and for these keys: first of all for those of the contacts whom rows can be of.
   * @returns the rows that found customers came to first; null: nothing lacks
   */
  async ask(
    find: (keys: string[]) => Promise<readonly KeptCustomer[]>,
    keys: readonly string[] = [],
  ): Promise<number[] | null> {
    const asked = [...new Set([...keys, ...this.#lacking])];
    if (asked.length === 0) return null;
    this.#lacking.clear();
    const found = await find(asked);
    for (const key of asked) this.#asked.add(key);
    for (const { key, also, ...customer } of found) {
      const by = following(key);
      const others = [...also].flatMap((letter) => by[letter]?.(key.slice(2), customer) ?? []);
      for (const each of [key, ...others]) this.#byKey.set(each, customer);
    }
    return [...new Set(found.map(({ row }) => row))];
  }

  /**
   * Whether rows that were judged before these ones, but not kept yet when those were asked for, can matter to them.
   * Told by the keys that they are known by: where these rows have come to any earlier customer, always.
   */
  areChangedBy(rows: readonly { keys: readonly KeptKey[] }[]): boolean {
    return this.#byKey.size > 0 || rows.some(({ keys }) => keys.some(({ key }) => this.#asked.has(key)));
  }

  #canBeKept(key: string): boolean {
    return !this.#asked.has(key) && this.#canExist(key);
  }

  /** Without regular expressions: asked some fifty times for each row. */
  #canExist(key: string): boolean {
    const rest = key.slice(2);
    switch (key[0]) {
      // A contact of another id is one that these rows make.
      case 'c':
        return false;
      case 'q':
      case 'w':
      case 'i':
        return Number.parseInt(rest, 10) < this.#firstRow;
      case 'p':
      case 'e':
        return key === firstKeyOf(rest);
      case 'n':
      case 't':
        return this.get(firstKeyOf(rest.slice(0, rest.lastIndexOf('|')))) !== undefined;
      case 'u':
      case 's':
      case 'a':
        return this.get(firstKeyOf(rest)) !== undefined;
      default:
        return true;
    }
  }
}
