import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { toId, type CompanyId } from '../../../src/domain/ids.ts';
import { after, makeCompany, openStores, type MadeCompany, type Stores } from './openStores.ts';

const nothing = { fields: [], version: 0, updatedAt: null };
const plan = [
  { key: 'plan', label: 'Contract', pinned: true },
  { key: 'orders.*.total', format: 'money' as const, currency: 'EUR' },
];

let stores: Stores;
let company: MadeCompany;
let other: MadeCompany;
beforeAll(async () => {
  stores = await openStores();
  [company, other] = [await makeCompany(stores), await makeCompany(stores)];
});
afterAll(() => stores.close());

const save = (version: number, fields = plan) =>
  stores.popLayouts.save(company.companyId, { fields, version, updatedAt: after(version) });
const find = (of = company) => stores.popLayouts.find(of.companyId);

it('knows nothing of a company that has arranged nothing, or that there is not', async () => {
  expect(await find()).toEqual(nothing);
  expect(await stores.popLayouts.find(toId<CompanyId>(newId()))).toEqual(nothing);
});

it('keeps a layout in its order, for that company alone', async () => {
  expect(await save(1)).toBe(true);
  expect([await find(), await find(other)]).toEqual([{ fields: plan, version: 1, updatedAt: after(1) }, nothing]);
});

it('replaces no other version than the one that the new one follows', async () => {
  const refused = [await save(1, []), await save(3, [])];
  expect([refused, await find()]).toEqual([[false, false], { fields: plan, version: 1, updatedAt: after(1) }]);
  expect(await save(2, [])).toBe(true);
  expect(await find()).toEqual({ fields: [], version: 2, updatedAt: after(2) });
});

it('lets one of several win who save at once, the first layout too', async () => {
  const raced = await makeCompany(stores);
  for (const version of [1, 2]) {
    const wins = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        stores.popLayouts.save(raced.companyId, { fields: [{ key: `of_${index}` }], version, updatedAt: after(1) }),
      ),
    );
    expect(wins.filter(Boolean)).toHaveLength(1);
    expect((await find(raced)).fields).toEqual([{ key: `of_${wins.indexOf(true)}` }]);
  }
});
