import { LRUCache } from 'lru-cache';
import type { AgentCard, Company } from '../../domain/company.ts';
import type { AgentId, CompanyId, TeamId } from '../../domain/ids.ts';
import type { Agent, AgentKey } from '../../ports/agents.ts';
import { askTogether } from '../concurrency/askTogether.ts';
import type { Services } from '../services.ts';

/**
 * How long companies and led teams are cached: a change that another gateway could not tell of is seen after this.
 * Whether events are due and numbers may be dialed depends on it. Milliseconds.
 */
const rememberMs = 5_000;
/**
 * The same for what agents are called, on which nothing depends: an agent's call, longer than the above, would read it
 * at each step. Milliseconds.
 */
const rememberCardsMs = 60_000;
const rememberAtMost = 50_000;
/** In one query: the tokens of a gateway's softphones are checked together, all of one that ended are told of at once. */
const mostAskedFor = 500;
/** Agents of led teams, some 20 MB. */
const rememberLedAtMost = 200_000;

type Teams = { companyId: CompanyId; teamIds: readonly TeamId[] };
export type CompanyCache = Pick<
  Services,
  'companyOf' | 'agentNow' | 'agentCard' | 'agentCards' | 'forget' | 'ledAgents'
>;

/** A read-through cache of companies and agents with a short life; concurrent readers of one entry share one query. */
export function createCompanyCache(services: Pick<Services, 'companies' | 'agents' | 'clock' | 'teams'>): CompanyCache {
  const shortLived = {
    ttl: rememberMs,
    ttlResolution: 0,
    perf: { now: () => services.clock.now() },
    // Who has asked is answered, though the entry is replaced or crowded out meanwhile.
    ignoreFetchAbort: true,
  };
  const options = { ...shortLived, max: rememberAtMost };
  const companies = new LRUCache<string, Company, CompanyId>({
    ...options,
    fetchMethod: (_key, _stale, { context }) => readCompany(context),
  });
  const findAgent = askTogether((asked: readonly AgentKey[]) => services.agents.findEach(asked), mostAskedFor);
  const cards = new LRUCache<string, AgentCard, AgentKey>({
    ...options,
    ttl: rememberCardsMs,
    fetchMethod: (_key, _stale, { context }) => readCard(context),
  });
  const led = new LRUCache<string, readonly AgentId[], Teams>({
    ...shortLived,
    maxSize: rememberLedAtMost,
    sizeCalculation: (agentIds) => agentIds.length + 1,
    fetchMethod: async (_key, _stale, { context: { companyId, teamIds } }) =>
      Object.freeze(await services.teams.membersOfAny(companyId, teamIds)),
  });
  /**
   * How often each company was dropped: part of every key, so that older entries, and reads under way, are not found.
   */
  const forgettings = new Map<CompanyId, number>();
  const ageOf = (companyId: CompanyId) => forgettings.get(companyId) ?? 0;
  const keyOf = (companyId: CompanyId, agentId: AgentId) => `${companyId}:${ageOf(companyId)}:${agentId}`;

  async function readCompany(companyId: CompanyId): Promise<Company> {
    const found = await services.companies.find(companyId);
    if (found === null) throw new Error('the company is gone');
    return found;
  }

  async function readCard(asked: AgentKey): Promise<AgentCard> {
    const found = await findAgent(asked);
    if (found === null) throw new Error('the agent is gone');
    return cardOf(found);
  }

  /** Reads again if the company was dropped meanwhile: the first value may be from before the change. */
  async function fresh<T>(companyId: CompanyId, read: () => Promise<T>): Promise<T> {
    const before = ageOf(companyId);
    const value = await read();
    return ageOf(companyId) === before ? value : read();
  }

  return {
    companyOf: (companyId) =>
      fresh(companyId, () => companies.forceFetch(`${companyId}:${ageOf(companyId)}`, { context: companyId })),
    async agentNow(asked) {
      const key = keyOf(asked.companyId, asked.agentId);
      const found = await findAgent(asked);
      // Who signs in is told of next. Under the age at which it was read: what was forgotten meanwhile is not found.
      if (found !== null) cards.set(key, cardOf(found));
      return found;
    },
    agentCard: (companyId, agentId) =>
      fresh(companyId, () => cards.forceFetch(keyOf(companyId, agentId), { context: { companyId, agentId } })),
    ledAgents: (companyId, teamIds) =>
      fresh(companyId, () =>
        led.forceFetch(`${companyId}:${ageOf(companyId)}:${teamIds.join()}`, { context: { companyId, teamIds } }),
      ),
    async agentCards(companyId, agentIds) {
      const known = new Map(agentIds.map((agentId) => [agentId, cards.get(keyOf(companyId, agentId))]));
      const unknown = agentIds.filter((agentId) => known.get(agentId) === undefined);
      if (unknown.length > 0) {
        const before = ageOf(companyId);
        for (const card of await services.agents.cards(companyId, unknown)) {
          known.set(card.id, card);
          if (ageOf(companyId) === before) cards.set(keyOf(companyId, card.id), card);
        }
      }
      return new Map([...known].flatMap(([agentId, card]) => (card === undefined ? [] : [[agentId, card]])));
    },
    forget(companyId) {
      forgettings.set(companyId, ageOf(companyId) + 1);
    },
  };
}

function cardOf({ id, agentCode, name }: Agent): AgentCard {
  return { id, agentCode, name };
}
