import type { AgentAtWork } from './agentAtWork.ts';
import type { Clicks, Way } from './clicks.ts';
import type { ChaosCompany } from './company.ts';
import type { Crm } from './crm.ts';

export type LoadParts = {
  companies: readonly ChaosCompany[];
  agents: readonly AgentAtWork[];
  clicks: Clicks;
  crm: Crm;
  /** Where requests may go now. */
  ways: () => readonly Way[];
  clicksPerSecond: number;
};

export interface SteadyLoad {
  /** No more requests from now on; resolves when all that are under way are answered. */
  stop(): Promise<void>;
}

/** Clicks of all kinds, pushes and look-ups, evenly over time, over companies and over gateways. */
export function startLoad({ companies, agents, clicks, crm, ways, clicksPerSecond }: LoadParts): SteadyLoad {
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
    const chance = Math.random();
    if (chance < 0.15) begin(clicks.clickAgainAndAgain(company, [way, ...now].slice(0, 3)));
    else if (chance < 0.4) begin(clicks.click(company, way, someAgent(company, agents)));
    else begin(clicks.click(company, way));
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
