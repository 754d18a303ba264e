import { type CompanyId, toId } from '../../../src/domain/ids.ts';
import { linkOf } from '../../../src/usecases/reports/reportLinks.ts';
import { bearer } from '../../support/gateway/populatedGateway.ts';
import type { RouteAnswer } from '../../support/http/routeRequests.ts';
import { type OwnPlays, type Play, nobodys, ask, tooMany } from './play.ts';

/** While so many reports are made for the company as may be at once. */
function whileBusy(play: Play): Play {
  return async (world) => {
    let end = (): void => undefined;
    const over = new Promise<void>((resolve) => (end = resolve));
    const others = Array.from({ length: 10 }, () =>
      world.services.shares.reports.use(toId<CompanyId>(world.ours.id), () => over),
    );
    try {
      return await play(world);
    } finally {
      end();
      await Promise.all(others);
    }
  };
}

/** The file of yesterday's report. */
const readReportFile: Play = async (world) => {
  const day = new Date(world.clock.now() - 86_400_000).toISOString();
  const report = {
    since: day,
    until: new Date(world.clock.now()).toISOString(),
    time_zone: 'UTC',
    group_by: 'day' as const,
  };
  return ask('GET /api/reports/files/{token}', {
    path: linkOf(world.services, toId<CompanyId>(world.ours.id), report, null, new Date(world.clock.now() + 60_000)),
  })(world);
};

/** Of reports. */
export const reportPlays: OwnPlays = {
  'GET /api/reports/trends': {
    unknown_team: ask('GET /api/reports/trends', { path: `/api/reports/trends?team_id=${nobodys}` }),
  },
  'GET /api/reports/files/{token}': {
    '200': readReportFile,
    rate_limited: whileBusy(readReportFile),
    invalid_token: ask('GET /api/reports/files/{token}'),
    invalid_request: ask('GET /api/reports/files/{token}', { path: `/api/reports/files/${'x'.repeat(2_001)}` }),
  },
  'POST /api/reports/views': {
    async conflict(world) {
      const owner = await world.gateway.agent(world.ours, 'collector', 'supervisor');
      const create = (): Promise<RouteAnswer> =>
        ask('POST /api/reports/views', { body: { name: 'Own', filter: {} } }, () => bearer(owner.token))(world);
      for (let n = 0; n < 100; n += 1) await create();
      return create();
    },
  },
  'PATCH /api/reports/views/{id}': { conflict: ask('PATCH /api/reports/views/{id}', { body: { version: 7 } }) },
  'DELETE /api/reports/views/{id}': {
    async conflict(world) {
      const { gateway, ours, supervisor } = world;
      const view = await gateway.api
        .post('/api/reports/views')
        .set(bearer(supervisor.token))
        .send({ name: 'Sent', shared: true, filter: { range: 'week' } })
        .expect(201);
      const when = { every: 'week', weekday: 1, time: '07:00', time_zone: 'UTC' };
      await gateway.api
        .put(`/api/reports/views/${view.body.id}/schedule`)
        .set(bearer(ours.adminToken))
        .send(when)
        .expect(200);
      return ask('DELETE /api/reports/views/{id}', { path: `/api/reports/views/${view.body.id}` }, () =>
        bearer(supervisor.token),
      )(world);
    },
  },
  'PUT /api/reports/views/{id}/schedule': {
    async conflict(world) {
      const { gateway, ours } = world;
      const own = await gateway.api
        .post('/api/reports/views')
        .set(bearer(ours.adminToken))
        .send({ name: 'Own', filter: { range: 'week' } })
        .expect(201);
      return ask('PUT /api/reports/views/{id}/schedule', { path: `/api/reports/views/${own.body.id}/schedule` })(world);
    },
  },
  'POST /api/reports/views/{id}/runs': {
    '202': async (world) => {
      const asAdmin = bearer(world.ours.adminToken);
      await world.gateway.api
        .put('/api/integrations')
        .set(asAdmin)
        .send({ webhook_events: ['report_ready'] })
        .expect(200);
      const answer = await ask('POST /api/reports/views/{id}/runs')(world);
      await world.gateway.api.put('/api/integrations').set(asAdmin).send({ webhook_events: null }).expect(200);
      return answer;
    },
    conflict: ask('POST /api/reports/views/{id}/runs'),
    rate_limited: (world) => tooMany(21, () => ask('POST /api/reports/views/{id}/runs')(world)),
  },
};
