import {
  createReportViewRequest,
  reportViewList,
  reportViewView,
  scheduleReportRequest,
  updateReportViewRequest,
} from '../../contract/reportViews.ts';
import { adminToken, supervisorToken } from '../../domain/access.ts';
import { type ReportViewId, toId } from '../../domain/ids.ts';
import { createView, listViews, removeView, updateView } from '../../usecases/reports/manageViews.ts';
import { scheduleReport, sendReportNow, unscheduleReport } from '../../usecases/reports/scheduleReport.ts';
import { changing, expectedVersion } from '../changeHeaders.ts';
import { idInPath, reply, replyWith, route } from '../route.ts';

const tag = 'Reports';
const base = '/api/reports/views';

export const reportViewRoutes = [
  route({
    method: 'get',
    path: base,
    id: 'listReportViews',
    summary: 'Views of reports: your own, and those that are shared',
    tag,
    access: supervisorToken,
    answers: { 200: reportViewList },
    handler: async ({ services, principal }) => reply(200, await listViews(services, principal)),
  }),
  route({
    method: 'post',
    path: base,
    id: 'createReportView',
    summary: 'Keep the filters of a report as a view',
    description: 'One person has at most 100.',
    tag,
    access: supervisorToken,
    body: createReportViewRequest,
    answers: { 201: reportViewView },
    refusals: ['conflict'],
    handler: async ({ services, principal, body }) => replyWith(201, await createView(services, principal, body)),
  }),
  route({
    method: 'patch',
    path: `${base}/{id}`,
    id: 'updateReportView',
    summary: 'Change a view',
    description:
      'A shared view is changed by its owner and by admins; ' +
      'one whose report is sent by itself by admins alone, and it stays shared.',
    tag,
    access: supervisorToken,
    params: idInPath,
    headers: changing,
    body: updateReportViewRequest,
    answers: { 200: reportViewView },
    refusals: ['not_found', 'role_required', 'conflict'],
    handler: async ({ services, principal, params, headers, body }) =>
      replyWith(
        200,
        await updateView(services, principal, toId<ReportViewId>(params.id), body, expectedVersion(headers, body)),
      ),
  }),
  route({
    method: 'delete',
    path: `${base}/{id}`,
    id: 'removeReportView',
    summary: 'Remove a view',
    description: 'Its report is no longer sent.',
    tag,
    access: supervisorToken,
    params: idInPath,
    answers: { 204: null },
    refusals: ['not_found', 'role_required', 'conflict'],
    handler: async ({ services, principal, params }) =>
      replyWith(204, await removeView(services, principal, toId<ReportViewId>(params.id))),
  }),
  route({
    method: 'put',
    path: `${base}/{id}/schedule`,
    id: 'scheduleReport',
    summary: 'Send the report of a view by webhook, every day, week or month',
    description:
      'As the event `report_ready`, which `webhook_events` has to name. ' +
      'Of a shared view with a `range`, which is told from the time of the run. ' +
      'Once for each run, however many gateways there are; ' +
      'runs of the last seven days that were missed are made up for.',
    tag,
    access: adminToken,
    params: idInPath,
    body: scheduleReportRequest,
    answers: { 200: reportViewView },
    refusals: ['not_found', 'conflict'],
    handler: async ({ services, principal, params, body }) =>
      replyWith(200, await scheduleReport(services, principal, toId<ReportViewId>(params.id), body)),
  }),
  route({
    method: 'delete',
    path: `${base}/{id}/schedule`,
    id: 'unscheduleReport',
    summary: 'Send the report of a view no longer',
    tag,
    access: adminToken,
    params: idInPath,
    answers: { 204: null },
    refusals: ['not_found'],
    handler: async ({ services, principal, params }) =>
      replyWith(204, await unscheduleReport(services, principal, toId<ReportViewId>(params.id))),
  }),
  route({
    method: 'post',
    path: `${base}/{id}/runs`,
    id: 'sendReportNow',
    summary: 'Send the report of a view now',
    description: 'As of now, beside its schedule. At most 20 within ten minutes.',
    tag,
    access: adminToken,
    params: idInPath,
    answers: { 202: reportViewView },
    refusals: ['not_found', 'conflict', 'rate_limited'],
    handler: async ({ services, platform, principal, params }) =>
      replyWith(202, await sendReportNow(services, principal, toId<ReportViewId>(params.id), platform.publicUrl)),
  }),
];
