import { Agent, request } from 'undici';
import { wholePatienceMs } from '../../support/time/pace.ts';
import type { Ledger } from '../ledger.ts';
import type { Way } from './clicks.ts';

const everyMs = 250;

/**
 * Asks each gateway all the time for an answer that costs it nothing (`/api/health/live`): how long that takes is what
 * a busy machine adds to everything else.
 */
export class Pulse {
  readonly #connections = new Agent({ connections: 4, keepAliveTimeout: 4_000 });
  readonly #timer: ReturnType<typeof setInterval>;
  readonly #beats: { via: string; from: number; to: number }[] = [];
  readonly #underWay = new Set<string>();
  readonly #ledger: Ledger;

  constructor(ledger: Ledger, ways: () => readonly Way[]) {
    this.#ledger = ledger;
    this.#timer = setInterval(() => {
      for (const way of ways()) void this.#beat(way);
    }, everyMs);
  }

  /** The longest that an answer of this gateway took at that time; of any gateway where none is named. Milliseconds. */
  slowest(via: string | null, from: number, to: number): number {
    const overlapping = this.#beats.filter(
      (beat) => (via === null || beat.via === via) && beat.from <= to && beat.to >= from,
    );
    return Math.max(0, ...overlapping.map((beat) => beat.to - beat.from));
  }

  stop(): Promise<void> {
    clearInterval(this.#timer);
    return this.#connections.destroy();
  }

  async #beat({ name, url }: Way): Promise<void> {
    if (this.#underWay.has(name)) return;
    this.#underWay.add(name);
    const from = this.#ledger.now();
    try {
      const signal = AbortSignal.timeout(wholePatienceMs());
      const { body } = await request(`${url}/api/health/live`, { dispatcher: this.#connections, signal });
      await body.dump();
      this.#beats.push({ via: name, from, to: this.#ledger.now() });
    } catch {
      // One that is down has no pulse.
    } finally {
      this.#underWay.delete(name);
    }
  }
}
