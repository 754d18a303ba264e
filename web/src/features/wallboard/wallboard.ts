import { createStore } from 'zustand/vanilla';
import type { AgentStateView } from '../../../../src/contract/agents.ts';
import type { ClickTally, LiveCall } from '../../../../src/contract/live.ts';
import { gatewayTimeAt } from './gatewayClock.ts';
import { countRows, type WallboardCounts } from './wallboardCounts.ts';
import { inTeam, orderRows, type WallboardRow, type WallboardView } from './wallboardOrder.ts';

/** Rows that changed their place more often could not be read. */
const reorderedEveryMs = 1_000;
/** Nobody reads numbers that change more often. */
const countedEveryMs = 250;

/**
 * What the page shows. `rows`: by the agent's id, those of agents who are offline too.
 * `order`: ids of those that are listed.
 */
export type Shown = {
  rows: ReadonlyMap<string, WallboardRow>;
  order: readonly string[];
  counts: WallboardCounts;
  /**
   * Since when nobody who is counted has been Ready, in milliseconds since the epoch by the gateway's clock;
   * null: somebody is.
   */
  nobodySince: number | null;
  clicks: readonly ClickTally[];
  /** The teams whose agents those are; null: everybody of the company. */
  teams: readonly string[] | null;
  view: WallboardView;
};

/**
 * What the wallboard knows, kept outside of React so that 2,000 agents do not make 2,000 renderings: changes are
 * gathered and shown once per frame, and a row is drawn anew only where it is on screen and has changed. Counts and
 * order are made anew more rarely.
 */
export class Wallboard {
  readonly shown = createStore<Shown>(() => ({
    rows: new Map(),
    order: [],
    counts: countRows([]),
    nobodySince: null,
    clicks: [],
    teams: null,
    view: { sort: 'state', state: null, team: null, text: '' },
  }));
  /** The change of an agent that was told last, at once: a page that is not seen has no frames. */
  readonly latest = createStore<{ agent: AgentStateView | null }>(() => ({ agent: null }));
  readonly #agents = new Map<string, AgentStateView>();
  /** Calls in progress, by their agent's id, and by their own. */
  readonly #calls = new Map<string, Map<string, LiveCall>>();
  readonly #changed = new Set<string>();
  readonly #frame = oncePerFrame(() => this.#draw());
  readonly #recount = withPauses(() => this.#count(), countedEveryMs);
  readonly #reorder = withPauses(() => this.#order(), reorderedEveryMs);

  /** Everyone there is: whoever is missing is offline, or not shown any more. */
  replaceAgents(agents: readonly AgentStateView[], teams: readonly string[] | null = null): void {
    if (String(teams) !== String(this.shown.getState().teams)) this.shown.setState({ teams });
    for (const id of this.#agents.keys()) this.#changed.add(id);
    this.#agents.clear();
    for (const agent of agents) this.changeAgent(agent);
    this.#frame.ask();
  }

  changeAgent(agent: AgentStateView): void {
    this.#agents.set(agent.agent_id, agent);
    this.latest.setState({ agent });
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
    const { agent_id: agentId, id, state } = call;
    const calls = this.#calls.get(agentId) ?? new Map<string, LiveCall>();
    if (state === 'ended') calls.delete(id);
    else calls.set(id, call);
    if (calls.size === 0) this.#calls.delete(agentId);
    else this.#calls.set(agentId, calls);
    this.#note(agentId);
  }

  /** The company's clicks of the last hours. */
  replaceClicks(clicks: readonly ClickTally[]): void {
    this.shown.setState({ clicks });
  }

  /** Lists other agents, or in another order, at once. */
  show(change: Partial<WallboardView>): void {
    // Others are counted.
    if (change.team !== undefined) this.shown.setState({ nobodySince: null });
    this.shown.setState(({ view }) => ({ view: { ...view, ...change } }));
    this.#recount.now();
    this.#reorder.now();
  }

  /** Shows nothing new any more. */
  stop(): void {
    this.#frame.stop();
    this.#recount.stop();
    this.#reorder.stop();
  }

  #note(agentId: string): void {
    this.#changed.add(agentId);
    this.#frame.ask();
  }

  #draw(): void {
    const rows = new Map(this.shown.getState().rows);
    for (const id of this.#changed) {
      const agent = this.#agents.get(id);
      if (agent === undefined) rows.delete(id);
      else rows.set(id, { agent, ...inFront(agent, [...(this.#calls.get(id)?.values() ?? [])]) });
    }
    this.#changed.clear();
    this.shown.setState({ rows });
    this.#recount.ask();
    this.#reorder.ask();
  }

  #count(): void {
    this.shown.setState(({ rows, view, nobodySince }) => {
      const counts = countRows(inTeam(rows.values(), view.team));
      const isNobody = counts.agents > 0 && counts.states.ready === 0;
      return { counts, nobodySince: isNobody ? (nobodySince ?? gatewayTimeAt(Date.now())) : null };
    });
  }

  #order(): void {
    const { rows, view, order: before } = this.shown.getState();
    const order = orderRows(rows.values(), view);
    const isSame = order.length === before.length && order.every((id, index) => id === before[index]);
    if (!isSame) this.shown.setState({ order });
  }
}

/** Which of an agent's calls is shown: the one that they talk in, else the first. */
function inFront({ call_id }: AgentStateView, calls: readonly LiveCall[]): Pick<WallboardRow, 'call' | 'others'> {
  const talk = calls.find(({ state }) => state === 'connected') ?? calls.find(({ id }) => id === call_id);
  return { call: talk ?? calls[0] ?? null, others: Math.max(0, calls.length - 1) };
}

/**
 * Runs `work` in the next frame, once for however many times it was asked for. A page that is not seen has no frames.
 */
function oncePerFrame(work: () => void): { ask: () => void; stop: () => void } {
  let frame: number | null = null;
  return {
    ask: () => {
      frame ??= requestAnimationFrame(() => {
        frame = null;
        work();
      });
    },
    stop: () => {
      if (frame !== null) cancelAnimationFrame(frame);
      frame = null;
    },
  };
}

/** Runs `work` when asked for, but not again within `pauseMs`: what is asked for meanwhile is done at its end. */
function withPauses(work: () => void, pauseMs: number): { ask: () => void; now: () => void; stop: () => void } {
  let pause: ReturnType<typeof setTimeout> | undefined;
  let isAsked = false;
  function now(): void {
    isAsked = false;
    clearTimeout(pause);
    pause = setTimeout(() => {
      pause = undefined;
      if (isAsked) now();
    }, pauseMs);
    work();
  }
  return {
    ask: () => {
      if (pause === undefined) now();
      else isAsked = true;
    },
    now,
    stop: () => {
      clearTimeout(pause);
      pause = undefined;
      isAsked = false;
    },
  };
}
