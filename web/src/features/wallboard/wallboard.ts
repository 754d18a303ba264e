import type { AgentStateView } from '../../../../src/contract/agents.ts';
import type { ClickTally, LiveCall } from '../../../../src/contract/live.ts';
import { KeyedListeners } from './keyedListeners.ts';
import { oncePerFrame, withPauses } from './pace.ts';
import { Topic } from './topic.ts';
import { countRows, type WallboardCounts } from './wallboardCounts.ts';
import { orderRows, type WallboardView } from './wallboardOrder.ts';
import type { WallboardRow } from './wallboardRow.ts';

/** Rows that changed their place more often could not be read. */
const reorderedEveryMs = 1_000;
/** Nobody reads numbers that change more often. */
const countedEveryMs = 250;

/**
 * What the wallboard shows, kept outside of React so that 2,000 agents do not make 2,000 renderings: changes are
 * gathered, told once per frame, and only to the rows that are on screen. Counts and order are made anew more rarely.
 */
export class Wallboard {
  readonly counts = new Topic<WallboardCounts>(countRows([]));
  /** Ids of the agents that are listed, in their order. */
  readonly order = new Topic<readonly string[]>([]);
  readonly clicks = new Topic<readonly ClickTally[]>([]);
  readonly view = new Topic<WallboardView>({ sort: 'state', state: null, text: '' });
  readonly #agents = new Map<string, AgentStateView>();
  /** Calls in progress, by their agent's id. */
  readonly #calls = new Map<string, LiveCall>();
  /** As they were told to React last. */
  readonly #rows = new Map<string, WallboardRow>();
  readonly #rowListeners = new KeyedListeners<[]>();
  readonly #agentListeners = new KeyedListeners<[AgentStateView]>();
  readonly #changed = new Set<string>();
  readonly #frame = oncePerFrame(() => this.#tell());
  readonly #recount = withPauses(() => this.counts.set(countRows(this.#rows.values())), countedEveryMs);
  readonly #reorder = withPauses(() => this.#order(), reorderedEveryMs);

  /** Everyone there is: whoever is missing is offline. */
  replaceAgents(agents: readonly AgentStateView[]): void {
    for (const id of this.#agents.keys()) this.#changed.add(id);
    this.#agents.clear();
    for (const agent of agents) this.changeAgent(agent);
    this.#frame.ask();
  }

  changeAgent(agent: AgentStateView): void {
    this.#agents.set(agent.agent_id, agent);
    this.#agentListeners.tell(agent.agent_id, agent);
    this.#note(agent.agent_id);
  }

  /** What was told of the agent last. */
  agent(id: string): AgentStateView | null {
    return this.#agents.get(id) ?? null;
  }

  /** Every call that lasts. */
  replaceCalls(calls: readonly LiveCall[]): void {
    for (const id of this.#calls.keys()) this.#changed.add(id);
    this.#calls.clear();
    for (const call of calls) this.changeCall(call);
    this.#frame.ask();
  }

  changeCall(call: LiveCall): void {
    const known = this.#calls.get(call.agent_id);
    if (call.state !== 'ended') this.#calls.set(call.agent_id, call);
    else if (known?.id === call.id) this.#calls.delete(call.agent_id);
    this.#note(call.agent_id);
  }

  /** Lists other agents, or in another order, at once. */
  show(change: Partial<WallboardView>): void {
    this.view.set({ ...this.view.read(), ...change });
    this.#reorder.now();
  }

  /** Null: nothing was told of this agent, who is offline then. */
  row(id: string): WallboardRow | null {
    return this.#rows.get(id) ?? null;
  }

  /** Told once per frame, of what has become of the row by then. @returns ends the subscription */
  subscribeRow(id: string, listener: () => void): () => void {
    return this.#rowListeners.subscribe(id, listener);
  }

  /** Told of every change at once: a page that is not seen has no frames. @returns ends the subscription */
  subscribeAgent(id: string, listener: (agent: AgentStateView) => void): () => void {
    return this.#agentListeners.subscribe(id, listener);
  }

  /** Tells nothing any more. */
  stop(): void {
    this.#frame.stop();
    this.#recount.stop();
    this.#reorder.stop();
  }

  #note(agentId: string): void {
    this.#changed.add(agentId);
    this.#frame.ask();
  }

  #tell(): void {
    const changed = [...this.#changed];
    this.#changed.clear();
    for (const id of changed) this.#refresh(id);
    for (const id of changed) this.#rowListeners.tell(id);
    this.#recount.ask();
    this.#reorder.ask();
  }

  #refresh(id: string): void {
    const agent = this.#agents.get(id);
    if (agent === undefined) this.#rows.delete(id);
    else this.#rows.set(id, { agent, call: this.#calls.get(id) ?? null });
  }

  #order(): void {
    const order = orderRows(this.#rows.values(), this.view.read());
    const before = this.order.read();
    const isSame = order.length === before.length && order.every((id, index) => id === before[index]);
    if (!isSame) this.order.set(order);
  }
}
