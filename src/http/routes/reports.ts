import { z } from 'zod';
import { callReport, callReportQuery } from '../../contract/reports.ts';
import { keyOrSupervisor, supervisorToken } from '../../domain/access.ts';
import { reportAsCsv, reportCalls } from '../../usecases/reports/callReport.ts';
import { csvType } from '../csvBody.ts';
import { replyWith, replyWithText, route } from '../route.ts';

const parts = { method: 'get', tag: 'Calls', query: callReportQuery } as const;

export const reportRoutes = [
  route({
    ...parts,
    path: '/api/reports/calls',
    id: 'reportCalls',
    summary: 'Calls in figures',
    description: 'By day, hour of the day, agent, team or disposition, counted from the records of the calls: figures and list add up. At most 400 days.',
    access: keyOrSupervisor,
    answers: { 200: callReport },
    handler: async ({ services, principal, query }) => replyWith(200, await reportCalls(services, principal.companyId, query)),
  }),
  route({
    ...parts,
    path: '/api/reports/calls.csv',
    id: 'reportCallsAsCsv',
    summary: 'Calls in figures, as CSV',
    description: 'The same, with a last line for the total. UTF-8 with a byte order mark.',
    access: supervisorToken,
    file: csvType,
    answers: { 200: z.string() },
    handler: async ({ services, principal, query }) => {
      const report = await reportCalls(services, principal.companyId, query);
      return report.kind === 'refused' ? report : replyWithText(200, csvType, once(reportAsCsv(report.value)), 'report.csv');
    },
  }),
];

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}
