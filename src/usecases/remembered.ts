import { LRUCache } from 'lru-cache';
import type { AgentCard, CompanySettings } from '../domain/company.ts';
import type { AgentId, CompanyId } from '../domain/ids.ts';
import type { Services } from './services.ts';

/** What every click needs and hardly ever changes; another gateway's change is seen after this at the latest. */
const rememberMs = 5_000;
const rememberAtMost = 50_000;

type AgentName = { companyId: CompanyId; agentId: AgentId };
export type Remembered = Pick<Services, 'settings' | 'agentCard' | 'agentCards' | 'forget'>;

/** Reads settings and agents through a short memory; concurrent readers of one entry share its look-up. */
export function createRemembered(services: Pick<Services, 'companies' | 'agents' | 'clock'>): Remembered {
  const options = {
    max: rememberAtMost,
    ttl: rememberMs,
    ttlResolution: 0,
    perf: { now: () => services.clock.now() },
  };
  const settings = new LRUCache<CompanyId, CompanySettings>({ ...options, fetchMethod: readSettings });
  const cards = new LRUCache<string, AgentCard, AgentName>({
    ...options,
    fetchMethod: (_key, _stale, { context }) => readCard(context),
  });

  const keyOf = (companyId: CompanyId, agentId: AgentId) => `${companyId}:${agentId}`;
  /** What was read before the latest forgetting may be stale. */
  let forgettings = 0;

  async function readSettings(companyId: CompanyId): Promise<CompanySettings> {
    const found = await services.companies.settings(companyId);
    if (found === null) throw new Error('the company is gone');
    return found;
  }

  async function readCard({ companyId, agentId }: AgentName): Promise<AgentCard> {
    const found = await services.agents.find(companyId, agentId);
    if (found.kind !== 'found') throw new Error('the agent is gone');
    const { id, agentCode, name } = found.value;
    return { id, agentCode, name };
  }

  // `fetch` gives undefined only when the entry was forgotten while it was read: then what was read is stale.
  return {
    async settings(companyId) {
      return (await settings.fetch(companyId)) ?? readSettings(companyId);
    },
    async agentCard(companyId, agentId) {
      const context = { companyId, agentId };
      return (await cards.fetch(keyOf(companyId, agentId), { context })) ?? readCard(context);
    },
    async agentCards(companyId, agentIds) {
      const known = new Map(agentIds.map((agentId) => [agentId, cards.get(keyOf(companyId, agentId))]));
      const unknown = agentIds.filter((agentId) => known.get(agentId) === undefined);
      if (unknown.length > 0) {
        const before = forgettings;
        for (const card of await services.agents.cards(companyId, unknown)) {
          known.set(card.id, card);
          if (forgettings === before) cards.set(keyOf(companyId, card.id), card);
        }
      }
      return new Map([...known].flatMap(([agentId, card]) => (card === undefined ? [] : [[agentId, card]])));
    },
    forget(companyId) {
      forgettings += 1;
      settings.delete(companyId);
      for (const key of cards.keys()) if (key.startsWith(companyId)) cards.delete(key);
    },
  };
}
