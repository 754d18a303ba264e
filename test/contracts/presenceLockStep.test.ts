import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decidePresence } from '../../src/domain/agentStates.ts';
import type { AgentId, CallId, ClaimId, CompanyId } from '../../src/domain/ids.ts';
import type { Presence } from '../../src/domain/presence.ts';
import type { PresenceStore } from '../../src/ports/presence.ts';
import { commandOf, createIdSource, step } from '../support/stores/presenceCommands.ts';
import { noon } from '../support/stores/presenceFixtures.ts';
import { memoryBackend, redisBackend } from './presenceStores.ts';

const agentsPerCompany = 3;
const companies = 2;

/** What one gateway does next: a command to one agent, decided upon and written; or a claim by the store itself. */
const action = fc.record({
  step,
  company: fc.nat(companies - 1),
  agent: fc.nat(agentsPerCompany - 1),
  gateway: fc.nat(2),
  claim: fc.constantFrom('named', 'any', 'any', 'among', 'team', 'team', 'except'),
  /** How far behind the stored version the writer is. */
  behind: fc.constantFrom(0, 0, 0, 0, 0, 1),
});

describe('the memory store and the Redis store', () => {
  const memory = memoryBackend();
  const redis = redisBackend('redis', false);

  beforeAll(() => redis.start());
  afterAll(() => redis.stop());

  it('answer alike and hold the same presences after any story', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 10, maxLength: 60 }), async (actions) => {
        let time = noon;
        const [one] = await memory.open(() => time);
        const gateways = await redis.open(() => time);
        const newId = createIdSource();
        const companyIds = Array.from({ length: companies }, () => newId<CompanyId>());
        const agentIds = Array.from({ length: agentsPerCompany }, () => newId<AgentId>());
        // As many as make a group of them in Redis; these never come.
        const absent = Array.from({ length: 20 }, () => newId<AgentId>());
        const everybody = [...agentIds, ...absent];
        const teams = agentIds.map((left) => [...agentIds.filter((one) => one !== left), ...absent]);

        for (const { step: next, company, agent, gateway, claim, behind } of actions) {
          const stores = [one, gateways[gateway]].filter((store) => store !== undefined);
          const [companyId, agentId] = [companyIds[company], agentIds[agent]];
          if (stores.length < 2 || !companyId || !agentId) throw new Error('a store or an id is missing');
          time += next.wait;
          const presence = await alike(stores, (store) => store.find(companyId, agentId));
          if (next.type === 'claim') {
            const ids = { claimId: newId<ClaimId>(), callId: newId<CallId>() };
            // The others of the company, so that it matters who is given.
            const among = agentIds.filter((one) => one !== agentId);
            const wanted = {
              named: { agentId },
              any: {},
              among: { among },
              team: { among: teams[agent] ?? [] },
              except: { among: everybody, except: [agentId] },
            }[claim];
            await alike(stores, (store) => store.claim(companyId, { ...wanted, ...ids }));
          } else {
            const command = commandOf(next, { companyId, agentId }, presence, newId, time);
            const decision = decidePresence(presence, command, time);
            if (decision.kind !== 'changed') continue;
            const version = Math.max(0, (presence?.version ?? 0) - behind);
            await alike(stores, (store) => store.commit(companyId, version, decision.next));
          }
          await alike(stores, (store) => store.due(4));
        }

        const last = [one, gateways[0]].filter((store) => store !== undefined);
        for (const companyId of companyIds) await alike(last, async (store) => byId(await store.list(companyId)));
        time += 3_600_000;
        await alike(last, (store) => store.due(100));
      }),
      { numRuns: 150 },
    );
  });

  async function alike<T>(stores: PresenceStore[], ask: (store: PresenceStore) => Promise<T>): Promise<T> {
    const [first, ...others] = await Promise.all(stores.map(ask));
    for (const other of others) expect(other).toEqual(first);
    return first as T;
  }
});

function byId(presences: Presence[]): Presence[] {
  return presences.toSorted((one, other) => (one.agentId < other.agentId ? -1 : 1));
}
