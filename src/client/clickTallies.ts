import type { ClickTally } from '../contract/live.ts';

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
