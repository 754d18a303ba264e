/** Chance that comes again by its seed (mulberry32 over an FNV-1a hash). */
export class Chance {
  #state: number;

  /** @param seed any text; the same one brings the same chance */
  constructor(seed: string) {
    let hash = 0x811c9dc5;
    for (let at = 0; at < seed.length; at += 1) hash = Math.imul(hash ^ seed.charCodeAt(at), 0x01000193);
    this.#state = hash >>> 0;
  }

  /** @returns a whole number from 0 up to, and without, `end` */
  below(end: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % end;
  }

  of<T>(some: readonly T[]): T {
    return some[this.below(some.length)]!;
  }

  /** @param percent how often it is so */
  is(percent: number): boolean {
    return this.below(100) < percent;
  }

  /** @returns the same ones in another order */
  shuffled<T>(some: readonly T[]): T[] {
    const left = [...some];
    return some.map(() => left.splice(this.below(left.length), 1)[0]!);
  }
}
