import { v7 as newId } from 'uuid';
import { expect } from 'vitest';
import { toId, type CompanyId, type DeliveryId, type ReportViewId } from '../../../../src/domain/ids.ts';
import type { ReportView } from '../../../../src/domain/reportViews.ts';
import { after, start, type MadeCompany, type Stores } from '../openStores.ts';

// Each function here calls every method of some stores for one company,
// beside a stranger: the stores of reports and of what supervisors watch.

export async function driveReports(
  { agentHistory, reports }: Stores,
  { companyId, agentId }: MadeCompany,
  stranger: MadeCompany,
): Promise<void> {
  // Ids are of now, whatever the stores' clock says.
  const which = {
    since: new Date(start.getTime() - 86_400_000),
    until: new Date(Math.max(start.getTime(), Date.now()) + 86_400_000),
    agentIds: null,
  };
  for (const by of ['day', 'hour', 'agent', 'disposition'] as const) {
    const rows = await reports.calls(companyId, which, by, 'Europe/Berlin');
    expect(rows.reduce((sum, { calls }) => sum + calls, 0)).toBeGreaterThan(0);
    expect(await reports.calls(companyId, { ...which, agentIds: [stranger.agentId] }, by, 'UTC')).toEqual([]);
  }
  await agentHistory.add([
    { companyId, agentId, since: start, version: 99, state: 'ready', reason: null, callId: null },
  ]);
  expect((await reports.times(companyId, which, 'agent', 'UTC', which.until)).map(({ key }) => key)).toContain(agentId);
  for (const by of ['day', 'hour'] as const) {
    expect(await reports.times(companyId, which, by, 'Europe/Berlin', which.until)).not.toEqual([]);
    expect(await reports.clicksRefused(companyId, which.since, which.until, by, 'Europe/Berlin')).toEqual([]);
  }
  expect(await reports.callQuarters(companyId, { ...which, agentIds: [stranger.agentId] })).toEqual([]);
  expect((await reports.callQuarters(companyId, which)).length).toBeGreaterThan(0);
  expect(await reports.stateQuarters(companyId, { ...which, agentIds: [stranger.agentId] })).toEqual([]);
}

export async function driveRollUps(
  { agentTimes, callRollUps, pool, reports }: Stores,
  { companyId }: MadeCompany,
  stranger: MadeCompany,
): Promise<void> {
  const until = after(3_600);
  // There are others, where it took several to find one in another part.
  expect((await agentTimes.toRollUp(until)).map((one) => one.companyId)).toEqual(
    expect.arrayContaining([companyId, stranger.companyId]),
  );
  for (const of of [companyId, stranger.companyId]) {
    expect(await agentTimes.beginning(of)).toEqual(start);
    expect(await agentTimes.rollUp(of, { from: start, until }, after(-60))).toBe(true);
    expect(await agentTimes.rollUp(of, { from: start, until }, after(-60))).toBe(false);
  }
  expect(await reports.reach(companyId)).toEqual({ knownSince: null });
  // Of one agent each, who was signed in for a second.
  expect(await agentTimes.prune(until, 10)).toBe(2);
  expect(await reports.reach(companyId)).toEqual({ knownSince: until });
  for (const of of [companyId, stranger.companyId])
    await pool.query("UPDATE call SET created_at = created_at - interval '30 days' WHERE company_id = $1", [of]);
  const days = await callRollUps.toRollUp(new Date());
  expect(days.map((day) => day.companyId).toSorted()).toEqual([companyId, stranger.companyId].toSorted());
  for (const day of days) expect(await callRollUps.rollUp(day)).toBe(true);
  expect(await callRollUps.rollUp(days[0]!)).toBe(false);
  await callRollUps.stale(10);
}

export async function driveViews(
  { reportSchedules, reportViews }: Stores,
  { companyId, agentId }: MadeCompany,
  stranger: MadeCompany,
): Promise<void> {
  const at = after(1);
  const view: ReportView = {
    companyId,
    id: toId<ReportViewId>(newId()),
    ownerId: agentId,
    name: 'Yesterday',
    isShared: true,
    filter: { range: 'yesterday', group_by: 'day' },
    version: 1,
    createdAt: at,
    updatedAt: at,
  };
  const strangers = {
    ...view,
    companyId: stranger.companyId,
    id: toId<ReportViewId>(newId()),
    ownerId: stranger.agentId,
  };
  expect(await reportViews.create(view, 1)).toBe('created');
  expect(await reportViews.create({ ...view, id: toId<ReportViewId>(newId()) }, 1)).toBe('too_many');
  expect(await reportViews.create(strangers, 1)).toBe('created');
  expect(await reportViews.list(companyId, stranger.agentId)).toMatchObject([{ id: view.id, schedule: null }]);
  expect(await reportViews.find(stranger.companyId, stranger.agentId, view.id)).toBeNull();
  expect(await reportViews.update({ ...view, name: 'Changed', version: 2 })).toBe('updated');
  expect(await reportViews.update({ ...view, companyId: stranger.companyId, version: 3 })).toBe('not_updated');
  const rhythm = { every: 'day', timeOfDay: '07:00', timeZone: 'UTC' } as const;
  expect(await reportSchedules.set({ ...view, version: 1 }, rhythm, after(10), at)).toBe(false);
  expect(await reportSchedules.set({ ...view, version: 2 }, rhythm, after(10), at)).toBe(true);
  expect(await reportSchedules.set(strangers, rhythm, after(10), at)).toBe(true);
  expect(await reportSchedules.nextDue()).toEqual(after(10));
  const runs = await reportSchedules.lease(after(11), after(20), 5);
  expect(runs.map((run) => run.view.companyId).toSorted()).toEqual([companyId, stranger.companyId].toSorted());
  const event = () => ({
    id: toId<DeliveryId>(newId()),
    event: 'report_ready' as const,
    callId: null,
    sequence: null,
    body: '{}',
  });
  for (const run of runs) expect(await reportSchedules.fire(run, after(100), after(12), event())).toBe('sent');
  expect(await reportSchedules.fireByHand(companyId, view.id, after(13), event())).toBe('sent');
  expect(await reportSchedules.fireByHand(stranger.companyId, view.id, after(13), event())).toBe('changed');
  expect(await reportSchedules.remove(stranger.companyId, view.id)).toBe(false);
  expect(await reportSchedules.remove(companyId, view.id)).toBe(true);
  expect(await reportViews.remove(stranger.companyId, view.id, 3)).toBe(false);
  expect(await reportViews.remove(companyId, view.id, 3)).toBe(true);
}

export async function driveLive(
  { agentHistory, clickTallies }: Stores,
  company: MadeCompany,
  stranger: MadeCompany,
): Promise<void> {
  const change = { since: start, version: 1, state: 'ready' as const, reason: null, callId: null };
  await agentHistory.add([company, stranger].map(({ companyId, agentId }) => ({ ...change, companyId, agentId })));
  await agentHistory.endAll(after(1));
  const window = { since: start, until: after(10) };
  expect(await agentHistory.list(company.companyId, company.agentId, window, 5)).toHaveLength(2);
  // Nothing is rolled up yet.
  expect(await agentHistory.prune(after(10), 10)).toBe(0);
  const counts = { dialed: 1, noReadyAgent: 0, agentNotReady: 0, failed: 0 };
  const companies: CompanyId[] = [company.companyId, stranger.companyId];
  expect(await clickTallies.add(companies.map((companyId) => ({ companyId, at: start, counts })))).toHaveLength(2);
  expect(await clickTallies.list(company.companyId, start)).toHaveLength(1);
  expect(await clickTallies.prune(after(1), 10)).toBe(2);
}
