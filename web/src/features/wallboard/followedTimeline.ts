import type { AgentStateView } from '../../../../src/contract/agents.ts';
import { followAgent, type TimelineEntry } from './timeline.ts';
import { Topic } from './topic.ts';
import type { Wallboard } from './wallboard.ts';

/** One agent's timeline, which goes on with every change that the wallboard is told of. */
export class FollowedTimeline {
  readonly #wallboard: Wallboard;
  readonly #agentId: string;
  readonly #entries = new Topic<readonly TimelineEntry[]>([]);
  /** Told before what the gateway has recorded was here. */
  #early: AgentStateView[] = [];
  #isBegun = false;

  constructor(wallboard: Wallboard, agentId: string) {
    this.#wallboard = wallboard;
    this.#agentId = agentId;
  }

  readonly read = (): readonly TimelineEntry[] => this.#entries.read();

  /** @returns ends the subscription */
  readonly subscribe = (listener: () => void): (() => void) => {
    const ends = [this.#wallboard.subscribeAgent(this.#agentId, (agent) => this.#follow(agent)), this.#entries.subscribe(listener)];
    return () => ends.forEach((end) => end());
  };

  /** Takes what the gateway has recorded; the wallboard may know of more already. */
  begin(recorded: readonly TimelineEntry[]): void {
    this.#isBegun = true;
    const told = [...this.#early.splice(0), this.#wallboard.agent(this.#agentId)];
    this.#entries.set(told.reduce<readonly TimelineEntry[]>(followAgent, recorded));
  }

  #follow(agent: AgentStateView): void {
    if (this.#isBegun) this.#entries.set(followAgent(this.#entries.read(), agent));
    else this.#early.push(agent);
  }
}
