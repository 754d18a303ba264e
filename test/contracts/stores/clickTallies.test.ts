import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CompanyId, toId } from '../../../src/domain/ids.ts';
import type { ClickCounts, QuarterOfClicks } from '../../../src/ports/wallboard.ts';
import { after, makeCompany, openStores, start, type Stores } from './openStores.ts';

describe('the counts of clicks', () => {
  let stores: Stores;
  let companyId: CompanyId;

  beforeAll(async () => {
    stores = await openStores();
  });
  beforeEach(async () => {
    await stores.pool.query('TRUNCATE click_tally');
    companyId = (await makeCompany(stores)).companyId;
  });
  afterAll(() => stores.close());

  /** @param quarter after the first; negative: before it */
  const clicks = (quarter: number, counts: Partial<ClickCounts>, of = companyId): QuarterOfClicks => ({
    companyId: of,
    at: after(quarter * 900),
    counts: { dialed: 0, noReadyAgent: 0, agentNotReady: 0, failed: 0, ...counts },
  });

  it('add up by quarter of an hour, and tell the sums', async () => {
    const first = [clicks(1, { dialed: 1 }), clicks(0, { dialed: 2, failed: 1 })];
    expect(await stores.clickTallies.add(first)).toEqual(expect.arrayContaining(first));
    const sum = clicks(0, { dialed: 2, noReadyAgent: 4, agentNotReady: 1, failed: 1 });
    expect(await stores.clickTallies.add([clicks(0, { noReadyAgent: 4, agentNotReady: 1 })])).toEqual([sum]);
    expect(await stores.clickTallies.list(companyId, start)).toEqual([sum, clicks(1, { dialed: 1 })]);
    expect(await stores.clickTallies.list(companyId, after(1))).toEqual([clicks(1, { dialed: 1 })]);
  });

  it('are kept apart by company, and of one that is gone not at all', async () => {
    const other = (await makeCompany(stores)).companyId;
    const gone = toId<CompanyId>(newId());
    const added = await stores.clickTallies.add([other, gone].map((of) => clicks(0, { dialed: 1 }, of)));
    expect(added).toEqual([clicks(0, { dialed: 1 }, other)]);
    const listed = await Promise.all([companyId, gone].map((of) => stores.clickTallies.list(of, start)));
    expect(listed).toEqual([[], []]);
  });

  it('are all added or none', async () => {
    const tooMany = clicks(1, { dialed: 2 ** 31 });
    await expect(stores.clickTallies.add([clicks(0, { dialed: 1 }), tooMany])).rejects.toThrow('out of range');
    expect(await stores.clickTallies.list(companyId, start)).toEqual([]);
  });

  it('are forgotten from before then, so many at once', async () => {
    await stores.clickTallies.add([-3, -2, -1, 0].map((quarter) => clicks(quarter, { dialed: 1 })));
    expect(await stores.clickTallies.prune(start, 2)).toBe(2);
    expect(await stores.clickTallies.prune(start, 2)).toBe(1);
    expect(await stores.clickTallies.prune(start, 2)).toBe(0);
    expect(await stores.clickTallies.list(companyId, after(-10_000))).toEqual([clicks(0, { dialed: 1 })]);
  });
});
