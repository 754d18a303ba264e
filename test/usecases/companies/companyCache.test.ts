import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { toId, type AgentId, type CompanyId } from '../../../src/domain/ids.ts';
import type { AgentKey } from '../../../src/ports/agents.ts';
import { createCompanyCache } from '../../../src/usecases/companies/companyCache.ts';
import type { Services } from '../../../src/usecases/services.ts';
import { gate } from '../../support/time/gate.ts';
import { plainCompany } from '../../support/stores/quietServices.ts';

const companyId = toId<CompanyId>('0190a000-0000-7000-8000-000000000001');
const agentId = toId<AgentId>('0190a000-0000-7000-8000-0000000000a1');

/** Stores whose first look-up is held at a gate; `saved` is what they hold at the moment. */
function slowStores() {
  const first = gate();
  first.shut();
  const saved = { slug: 'before', name: 'before' };
  const time = { now: 1 };
  let reads = 0;
  const hold = async () => {
    reads += 1;
    const seen = { ...saved };
    if (reads === 1) await first.pass(async () => {});
    return seen;
  };
  const services = {
    companies: { find: async () => ({ ...plainCompany(companyId), slug: (await hold()).slug }) },
    agents: {
      findEach: async (asked: readonly AgentKey[]) => {
        const { name } = await hold();
        return asked.map((each) => ({ id: each.agentId, agentCode: 'a100', name }));
      },
      cards: async () => [{ id: agentId, agentCode: 'a100', name: saved.name }],
    },
    clock: { now: () => time.now },
  } as unknown as Pick<Services, 'companies' | 'agents' | 'clock' | 'teams'>;
  return { first, saved, time, reads: () => reads, remembered: createCompanyCache(services) };
}

describe('what is remembered of a company', () => {
  it('is read again where it is forgotten while it is read', async () => {
    const { first, saved, remembered } = slowStores();
    const asked = [remembered.companyOf(companyId), remembered.companyOf(companyId)];
    await first.reached();
    saved.slug = 'after';
    remembered.forget(companyId);
    first.open();
    expect((await Promise.all(asked)).map(({ slug }) => slug)).toEqual(['after', 'after']);
    expect((await remembered.companyOf(companyId)).slug).toBe('after');
  });

  it('is read again for an agent, too', async () => {
    const { first, saved, remembered } = slowStores();
    const asked = remembered.agentCard(companyId, agentId);
    await first.reached();
    saved.name = 'after';
    remembered.forget(companyId);
    first.open();
    expect((await asked).name).toBe('after');
  });

  it('answers who has asked for an agent, though all are read meanwhile', async () => {
    const { first, remembered } = slowStores();
    const asked = remembered.agentCard(companyId, agentId);
    await first.reached();
    expect([...(await remembered.agentCards(companyId, [agentId])).keys()]).toEqual([agentId]);
    first.open();
    expect((await asked).name).toBe('before');
  });

  it('is read again after five seconds, and what an agent is called after a minute', async () => {
    const { first, saved, time, remembered } = slowStores();
    first.open();
    const shown = async () => {
      const [{ slug }, { name }] = [
        await remembered.companyOf(companyId),
        await remembered.agentCard(companyId, agentId),
      ];
      return [slug, name];
    };
    await shown();
    Object.assign(saved, { slug: 'after', name: 'after' });
    expect(await shown()).toEqual(['before', 'before']);
    time.now += 5_001;
    expect(await shown()).toEqual(['after', 'before']);
    time.now += 55_000;
    expect(await shown()).toEqual(['after', 'after']);
  });

  it('costs one look-up for all who ask at once', async () => {
    const { first, reads, remembered } = slowStores();
    const asked = [1, 2, 3].map(() => remembered.companyOf(companyId));
    await first.reached();
    first.open();
    await Promise.all(asked);
    expect(reads()).toBe(1);
  });

  it('costs one look-up for the tokens of agents that are checked at once, and none for what they are called then', async () => {
    const { first, reads, remembered } = slowStores();
    const ids = [1, 2, 3].map(() => toId<AgentId>(randomUUID()));
    const asked = ids.map((id) => remembered.agentNow({ companyId, agentId: id }));
    await first.reached();
    first.open();
    expect((await Promise.all(asked)).map((agent) => agent?.id)).toEqual(ids);
    const cards = await Promise.all(ids.map((id) => remembered.agentCard(companyId, id)));
    expect(cards.map(({ name }) => name)).toEqual(['before', 'before', 'before']);
    expect(reads()).toBe(1);
  });

  it('is not what was read before all was forgotten', async () => {
    const { first, saved, remembered } = slowStores();
    const asked = remembered.agentNow({ companyId, agentId });
    await first.reached();
    saved.name = 'after';
    remembered.forget(companyId);
    first.open();
    await asked;
    expect((await remembered.agentCard(companyId, agentId)).name).toBe('after');
  });

  it('costs two look-ups for a thousand agents who are asked for at once', async () => {
    const { first, reads, remembered } = slowStores();
    const ids = Array.from({ length: 1_000 }, () => toId<AgentId>(randomUUID()));
    const asked = ids.map((id) => remembered.agentCard(companyId, id));
    await first.reached();
    first.open();
    expect((await Promise.all(asked)).map(({ id }) => id)).toEqual(ids);
    expect(reads()).toBe(2);
  });
});
