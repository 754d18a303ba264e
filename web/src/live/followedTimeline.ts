import { followAgent, type TimelineEntry } from './timeline.ts';
import { Topic } from './topic.ts';
import type { Wall } from './wall.ts';

/** One agent's timeline, which goes on as the wall learns of the agent. */
export class FollowedTimeline {
  readonly #wall: Wall;
  readonly #agentId: string;
  readonly #entries = new Topic<readonly TimelineEntry[]>([]);
  #isBegun = false;

  constructor(wall: Wall, agentId: string) {
    this.#wall = wall;
    this.#agentId = agentId;
  }

  readonly read = (): readonly TimelineEntry[] => this.#entries.read();

  /** @returns ends the subscription */
  readonly subscribe = (listener: () => void): (() => void) => {
    const ends = [this.#wall.subscribeRow(this.#agentId, () => this.#follow()), this.#entries.subscribe(listener)];
    return () => ends.forEach((end) => end());
  };

  /** Takes what the gateway has recorded; the wall may know of more already. */
  begin(recorded: readonly TimelineEntry[]): void {
    this.#isBegun = true;
    this.#entries.set(followAgent(recorded, this.#wall.agent(this.#agentId)));
  }

  #follow(): void {
    if (this.#isBegun) this.#entries.set(followAgent(this.#entries.read(), this.#wall.agent(this.#agentId)));
  }
}
