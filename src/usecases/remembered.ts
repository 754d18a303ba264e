import { LRUCache } from 'lru-cache';
import type { AgentCard, CompanySettings } from '../domain/company.ts';
import type { AgentId, CompanyId } from '../domain/ids.ts';
import type { Services } from './services.ts';

/** What every click needs and hardly ever changes; another gateway's change is seen after this at the latest. */
const rememberMs = 5_000;
const rememberAtMost = 50_000;

export type Remembered = Pick<Services, 'settings' | 'agentCard'> & { forgetAll: () => void };

/** Reads settings and agents through a short memory; concurrent readers of one entry share its look-up. */
export function createRemembered(services: Pick<Services, 'companies' | 'agents' | 'clock'>): Remembered {
  const options = {
    max: rememberAtMost,
    ttl: rememberMs,
    ttlResolution: 0,
    perf: { now: () => services.clock.now() },
  };
  const settings = new LRUCache<CompanyId, CompanySettings>({
    ...options,
    async fetchMethod(companyId) {
      const found = await services.companies.settings(companyId);
      if (found === null) throw new Error('the company is gone');
      return found;
    },
  });
  const cards = new LRUCache<string, AgentCard, { companyId: CompanyId; agentId: AgentId }>({
    ...options,
    async fetchMethod(_key, _stale, { context }) {
      const found = await services.agents.find(context.companyId, context.agentId);
      if (found.kind !== 'found') throw new Error('the agent is gone');
      const { id, agentCode, name } = found.value;
      return { id, agentCode, name };
    },
  });
  return {
    async settings(companyId) {
      return present(await settings.fetch(companyId));
    },
    async agentCard(companyId, agentId) {
      return present(await cards.fetch(`${companyId}:${agentId}`, { context: { companyId, agentId } }));
    },
    forgetAll() {
      settings.clear();
      cards.clear();
    },
  };
}

/** `fetch` gives undefined only when the entry was forgotten while it was read. */
function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('forgotten while it was read');
  return value;
}
