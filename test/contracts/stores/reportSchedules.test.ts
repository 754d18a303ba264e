import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type DeliveryId, type ReportViewId, toId } from '../../../src/domain/ids.ts';
import type { ReportRhythm, ReportView } from '../../../src/domain/reportViews.ts';
import type { OutboxEvent } from '../../../src/ports/outbox.ts';
import type { LeasedRun } from '../../../src/ports/reportViews.ts';
import { after, type MadeCompany, makeCompany, openStores, type Stores } from './openStores.ts';

const daily: ReportRhythm = { every: 'day', timeOfDay: '07:00', timeZone: 'Europe/Berlin' };

describe('when reports are sent', () => {
  let stores: Stores;
  let company: MadeCompany;
  let view: ReportView;

  beforeAll(async () => {
    stores = await openStores();
  });
  beforeEach(async () => {
    await stores.pool.query('TRUNCATE report_schedule, webhook_delivery CASCADE');
    company = await makeCompany(stores, 'https://example.com');
    const at = after(0);
    view = {
      companyId: company.companyId,
      id: toId<ReportViewId>(newId()),
      ownerId: company.agentId,
      name: 'Yesterday',
      isShared: true,
      filter: { range: 'yesterday', group_by: 'agent' },
      version: 1,
      createdAt: at,
      updatedAt: at,
    };
    await stores.reportViews.create(view, 5);
  });
  afterAll(() => stores.close());

  const event = (): OutboxEvent => ({
    id: toId<DeliveryId>(newId()),
    event: 'report_ready',
    callId: null,
    sequence: null,
    body: '{"a":1}',
  });
  const set = async (nextAt = after(10), rhythm: ReportRhythm = daily) => {
    const found = await stores.reportViews.find(company.companyId, company.agentId, view.id);
    expect(await stores.reportSchedules.set(found!, rhythm, nextAt, after(1))).toBe(true);
  };
  const lease = (now: number, until: number) => stores.reportSchedules.lease(after(now), after(until), 5);
  const sent = async () =>
    (await stores.outbox.list(company.companyId, { event: 'report_ready' }, { cursor: null, limit: 10 })).items.length;
  const schedule = async () => (await stores.reportViews.find(company.companyId, company.agentId, view.id))?.schedule;

  it('is one gateway’s to see to, and is ended once with its webhook', async () => {
    await set();
    expect(await lease(9, 60)).toEqual([]);
    const [first, second] = await Promise.all([lease(10, 60), lease(10, 60)]);
    const [run] = [...first, ...second];
    expect(first.length + second.length).toBe(1);
    expect(run).toEqual({
      view: { ...view, version: 2, updatedAt: after(1) },
      rhythm: daily,
      nextAt: after(10),
      leasedUntil: after(60),
    });
    expect(await stores.reportSchedules.nextDue()).toEqual(after(60));
    const delivery = event();
    const results = await Promise.all([
      stores.reportSchedules.fire(run!, after(100), after(11), delivery),
      stores.reportSchedules.fire(run!, after(100), after(11), event()),
    ]);
    expect(results.toSorted()).toEqual(['changed', 'sent']);
    expect(await sent()).toBe(1);
    expect(await schedule()).toMatchObject({
      nextAt: after(100),
      lastRun: { at: after(11), outcome: 'sent', deliveryId: expect.any(String) },
    });
    expect(await stores.reportSchedules.nextDue()).toEqual(after(100));
  });

  it('falls to another gateway where the first has died, which alone ends it', async () => {
    await set();
    const [dead] = await lease(10, 20);
    const [heir] = await lease(20, 40);
    expect(heir).toMatchObject({ nextAt: after(10) });
    expect(await stores.reportSchedules.fire(heir!, after(100), after(21), event())).toBe('sent');
    expect(await stores.reportSchedules.fire(dead!, after(100), after(22), event())).toBe('changed');
    expect(await sent()).toBe(1);
  });

  it('is not sent where it was set anew, or taken away, while it was being counted', async () => {
    await set();
    const [run] = await lease(10, 60);
    const monthly: ReportRhythm = { every: 'month', monthDay: 31, timeOfDay: '07:00', timeZone: 'Europe/Berlin' };
    // For the same moment.
    await set(after(10), monthly);
    expect(await stores.reportSchedules.fire(run!, after(100), after(11), event())).toBe('changed');
    const [other] = await lease(10, 90);
    expect(other?.rhythm).toEqual(monthly);
    expect(await stores.reportSchedules.remove(company.companyId, view.id)).toBe(true);
    expect(await stores.reportSchedules.remove(company.companyId, view.id)).toBe(false);
    expect(await stores.reportSchedules.fire(other!, after(100), after(51), event())).toBe('changed');
    expect(await sent()).toBe(0);
    expect(await stores.reportSchedules.nextDue()).toBeNull();
  });

  it('goes on where nobody gets it, and says so', async () => {
    await set();
    const fire = async (run: LeasedRun | undefined, next: number, told: OutboxEvent | null) =>
      stores.reportSchedules.fire(run!, after(next), after(next - 1), told);
    expect(await fire((await lease(10, 20))[0], 30, null)).toBe('not_chosen');
    expect(await schedule()).toMatchObject({
      nextAt: after(30),
      lastRun: { at: after(29), outcome: 'not_chosen', deliveryId: null },
    });
    await stores.integrations.update(company.companyId, () => ({ webhookUrl: null }));
    expect(await fire((await lease(30, 40))[0], 50, event())).toBe('no_webhook');
    expect(await schedule()).toMatchObject({ nextAt: after(50), lastRun: { outcome: 'no_webhook', deliveryId: null } });
    expect(await stores.reportSchedules.fireByHand(company.companyId, view.id, after(51), event())).toBe('no_webhook');
    expect((await schedule())?.lastRun?.at).toEqual(after(49));
    expect(await sent()).toBe(0);
  });

  it('is of shared views as they were read, and a change of them', async () => {
    await set();
    // Somebody who read the view before it was scheduled.
    expect(await stores.reportViews.update({ ...view, isShared: false, version: 2 })).toBe('not_updated');
    expect(await stores.reportViews.remove(company.companyId, view.id, 1)).toBe(false);
    const own = { ...view, id: toId<ReportViewId>(newId()), isShared: false };
    await stores.reportViews.create(own, 5);
    expect(await stores.reportSchedules.set(own, daily, after(10), after(1))).toBe(false);
    expect(await stores.reportViews.remove(company.companyId, view.id, 2)).toBe(true);
    expect(await stores.reportSchedules.nextDue()).toBeNull();
  });
});
