import { z } from 'zod';
import { exportCallsQuery } from '../../contract/calls.ts';
import { adminToken, supervisorToken } from '../../domain/access.ts';
import { filterOf } from '../../usecases/calls/lifecycle/readCalls.ts';
import { exportCalls } from '../../usecases/imports/exportCalls.ts';
import { exportContacts } from '../../usecases/imports/exportContacts.ts';
import { exportDeals } from '../../usecases/imports/exportDeals.ts';
import { csvType } from '../csvBody.ts';
import { replyWithText, route } from '../route.ts';

const parts = {
  method: 'get',
  tag: 'Imports',
  access: adminToken,
  file: csvType,
  answers: { 200: z.string() },
} as const;
const safe =
  'Cells that a spreadsheet could take for a formula (they begin with = + - @, tab or line feed), ' +
  'so also numbers with a plus, have an apostrophe before them, which an import takes away.';

export const exportRoutes = [
  route({
    ...parts,
    path: '/api/crm/exports/contacts.csv',
    id: 'exportContacts',
    summary: 'All contacts as CSV',
    description:
      'UTF-8 with a byte order mark, as it is read from the database. Importing the file again changes nothing. ' +
      `${safe}`,
    handler: async ({ services, principal }) =>
      replyWithText(200, csvType, exportContacts(services, principal.companyId), 'contacts.csv'),
  }),
  route({
    ...parts,
    path: '/api/crm/exports/calls.csv',
    id: 'exportCalls',
    access: supervisorToken,
    query: exportCallsQuery,
    refusals: ['invalid_phone'],
    summary: 'Calls as CSV',
    description:
      'All, or those that the same filters as of the list of calls choose. ' +
      `The latest first, in UTF-8 with a byte order mark. ${safe}`,
    handler: async ({ services, principal, query }) => {
      const filter = await filterOf(services, principal, query);
      return filter.kind === 'refused'
        ? filter
        : replyWithText(200, csvType, exportCalls(services, principal.companyId, filter.value), 'calls.csv');
    },
  }),
  route({
    ...parts,
    path: '/api/crm/exports/deals.csv',
    id: 'exportDeals',
    summary: 'All deals as CSV',
    description: `The earliest first, in UTF-8 with a byte order mark; values are exact decimals. ${safe}`,
    handler: async ({ services, principal }) =>
      replyWithText(200, csvType, exportDeals(services, principal.companyId), 'deals.csv'),
  }),
];
