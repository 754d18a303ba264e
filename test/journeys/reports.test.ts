import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type Gateway, type TestAgent, type TestCompany } from '../support/gateway/gateway.ts';
import { bearer } from '../support/gateway/populatedGateway.ts';
import { eventually } from '../support/time/waiting.ts';

let gateway: Gateway;
let company: TestCompany;
let agents: [TestAgent, TestAgent, TestAgent];
let boss: TestAgent;
let team: { id: string };

const figuresOf = ({ calls, outbound, inbound, answered, missed }: Record<string, number>) => ({
  calls,
  outbound,
  inbound,
  answered,
  missed,
});
/** Of the last hour: today may have begun a moment ago. */
const lately = encodeURIComponent(new Date(Date.now() - 3_600_000).toISOString());
const report = async (query: string) =>
  (
    await gateway
      .as(boss)
      .get(`/api/reports/calls?${query.includes('since=') ? '' : `since=${lately}&`}${query}`)
      .expect(200)
  ).body;

beforeAll(async () => {
  gateway = await startGateway('memory');
  company = await gateway.company({ slug: 'reports', agents: 3, wrapUpSeconds: 600 });
  agents = company.agents as typeof agents;
  boss = await gateway.agent(company, 'boss', 'supervisor');
  const [ada, ben] = agents;
  team = (
    await gateway.api
      .post('/api/teams')
      .set(bearer(company.adminToken))
      .send({ code: 'sales', name: 'Sales', agent_ids: [ben.id] })
      .expect(201)
  ).body;
  const [first, second] = [await gateway.readySoftphone(ada), await gateway.readySoftphone(ben)];
  for (const [softphone, times] of [
    [first, 2],
    [second, 1],
  ] as const) {
    for (let n = 0; n < times; n += 1) {
      const call = await softphone.startCall('+15551230001');
      await softphone.reportProgress(call.id, 'connected');
      await softphone.reportProgress(call.id, 'ended');
      await softphone.submitDisposition(call.id, { code: n === 0 ? 'resolved' : 'other' });
    }
  }
  const { call } = await second.incomingCall('+15551230002');
  await second.reportProgress(call.id, 'ended', { end_reason: 'missed' });
  await first.setNotReady('break');
  await second.setNotReady('break');
  await gateway.click(company, { phone_number: '+15551230003' }).expect(503);
});
afterAll(() => gateway.close());

describe('a report on calls', () => {
  it('has the same total however it is grouped, and that of the list', async () => {
    const groups = ['day', 'hour', 'agent', 'disposition', 'team'];
    const reports = await Promise.all(groups.map((group) => report(`group_by=${group}&time_zone=Europe/Berlin`)));
    const total = { calls: 4, outbound: 3, inbound: 1, answered: 3, missed: 1 };
    expect(reports.map((one) => figuresOf(one.total))).toEqual(groups.map(() => total));
    const { calls } = (await gateway.as(boss).get('/api/calls').expect(200)).body;
    expect(calls).toHaveLength(total.calls);
    for (const { rows, group_by } of reports) {
      if (group_by === 'team')
        expect(rows.map(figuresOf)).toEqual([{ calls: 2, outbound: 1, inbound: 1, answered: 1, missed: 1 }]);
      else expect(rows.reduce((sum: number, row: { calls: number }) => sum + row.calls, 0)).toBe(total.calls);
    }
  });

  it('names agents, teams and dispositions, and tells how agents spent their time', async () => {
    // What agents do is written some seconds later.
    await eventually(async () =>
      expect(
        (await report('group_by=agent')).rows.map((row: { occupancy: number | null }) => row.occupancy),
      ).not.toContain(null),
    );
    const { rows, total } = await report('group_by=agent');
    expect(rows.map(({ key, name, calls }: Record<string, unknown>) => [key, name, calls])).toEqual([
      [agents[0].id, 'Agent a100', 2],
      [agents[1].id, 'Agent a101', 2],
    ]);
    for (const row of [...rows, total]) {
      expect(row).toMatchObject({
        signed_in_seconds: expect.any(Number),
        wrap_up_seconds: expect.any(Number),
        occupancy: expect.any(Number),
      });
    }
    expect(
      (await report('group_by=disposition')).rows.map(({ key, name, calls }: Record<string, unknown>) => [
        key,
        name,
        calls,
      ]),
    ).toEqual([
      ['other', 'Other', 1],
      ['resolved', 'Resolved', 2],
      [null, null, 1],
    ]);
    expect((await report('group_by=team')).rows).toMatchObject([{ key: team.id, name: 'Sales' }]);
    await eventually(async () => expect((await report('')).total.clicks_refused).toBe(1));
  });

  it('is narrowed to a team, and is nobody’s for a team of another company', async () => {
    expect(figuresOf((await report(`team_id=${team.id}`)).total)).toEqual({
      calls: 2,
      outbound: 1,
      inbound: 1,
      answered: 1,
      missed: 1,
    });
    const other = await gateway.company({ slug: 'strangers', agents: 1 });
    const theirs = (
      await gateway.api
        .post('/api/teams')
        .set(bearer(other.adminToken))
        .send({ code: 'x', name: 'X', agent_ids: [other.agents[0]!.id] })
        .expect(201)
    ).body;
    expect((await report(`team_id=${theirs.id}&group_by=agent`)).total.calls).toBe(0);
    expect((await gateway.as(other).get('/api/reports/calls').expect(200)).body.total.calls).toBe(0);
  });

  it('is a file for spreadsheets, too', async () => {
    const { text, headers } = await gateway
      .as(boss)
      .get(`/api/reports/calls.csv?group_by=agent&since=${lately}`)
      .expect(200);
    expect(headers['content-type']).toContain('text/csv');
    const lines = text
      .replace('\ufeff', '')
      .trim()
      .split('\r\n')
      .map((line) => line.split(','));
    expect(lines[0]!.slice(0, 3)).toEqual(['agent', 'name', 'calls']);
    expect(lines.slice(1).map((line) => line.slice(1, 3))).toEqual([
      ['Agent a100', '2'],
      ['Agent a101', '2'],
      ['', '4'],
    ]);
  });

  it('is of a time that is one, for those who may see it', async () => {
    const asked = (query: string) => gateway.as(boss).get(`/api/reports/calls?${query}`);
    expect(
      (await asked('since=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z').expect(400)).body.errors,
    ).toMatchObject([{ path: 'since', code: 'ends_before_start' }]);
    expect((await asked('since=2020-01-01T00:00:00Z').expect(400)).body.errors).toMatchObject([
      { path: 'since', code: 'span_too_long', params: { days: 400 } },
    ]);
    await asked('time_zone=Mars/Olympus').expect(400);
    await asked('group_by=weather').expect(400);
    await gateway.as(agents[0]).get('/api/reports/calls').expect(403);
    // Before anything is rolled up: beyond what is kept of states and clicks, figures of calls alone.
    expect((await report(`since=${new Date(Date.now() - 60 * 86_400_000).toISOString()}`)).total).toMatchObject({
      calls: 4,
      occupancy: null,
      clicks_refused: null,
    });
  });

  it('has what agents did and who was not reached by day and hour as well, and of the named times', async () => {
    await eventually(async () => expect((await report('')).total.clicks_refused).toBe(1));
    for (const group of ['day', 'hour']) {
      const { rows, total } = await report(`group_by=${group}&time_zone=Asia/Kathmandu`);
      const sum = (of: string) => rows.reduce((all: number, row: Record<string, number>) => all + (row[of] ?? 0), 0);
      expect(sum('clicks_refused')).toBe(1);
      // Rounded to seconds each.
      for (const seconds of ['signed_in_seconds', 'wrap_up_seconds'])
        expect(Math.abs(sum(seconds) - total[seconds])).toBeLessThanOrEqual(rows.length);
      for (const row of rows) expect(row.transferred).toBe(0);
    }
    for (const group of ['agent', 'team', 'disposition'])
      expect((await report(`group_by=${group}`)).rows[0].clicks_refused).toBeNull();
    expect((await report('group_by=disposition')).rows[0]).toMatchObject({ occupancy: null, signed_in_seconds: null });
    const named = (await gateway.as(boss).get('/api/reports/calls?range=week&time_zone=Asia/Kathmandu').expect(200))
      .body;
    expect([named.total.calls, Date.parse(named.until) - Date.parse(named.since)]).toEqual([4, 7 * 86_400_000]);
    expect((await gateway.as(boss).get('/api/reports/calls?range=last_month').expect(200)).body.total.calls).toBe(0);
    const both = await gateway.as(boss).get(`/api/reports/calls?range=week&since=${lately}`).expect(400);
    expect(both.body.errors).toMatchObject([{ path: 'range', code: 'range_or_times' }]);
  });
});

describe('one’s own day', () => {
  /** Where it is about noon, so that the day has neither begun nor will end within this test. */
  const offset = 12 - new Date().getUTCHours();
  const noon = `Etc/GMT${offset > 0 ? '-' : '+'}${Math.abs(offset)}`;
  const day = async (who: TestAgent) =>
    (
      await gateway
        .as(who)
        .get(`/api/me/today?time_zone=${encodeURIComponent(noon)}`)
        .expect(200)
    ).body;

  it('holds one’s own calls, and the own tasks that are due until midnight', async () => {
    const [ada, ben, cleo] = agents;
    const set = (who: TestAgent, hours: number, more: object = {}) =>
      gateway
        .as(who)
        .post('/api/crm/tasks')
        .send({ title: 'Call back', due_at: new Date(Date.now() + hours * 3_600_000).toISOString(), ...more })
        .expect(201);
    await set(ada, -2);
    await set(ada, 2);
    await set(ada, 30);
    await set(ben, 1);
    await set(boss, 1, { assignee_id: null });
    expect(await day(ada)).toMatchObject({
      time_zone: noon,
      calls: 2,
      outbound: 2,
      inbound: 0,
      answered: 2,
      missed: 0,
      callbacks_due: 2,
    });
    expect(await day(ben)).toMatchObject({
      calls: 2,
      outbound: 1,
      inbound: 1,
      answered: 1,
      missed: 1,
      callbacks_due: 1,
    });
    expect(await day(cleo)).toMatchObject({
      calls: 0,
      talk_seconds: 0,
      answer_seconds: null,
      mos: null,
      mos_median: null,
      mos_worst: null,
      callbacks_due: 0,
    });
    expect((await gateway.as(ada).get('/api/me/today?time_zone=Moon/Base').expect(400)).body.errors).toMatchObject([
      { path: 'time_zone' },
    ]);
  });

  it('begins at midnight of the zone that is told, a day at most ago', async () => {
    const { since, until } = await day(boss);
    expect(new Date(until).getTime() - new Date(since).getTime()).toBeGreaterThan(10 * 3_600_000);
    expect(new Date(until).getTime() - new Date(since).getTime()).toBeLessThan(14 * 3_600_000);
  });
});
