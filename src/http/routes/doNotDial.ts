import { z } from 'zod';
import {
  addDoNotDialRequest,
  doNotDialEntry,
  doNotDialImport,
  doNotDialList,
  listDoNotDialQuery,
} from '../../contract/doNotDial.ts';
import { maxListBytes } from '../../contract/dialingLimits.ts';
import { adminToken, keyOrAdmin } from '../../domain/access.ts';
import { exportDoNotDial, importDoNotDial } from '../../usecases/dialing/doNotDialFile.ts';
import { addDoNotDial, listDoNotDial, removeDoNotDial } from '../../usecases/dialing/doNotDialList.ts';
import { csvBody, csvType, csvTypes } from '../csvBody.ts';
import { idInPath, replyWith, replyWithText, route } from '../route.ts';

const tag = 'Do-not-dial list';

export const doNotDialRoutes = [
  route({
    method: 'get',
    path: '/api/do-not-dial',
    id: 'listDoNotDial',
    summary: 'The do-not-dial list of the company',
    description:
      'In the order of its numbers. What is on it is dialed by nobody, ' +
      'however it is asked for: 409 `do_not_call` with the cause `on_do_not_dial_list`. ' +
      'Supervisors and admins may override it for one call.',
    tag,
    access: keyOrAdmin,
    share: 'lists',
    query: listDoNotDialQuery,
    answers: { 200: doNotDialList },
    handler: async ({ services, principal, query }) =>
      replyWith(200, await listDoNotDial(services, principal.companyId, query)),
  }),
  route({
    method: 'post',
    path: '/api/do-not-dial',
    id: 'addDoNotDial',
    summary: 'Put a number on the do-not-dial list',
    description:
      'Or how numbers begin, with an asterisk behind it. ' +
      'What is there already is answered as it is, with the new note if there is one. ' +
      'It counts from the next dial on.',
    tag,
    access: keyOrAdmin,
    body: addDoNotDialRequest,
    answers: { 201: doNotDialEntry },
    refusals: ['invalid_phone', 'conflict'],
    handler: async ({ services, principal, body }) => replyWith(201, await addDoNotDial(services, principal, body)),
  }),
  route({
    method: 'post',
    path: '/api/do-not-dial/import',
    id: 'importDoNotDial',
    summary: 'Put the numbers of a CSV file on the do-not-dial list',
    description:
      'At most 8 MiB and 250,000 rows. Its column of phone numbers, as the header names it, else the first; ' +
      'a column of notes is taken along. Rows without a number are told, the others are added. ' +
      'A file that cannot be read to its end adds nothing. One file at a time.',
    tag,
    access: adminToken,
    takes: csvTypes,
    answers: { 200: doNotDialImport },
    refusals: ['conflict', 'rate_limited'],
    handler: async ({ services, principal, request }) => {
      const file = csvBody(request, maxListBytes);
      return file.kind === 'refused' ? file : replyWith(200, await importDoNotDial(services, principal, file.value));
    },
  }),
  route({
    method: 'delete',
    path: '/api/do-not-dial/{id}',
    id: 'removeDoNotDial',
    summary: 'Take a number off the do-not-dial list',
    tag,
    access: keyOrAdmin,
    params: idInPath,
    answers: { 204: null },
    refusals: ['not_found'],
    handler: async ({ services, principal, params }) =>
      replyWith(204, await removeDoNotDial(services, principal.companyId, params.id)),
  }),
  route({
    method: 'get',
    path: '/api/do-not-dial.csv',
    id: 'exportDoNotDial',
    summary: 'The do-not-dial list as CSV',
    description:
      'UTF-8 with a byte order mark, an apostrophe before each number, ' +
      'so that no spreadsheet takes it for a formula. Importing the file again changes nothing.',
    tag,
    access: adminToken,
    file: csvType,
    answers: { 200: z.string() },
    handler: ({ services, principal }) =>
      Promise.resolve(replyWithText(200, csvType, exportDoNotDial(services, principal.companyId), 'do-not-dial.csv')),
  }),
];
