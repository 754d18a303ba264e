import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Call } from '../../../src/domain/calls.ts';
import {
  after,
  makeCompany,
  newAgent,
  newCall,
  openStores,
  phoneNumber,
  type MadeCompany,
  type Stores,
} from './openStores.ts';

let stores: Stores;
let company: MadeCompany;
let other: MadeCompany;
beforeAll(async () => {
  stores = await openStores();
  [company, other] = [await makeCompany(stores), await makeCompany(stores)];
});
afterAll(() => stores.close());

let numbers = 500;
/** A number that nobody has called. */
const newNumber = () => phoneNumber((numbers += 1));

/** Calls that are over, in this order. */
async function ended(phone: Call['phone'], count: number, more: Partial<Call> = {}, of = company): Promise<Call[]> {
  const calls = Array.from({ length: count }, () =>
    newCall(of, { phone, state: 'ended', endReason: 'no_answer', endedAt: after(60), ...more }),
  );
  for (const call of calls) await stores.calls.create(call, []);
  return calls;
}
const spoken = { answeredAt: after(2), endReason: 'completed' } as const;
const idsOf = (calls: { id: string }[]) => calls.map(({ id }) => id);

it('tells the last calls with a number before one of them, the latest first', async () => {
  const phone = newNumber();
  const disposition = {
    code: 'resolved',
    label: 'Resolved',
    notes: 'Wants an offer',
    callbackAt: null,
    submittedAt: after(70),
  };
  const calls = await ended(phone, 4, { ...spoken, disposition });
  await ended(newNumber(), 1);
  await ended(phone, 1, spoken, other);
  const [first, second, third, last] = calls as [Call, Call, Call, Call];
  expect(idsOf((await stores.calls.previous(company.companyId, phone, null, 2)).calls)).toEqual([last.id, third.id]);
  const before = await stores.calls.previous(company.companyId, phone, third.id, 5);
  expect(idsOf(before.calls)).toEqual([second.id, first.id]);
  expect(before.calls[0]).toMatchObject({
    agentId: company.agentId,
    agentName: 'Agent 100',
    answeredAt: after(2),
    endedAt: after(60),
    disposition,
  });
});

it('leaves out calls that have not ended', async () => {
  const phone = newNumber();
  const [over] = await ended(phone, 1);
  const colleague = newAgent('200');
  await stores.agents.create(company.companyId, colleague);
  await stores.calls.create(
    newCall({ ...company, agentId: colleague.id }, { phone, state: 'connected', answeredAt: after(1) }),
    [],
  );
  expect(await stores.calls.previous(company.companyId, phone, null, 5)).toMatchObject({
    calls: [{ id: over?.id }],
    lastSpoken: null,
  });
});

it('finds who spoke last behind calls that nobody answered, as far back as it looks', async () => {
  const phone = newNumber();
  await ended(phone, 1, { ...spoken, answeredAt: after(1) });
  await ended(phone, 7);
  const found = await stores.calls.previous(company.companyId, phone, null, 5);
  expect([
    found.calls.length,
    found.calls.every(({ answeredAt }) => answeredAt === null),
    found.lastSpoken?.answeredAt,
  ]).toEqual([5, true, after(1)]);
  await ended(phone, 93);
  expect((await stores.calls.previous(company.companyId, phone, null, 5)).lastSpoken).toBeNull();
});

it('knows nothing of a number that nobody has called', async () => {
  expect(await stores.calls.previous(company.companyId, newNumber(), null, 5)).toEqual({ calls: [], lastSpoken: null });
});
