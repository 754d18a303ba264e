import type { AgentAtWork } from './agentAtWork.ts';
import type { Clicks, Way } from './clicks.ts';
import type { ChaosCompany } from './company.ts';
import type { Crm } from './crm.ts';

/** `named`: at one agent; `keyed`: several requests under one Idempotency-Key. */
export type ClickKind = 'any' | 'named' | 'keyed';

export type LoadParts = {
  companies: readonly ChaosCompany[];
  agents: readonly AgentAtWork[];
  clicks: Clicks;
  crm: Crm;
  /** Where requests may go now. */
  ways: () => readonly Way[];
  clicksPerSecond: number;
  /** Each is as frequent as it is listed often. */
  kinds: readonly ClickKind[];
};

export interface SteadyLoad {
  /** No more requests from now on; resolves when all that are under way are answered. */
  stop(): Promise<void>;
}

/** Clicks of all kinds, pushes and look-ups, evenly over time, over companies and over gateways. */
export function startLoad({ companies, agents, clicks, crm, ways, clicksPerSecond, kinds }: LoadParts): SteadyLoad {
  const underWay = new Set<Promise<unknown>>();
  let turn = 0;

  function next(): void {
    const now = ways();
    const company = companies[turn % companies.length];
    const way = now[turn % now.length];
    turn += 1;
    if (company === undefined || way === undefined) return;
    const begin = (work: Promise<unknown>) => {
      underWay.add(work);
      void work.finally(() => underWay.delete(work));
    };
    const kind = kinds[Math.floor(Math.random() * kinds.length)] ?? 'any';
    if (kind === 'keyed') begin(clicks.clickAgainAndAgain(company, [way, ...now].slice(0, 3)));
    else begin(clicks.click(company, way, kind === 'named' ? someAgent(company, agents) : null));
    if (turn % 2 === 0) begin(crm.push(company, way));
    else begin(crm.lookUp(company, way));
  }

  const timer = setInterval(next, 1_000 / clicksPerSecond);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(underWay);
    },
  };
}

/** Rather one who looks Ready: a named click at somebody who is on a call shows little. */
function someAgent(company: ChaosCompany, agents: readonly AgentAtWork[]): string {
  const own = agents.filter(({ agent }) => company.agents.includes(agent));
  const ready = own.filter(({ softphone }) => softphone.agent?.state === 'ready');
  const choice = ready.length > 0 ? ready : own;
  return choice[Math.floor(Math.random() * choice.length)]?.agent.id ?? '';
}
