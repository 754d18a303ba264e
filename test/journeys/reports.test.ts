import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type Gateway, type TestAgent, type TestCompany } from '../support/gateway/gateway.ts';
import { bearer } from '../support/gateway/populatedGateway.ts';
import { eventually } from '../support/time/waiting.ts';

let gateway: Gateway;
let company: TestCompany;
let agents: [TestAgent, TestAgent, TestAgent];
let boss: TestAgent;
let team: { id: string };

const figuresOf = ({ calls, outbound, inbound, answered, missed }: Record<string, number>) => ({ calls, outbound, inbound, answered, missed });
/** Of the last hour: today may have begun a moment ago. */
const lately = encodeURIComponent(new Date(Date.now() - 3_600_000).toISOString());
const report = async (query: string) => (await gateway.as(boss).get(`/api/reports/calls?${query.includes('since=') ? '' : `since=${lately}&`}${query}`).expect(200)).body;

beforeAll(async () => {
  gateway = await startGateway('memory');
  company = await gateway.company({ slug: 'reports', agents: 3, wrapUpSeconds: 600 });
  agents = company.agents as typeof agents;
  boss = await gateway.agent(company, 'boss', 'supervisor');
  const [ada, ben] = agents;
  team = (await gateway.api.post('/api/teams').set(bearer(company.adminToken)).send({ code: 'sales', name: 'Sales', agent_ids: [ben.id] }).expect(201)).body;
  const [first, second] = [await gateway.readySoftphone(ada), await gateway.readySoftphone(ben)];
  for (const [softphone, times] of [[first, 2], [second, 1]] as const) {
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
}, 30_000);
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
      if (group_by === 'team') expect(rows.map(figuresOf)).toEqual([{ calls: 2, outbound: 1, inbound: 1, answered: 1, missed: 1 }]);
      else expect(rows.reduce((sum: number, row: { calls: number }) => sum + row.calls, 0)).toBe(total.calls);
    }
  });

  it('names agents, teams and dispositions, and tells how agents spent their time', async () => {
    // What agents do is written some seconds later.
    await eventually(async () => expect((await report('group_by=agent')).rows.map((row: { occupancy: number | null }) => row.occupancy)).not.toContain(null), { withinMs: 20_000 });
    const { rows, total } = await report('group_by=agent');
    expect(rows.map(({ key, name, calls }: Record<string, unknown>) => [key, name, calls])).toEqual([[agents[0].id, 'Agent a100', 2], [agents[1].id, 'Agent a101', 2]]);
    for (const row of [...rows, total]) expect(row).toMatchObject({ signed_in_seconds: expect.any(Number), wrap_up_seconds: expect.any(Number), occupancy: expect.any(Number) });
    expect((await report('group_by=disposition')).rows.map(({ key, name, calls }: Record<string, unknown>) => [key, name, calls])).toEqual([['other', 'Other', 1], ['resolved', 'Resolved', 2], [null, null, 1]]);
    expect((await report('group_by=team')).rows).toMatchObject([{ key: team.id, name: 'Sales' }]);
    await eventually(async () => expect((await report('')).total.clicks_refused).toBe(1));
  });

  it('is narrowed to a team, and is nobody’s for a team of another company', async () => {
    expect(figuresOf((await report(`team_id=${team.id}`)).total)).toEqual({ calls: 2, outbound: 1, inbound: 1, answered: 1, missed: 1 });
    const other = await gateway.company({ slug: 'strangers', agents: 1 });
    const theirs = (await gateway.api.post('/api/teams').set(bearer(other.adminToken)).send({ code: 'x', name: 'X', agent_ids: [other.agents[0]!.id] }).expect(201)).body;
    expect((await report(`team_id=${theirs.id}&group_by=agent`)).total.calls).toBe(0);
    expect((await gateway.as(other).get('/api/reports/calls').expect(200)).body.total.calls).toBe(0);
  });

  it('is a file for spreadsheets, too', async () => {
    const { text, headers } = await gateway.as(boss).get(`/api/reports/calls.csv?group_by=agent&since=${lately}`).expect(200);
    expect(headers['content-type']).toContain('text/csv');
    const lines = text.replace('\ufeff', '').trim().split('\r\n').map((line) => line.split(','));
    expect(lines[0]!.slice(0, 3)).toEqual(['agent', 'name', 'calls']);
    expect(lines.slice(1).map((line) => line.slice(1, 3))).toEqual([['Agent a100', '2'], ['Agent a101', '2'], ['', '4']]);
  });

  it('is of a time that is one, for those who may see it', async () => {
    const asked = (query: string) => gateway.as(boss).get(`/api/reports/calls?${query}`);
    expect((await asked('since=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z').expect(400)).body.errors).toMatchObject([{ path: 'since', code: 'ends_before_start' }]);
    expect((await asked('since=2020-01-01T00:00:00Z').expect(400)).body.errors).toMatchObject([{ path: 'since', code: 'span_too_long', params: { days: 400 } }]);
    await asked('time_zone=Mars/Olympus').expect(400);
    await asked('group_by=weather').expect(400);
    await gateway.as(agents[0]).get('/api/reports/calls').expect(403);
    // Beyond what is kept of states and clicks, figures of calls alone.
    expect((await report(`since=${new Date(Date.now() - 60 * 86_400_000).toISOString()}`)).total).toMatchObject({ calls: 4, occupancy: null, clicks_refused: null });
  });
});
