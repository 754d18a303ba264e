import { z } from 'zod';
import { type CallReport, callReport, callReportQuery, ownDay, ownDayQuery } from '../../contract/reports.ts';
import { dayTrends, dayTrendsQuery } from '../../contract/live.ts';
import { anyToken, keyOrSupervisor, open, supervisorToken } from '../../domain/access.ts';
import { byteOrderMark } from '../../usecases/imports/rowsToMend.ts';
import { reportCalls, shownTo } from '../../usecases/reports/callReport.ts';
import { readOwnDay } from '../../usecases/reports/ownDay.ts';
import { reportAsCsv } from '../../usecases/reports/reportCsv.ts';
import { readLinkedReport } from '../../usecases/reports/reportLinks.ts';
import { csvType } from '../csvBody.ts';
import { reply, replyWith, replyWithText, route } from '../route.ts';

const parts = { method: 'get', tag: 'Reports' } as const;

export const reportRoutes = [
  route({
    ...parts,
    path: '/api/reports/calls',
    id: 'reportCalls',
    summary: 'Calls in figures',
    description:
      'By day, hour of the day, agent, team or disposition, counted from the records of the calls: ' +
      'figures and list add up. At most 400 days.',
    access: keyOrSupervisor,
    query: callReportQuery,
    answers: { 200: callReport },
    refusals: ['rate_limited'],
    handler: async ({ services, principal, query }) =>
      replyWith(200, await reportCalls(services, await shownTo(services, principal), query)),
  }),
  route({
    ...parts,
    path: '/api/reports/calls.csv',
    id: 'reportCallsAsCsv',
    summary: 'Calls in figures, as CSV',
    description: 'The same, with a last line for the total. UTF-8 with a byte order mark.',
    access: supervisorToken,
    query: callReportQuery,
    file: csvType,
    answers: { 200: z.string() },
    refusals: ['rate_limited'],
    handler: async ({ services, principal, query }) => {
      const report = await reportCalls(services, await shownTo(services, principal), query);
      return report.kind === 'refused' ? report : replyWithFile(report.value);
    },
  }),
  route({
    ...parts,
    path: '/api/reports/files/{token}',
    id: 'readReportFile',
    summary: 'The file of a report that was sent by webhook',
    description:
      'The `download_url` of `report_ready`; the link is the credential. ' +
      'Counted anew at each request: it has what was corrected since.',
    access: open,
    params: z.object({ token: z.string().min(1).max(2_000) }),
    file: csvType,
    answers: { 200: z.string() },
    refusals: ['invalid_token', 'rate_limited'],
    handler: async ({ services, params }) => {
      const report = await readLinkedReport(services, params.token);
      return report.kind === 'refused' ? report : replyWithFile(report.value);
    },
  }),
  route({
    method: 'get',
    path: '/api/reports/trends',
    id: 'readDayTrends',
    summary: 'How today has gone so far',
    description:
      'By quarters of an hour since midnight in `time_zone`: calls, and how many agents were Ready and on calls. ' +
      'Counted anew once a minute at most.',
    tag: 'Calls',
    access: keyOrSupervisor,
    query: dayTrendsQuery,
    answers: { 200: dayTrends },
    refusals: ['unknown_team'],
    handler: async ({ services, principal, query }) => replyWith(200, await services.trends.read(principal, query)),
  }),
  route({
    ...parts,
    path: '/api/me/today',
    id: 'readOwnDay',
    summary: 'Your own day in figures',
    description:
      'The calls of whoever asks since midnight in `time_zone`, in the figures of a report, ' +
      'and how many of their own tasks are due until the next one.',
    access: anyToken,
    query: ownDayQuery,
    answers: { 200: ownDay },
    handler: async ({ services, principal, query }) =>
      reply(200, await readOwnDay(services, principal, query.time_zone)),
  }),
];

function replyWithFile(report: CallReport) {
  return replyWithText(200, csvType, once(byteOrderMark + reportAsCsv(report)), 'report.csv');
}

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}
