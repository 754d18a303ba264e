import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ReportViewView } from '../../src/contract/reportViews.ts';
import { webhookData } from '../../src/contract/webhooks.ts';
import { startGateways, type Gateways } from '../support/gateway/gateways.ts';
import type { Gateway, TestAgent, TestCompany } from '../support/gateway/gateway.ts';
import { createManualClock, type ManualClock } from '../support/time/manualClock.ts';
import { passTime } from '../support/time/waiting.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhooks/webhookReceiver.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;

let clock: ManualClock;
let gateways: Gateways;
let gateway: Gateway;
let receiver: WebhookReceiver;
let company: TestCompany;
let boss: TestAgent;
let colleague: TestAgent;
let companies = 0;

beforeAll(async () => {
  clock = createManualClock(Date.now());
  [gateways, receiver] = await Promise.all([startGateways(2, { clock }), startWebhookReceiver()]);
  gateway = gateways.all[0]!;
});
beforeEach(async () => {
  receiver.received.length = 0;
  companies += 1;
  company = await gateway.company({ slug: `views-${companies}`, webhookUrl: receiver.url });
  [boss, colleague] = [
    await gateway.agent(company, 'boss', 'supervisor'),
    await gateway.agent(company, 'colleague', 'supervisor'),
  ];
});
afterAll(async () => {
  await gateways.close();
  await receiver.close();
});

const admin = () => gateway.as(company);
const create = async (who: TestAgent | TestCompany, body: object = {}): Promise<ReportViewView> =>
  (
    await gateway
      .as(who)
      .post('/api/reports/views')
      .send({ name: 'Yesterday by agent', filter: { range: 'yesterday', group_by: 'agent' }, ...body })
      .expect(201)
  ).body;
const names = async (who: TestAgent | TestCompany) =>
  (await gateway.as(who).get('/api/reports/views').expect(200)).body.views.map(({ name }: ReportViewView) => name);
const viewOf = async (id: string): Promise<ReportViewView> =>
  (await admin().get('/api/reports/views').expect(200)).body.views.find((view: ReportViewView) => view.id === id);
const choose = (webhook_events: string[] | null) =>
  admin().put('/api/integrations').send({ webhook_events }).expect(200);
const schedule = (id: string, body: object = {}) =>
  admin()
    .put(`/api/reports/views/${id}/schedule`)
    .send({ every: 'day', time: inAMinute(), time_zone: 'UTC', ...body });
/** The next whole minute by the clock of UTC. */
const inAMinute = () => new Date(clock.now() + minuteMs).toISOString().slice(11, 16);
/** Those of this test's company alone: reports of others go on. */
const received = () =>
  receiver.received.filter(({ body }) => body.event === 'report_ready' && body.company_id === company.id);
const reports = () => received().map(({ body }) => webhookData.report_ready.parse(body.data));

describe('a view of reports', () => {
  it('is its owner’s alone until it is shared', async () => {
    const own = await create(boss);
    expect(own).toMatchObject({
      shared: false,
      filter: { range: 'yesterday', group_by: 'agent' },
      owner: { id: boss.id, name: 'Agent boss' },
      schedule: null,
      version: 1,
    });
    await create(colleague, { name: 'A week', shared: true, filter: { range: 'week' } });
    expect([await names(boss), await names(colleague), await names(company)]).toEqual([
      ['A week', 'Yesterday by agent'],
      ['A week'],
      ['A week'],
    ]);
    await gateway.as(colleague).patch(`/api/reports/views/${own.id}`).send({ name: 'Mine' }).expect(404);
    await admin().delete(`/api/reports/views/${own.id}`).expect(404);
    expect(
      (await gateway.as(boss).patch(`/api/reports/views/${own.id}`).send({ shared: true, version: 1 }).expect(200))
        .body,
    ).toMatchObject({ shared: true, version: 2 });
    expect(await names(colleague)).toEqual(['A week', 'Yesterday by agent']);
  });

  it('is changed by its owner and by admins, by the version that they have read', async () => {
    const shared = await create(boss, { shared: true });
    expect(
      (await gateway.as(colleague).patch(`/api/reports/views/${shared.id}`).send({ name: 'Mine' }).expect(403)).body,
    ).toMatchObject({ code: 'role_required' });
    await gateway.as(colleague).delete(`/api/reports/views/${shared.id}`).expect(403);
    await admin()
      .patch(`/api/reports/views/${shared.id}`)
      .send({ filter: { range: 'last_month', group_by: 'team' } })
      .expect(200);
    const late = await gateway
      .as(boss)
      .patch(`/api/reports/views/${shared.id}`)
      .set('If-Match', '"1"')
      .send({ name: 'Late' })
      .expect(409);
    expect(late.body.cause).toEqual({ code: 'changed_meanwhile', params: { version: 2 } });
    expect(await viewOf(shared.id)).toMatchObject({
      name: 'Yesterday by agent',
      filter: { range: 'last_month', group_by: 'team' },
      version: 2,
    });
    await gateway.as(boss).delete(`/api/reports/views/${shared.id}`).expect(204);
    expect(await names(company)).toEqual([]);
  });

  it('keeps no filters that a report would refuse', async () => {
    const refused = async (filter: object) =>
      (await gateway.as(boss).post('/api/reports/views').send({ name: 'X', filter }).expect(400)).body.errors;
    expect(await refused({ range: 'week', since: '2026-01-01T00:00:00Z' })).toMatchObject([
      { path: 'filter.range', code: 'range_or_times' },
    ]);
    expect(await refused({ group_by: 'weather' })).toMatchObject([{ path: 'filter.group_by', code: 'unknown_choice' }]);
    expect(await names(boss)).toEqual([]);
  });

  it('is another company’s nothing', async () => {
    const shared = await create(boss, { shared: true });
    const strangers = await gateway.company({ slug: `strangers-${companies}` });
    expect(await names(strangers)).toEqual([]);
    await gateway.as(strangers).patch(`/api/reports/views/${shared.id}`).send({ name: 'Ours' }).expect(404);
    await gateway
      .as(strangers)
      .put(`/api/reports/views/${shared.id}/schedule`)
      .send({ every: 'day', time: '07:00', time_zone: 'UTC' })
      .expect(404);
  });
});

describe('a report that is scheduled', () => {
  it('comes once at its time, signed as a webhook, whichever of two gateways sends it', async () => {
    await choose(['report_ready']);
    const { id } = await create(boss, { shared: true, filter: { range: 'yesterday', group_by: 'day' } });
    const before = (await schedule(id).expect(200)).body as ReportViewView;
    const nextAt = Date.parse(before.schedule?.next_run_at ?? '');
    expect(nextAt - clock.now()).toBeLessThanOrEqual(minuteMs);
    await passTime(clock, nextAt - clock.now(), () => reports().length > 0);
    const [report] = reports();
    const midnight = Math.floor(nextAt / dayMs) * dayMs;
    expect(report).toMatchObject({
      view: { id, name: 'Yesterday by agent' },
      scheduled_for: before.schedule?.next_run_at,
      requested_by: null,
      time_zone: 'UTC',
      group_by: 'day',
      rows: 0,
      download_url: null,
      download_until: null,
    });
    expect([report?.since, report?.until]).toEqual([
      new Date(midnight - dayMs).toISOString(),
      new Date(midnight).toISOString(),
    ]);
    expect(report?.csv?.split('\r\n').map((line) => line.split(',').slice(0, 3).join())).toEqual([
      'day,name,calls',
      'total,,0',
      '',
    ]);
    const { schedule: after } = await viewOf(id);
    expect(after).toMatchObject({
      next_run_at: new Date(nextAt + dayMs).toISOString(),
      last_run: { outcome: 'sent', delivery_id: expect.any(String) },
    });
    // Nobody sends it again.
    await clock.advance(3 * minuteMs);
    expect(reports()).toHaveLength(1);
    const [webhook] = received();
    expect(webhook?.headers['x-service-delivery']).toBe(after?.last_run?.delivery_id);
    expect(webhook?.headers['x-service-signature']).toMatch(/^sha256=[0-9a-f]{64}$/);
  });

  it('makes up for runs of the last days that nobody was there for, each with its own time', async () => {
    await choose(['report_ready']);
    const { id } = await create(boss, { shared: true });
    const { schedule: set } = (await schedule(id).expect(200)).body as ReportViewView;
    const first = Date.parse(set?.next_run_at ?? '');
    await clock.leap(first - clock.now() + 2 * dayMs + 60_000);
    await passTime(clock, 0, () => reports().length === 3);
    expect(reports().map(({ scheduled_for: at }) => at)).toEqual(
      [0, 1, 2].map((days) => new Date(first + days * dayMs).toISOString()),
    );
    expect(new Set(reports().map(({ since }) => since)).size).toBe(3);
  });

  it('goes on without a word where the webhook does not get reports, and tells so', async () => {
    const { id } = await create(boss, { shared: true });
    const { schedule: set } = (await schedule(id).expect(200)).body as ReportViewView;
    await passTime(
      clock,
      Date.parse(set?.next_run_at ?? '') - clock.now(),
      async () => (await viewOf(id)).schedule?.last_run !== null,
    );
    expect((await viewOf(id)).schedule?.last_run).toMatchObject({ outcome: 'not_chosen', delivery_id: null });
    expect((await admin().post(`/api/reports/views/${id}/runs`).expect(409)).body.cause).toEqual({
      code: 'report_not_chosen',
    });
    await choose(['report_ready']);
    await admin().put('/api/integrations').send({ webhook_url: null }).expect(200);
    expect((await admin().post(`/api/reports/views/${id}/runs`).expect(409)).body.cause).toEqual({
      code: 'no_webhook_url',
    });
    expect((await viewOf(id)).schedule?.last_run).toMatchObject({ outcome: 'not_chosen' });
    expect(received()).toEqual([]);
  });

  it('is sent by hand as of now, and its next run stays', async () => {
    await choose(['report_ready']);
    const { id } = await create(boss, { shared: true });
    await admin().post(`/api/reports/views/${id}/runs`).expect(404);
    const { schedule: set } = (
      await schedule(id, { every: 'month', month_day: 31, time_zone: 'Asia/Kathmandu' }).expect(200)
    ).body as ReportViewView;
    const sent = (await admin().post(`/api/reports/views/${id}/runs`).expect(202)).body as ReportViewView;
    expect(sent.schedule).toMatchObject({
      when: { every: 'month', month_day: 31 },
      next_run_at: set?.next_run_at,
      last_run: { outcome: 'sent' },
    });
    await receiver.waitFor(({ body }) => body.event === 'report_ready' && body.company_id === company.id);
    expect(reports()).toMatchObject([
      { scheduled_for: null, requested_by: { agent_code: 'admin' }, time_zone: 'Asia/Kathmandu' },
    ]);
  });

  it('is of a shared view with a range, and for admins to change and to end', async () => {
    const own = await create(company);
    expect((await schedule(own.id).expect(409)).body.cause).toEqual({ code: 'view_is_not_shared' });
    const fixed = await create(boss, {
      shared: true,
      filter: { since: '2026-01-01T00:00:00Z', until: '2026-02-01T00:00:00Z' },
    });
    expect((await schedule(fixed.id).expect(400)).body.cause).toEqual({ code: 'view_without_range' });
    const { id } = await create(boss, { shared: true });
    await gateway
      .as(boss)
      .put(`/api/reports/views/${id}/schedule`)
      .send({ every: 'day', time: '07:00', time_zone: 'UTC' })
      .expect(403);
    expect((await schedule(id, { every: 'week', weekday: 8 }).expect(400)).body.errors).toMatchObject([
      { path: 'weekday' },
    ]);
    expect((await schedule(id, { every: 'month' }).expect(400)).body.errors).toMatchObject([
      { path: 'month_day', code: 'required' },
    ]);
    expect((await schedule(id, { time: '7:00' }).expect(400)).body.errors).toMatchObject([
      { path: 'time', code: 'not_a_time_of_day' },
    ]);
    await schedule(id).expect(200);
    for (const change of [{ name: 'Other' }, { shared: false }]) {
      expect((await gateway.as(boss).patch(`/api/reports/views/${id}`).send(change).expect(409)).body.cause).toEqual({
        code: 'view_is_scheduled',
      });
    }
    await gateway.as(boss).delete(`/api/reports/views/${id}`).expect(409);
    expect((await admin().patch(`/api/reports/views/${id}`).send({ shared: false }).expect(409)).body.cause).toEqual({
      code: 'view_is_scheduled',
    });
    expect(
      (
        await admin()
          .patch(`/api/reports/views/${id}`)
          .send({ filter: { since: '2026-01-01T00:00:00Z' } })
          .expect(400)
      ).body.cause,
    ).toEqual({ code: 'view_without_range' });
    await admin().patch(`/api/reports/views/${id}`).send({ name: 'Renamed by an admin' }).expect(200);
    await admin().delete(`/api/reports/views/${id}/schedule`).expect(204);
    await admin().delete(`/api/reports/views/${id}/schedule`).expect(404);
    await gateway.as(boss).patch(`/api/reports/views/${id}`).send({ shared: false }).expect(200);
  });

  it('is behind a link where the file is large, for whoever has it and for so long', async () => {
    await choose(['report_ready']);
    const { id } = await create(boss, { shared: true, filter: { range: 'yesterday', group_by: 'team' } });
    // Teams have rows of their own, however few calls there are.
    await Promise.all(
      Array.from({ length: 170 }, (_, n) =>
        admin()
          .post('/api/teams')
          .send({ code: `t${n}`, name: `${'ä'.repeat(190)}${n}` })
          .expect(201),
      ),
    );
    await schedule(id, { time_zone: 'Europe/Berlin' }).expect(200);
    await admin().post(`/api/reports/views/${id}/runs`).expect(202);
    await receiver.waitFor(({ body }) => body.event === 'report_ready' && body.company_id === company.id);
    const [report] = reports();
    expect(report).toMatchObject({ csv: null, rows: 170 });
    const path = report?.download_url ?? '';
    expect(path).toMatch(/^\/api\/reports\/files\/[\w.-]+$/);
    const { text, headers } = await gateway.api.get(path).expect(200);
    expect(headers['content-type']).toContain('text/csv');
    expect(text.trim().split('\r\n')).toHaveLength(172);
    expect((await gateway.api.get(`${path}x`).expect(401)).body).toMatchObject({ code: 'invalid_token' });
    // It is no token for anything else.
    await gateway.api
      .get('/api/reports/calls')
      .set('authorization', `Bearer ${path.split('/').at(-1)}`)
      .expect(401);
    await clock.leap(Date.parse(report?.download_until ?? '') - clock.now());
    expect((await gateway.api.get(path).expect(401)).body.detail).toContain('expired');
  });
});
