import { z } from 'zod';
import {
  importList,
  importPreview,
  importRowList,
  importView,
  listImportsQuery,
  listRowsQuery,
  runImportRequest,
  updateImportRequest,
  uploadQuery,
} from '../../contract/imports.ts';
import { adminToken } from '../../domain/access.ts';
import {
  beginWork,
  cancelImport,
  listImports,
  listRows,
  previewImport,
  readImport,
  removeImport,
  updateImport,
} from '../../usecases/imports/manageImports.ts';
import { importPushed } from '../../usecases/imports/importPushed.ts';
import { rowsToMend } from '../../usecases/imports/rowsToMend.ts';
import { uploadImport } from '../../usecases/imports/uploadImport.ts';
import { changing, creating, expectedVersion, replayHeaders, replyCreated } from '../changeHeaders.ts';
import { csvBody, csvType, csvTypes } from '../csvBody.ts';
import { idInPath, reply, replyWith, replyWithText, route } from '../route.ts';

const tag = 'Imports';

export const importRoutes = [
  route({
    method: 'post',
    path: '/api/crm/imports',
    id: 'uploadImport',
    summary: 'Upload a CSV file of contacts',
    description:
      'At most 64 MiB, 250,000 rows beside the header, 2,000 columns and 262,144 characters a row. ' +
      'Delimiter (comma, semicolon, tab, pipe, or a first line such as `sep=;`), ' +
      'encoding and header are told from the file; lines above the header are left out. ' +
      'What is not in Unicode is guessed, and can be changed afterwards. ' +
      'Nothing is written to contacts yet: look at the mapping that is suggested, change it, preview it, ' +
      'check it, run it.',
    tag,
    access: adminToken,
    query: uploadQuery,
    headers: creating,
    takes: csvTypes,
    answers: { 201: importView },
    answerHeaders: replayHeaders,
    refusals: ['conflict', 'idempotency_in_progress', 'idempotency_mismatch'],
    handler: async ({ services, principal, query, headers, request }) => {
      const file = csvBody(request);
      if (file.kind === 'refused') return file;
      const asked = { ...query, encoding: query.encoding ?? file.value.encoding };
      return replyCreated(
        await uploadImport(services, principal, file.value.bytes, asked, headers['idempotency-key'] ?? null),
      );
    },
  }),
  route({
    method: 'get',
    path: '/api/crm/imports',
    id: 'listImports',
    summary: 'Imports of the company',
    description: 'The latest first. Forgotten, with their rows, 30 days after they were last touched.',
    tag,
    access: adminToken,
    share: 'lists',
    query: listImportsQuery,
    answers: { 200: importList },
    handler: async ({ services, principal, query }) =>
      reply(200, await listImports(services, principal.companyId, query)),
  }),
  route({
    method: 'post',
    path: '/api/crm/imports/from-cache',
    id: 'importPushed',
    summary: 'Make contacts of what a CRM has pushed',
    description:
      'By an import that runs at once. Numbers of one record of the CRM become one contact; ' +
      'of contacts that there are, only what is empty is filled.',
    tag,
    access: adminToken,
    answers: { 202: importView },
    refusals: ['conflict'],
    handler: async ({ services, principal }) => replyWith(202, await importPushed(services, principal)),
  }),
  route({
    method: 'get',
    path: '/api/crm/imports/{id}',
    id: 'readImport',
    summary: 'One import, and how far it is',
    tag,
    access: adminToken,
    params: idInPath,
    answers: { 200: importView },
    refusals: ['not_found'],
    handler: async ({ services, principal, params }) =>
      replyWith(200, await readImport(services, principal.companyId, params.id)),
  }),
  route({
    method: 'patch',
    path: '/api/crm/imports/{id}',
    id: 'updateImport',
    summary: 'Say what the columns of an import are',
    description:
      'Before it is run. Each column becomes one field; ' +
      'several columns may be phone numbers, addresses, tags or notes. ' +
      '`phone_label` and `email_label` belong to the number or address to their left, ' +
      'or to their right where the first label stands before all of them.',
    tag,
    access: adminToken,
    params: idInPath,
    headers: changing,
    body: updateImportRequest,
    answers: { 200: importView },
    refusals: ['not_found', 'conflict'],
    handler: async ({ services, principal, params, body, headers }) =>
      replyWith(
        200,
        await updateImport(services, principal.companyId, params.id, body, expectedVersion(headers, body)),
      ),
  }),
  route({
    method: 'delete',
    path: '/api/crm/imports/{id}',
    id: 'removeImport',
    summary: 'Forget an import and its rows',
    description: 'Contacts stay; the import cannot be undone any more.',
    tag,
    access: adminToken,
    params: idInPath,
    answers: { 204: null },
    refusals: ['not_found', 'conflict'],
    handler: async ({ services, principal, params }) =>
      replyWith(204, await removeImport(services, principal.companyId, params.id)),
  }),
  route({
    method: 'get',
    path: '/api/crm/imports/{id}/preview',
    id: 'previewImport',
    summary: 'How the first rows would be read',
    tag,
    access: adminToken,
    share: 'lists',
    params: idInPath,
    answers: { 200: importPreview },
    refusals: ['not_found'],
    handler: async ({ services, principal, params }) =>
      replyWith(200, await previewImport(services, principal.companyId, params.id)),
  }),
  route({
    method: 'post',
    path: '/api/crm/imports/{id}/runs',
    id: 'runImport',
    summary: 'Check or run an import',
    description:
      'In the background, by any gateway; read the import for its progress. ' +
      'A contact is found by its id, else its external id, else a number, else an e-mail address. ' +
      'A number finds the contact of the same name, or where the row or the contact has no name, ' +
      'unless their external ids differ; ' +
      'under another name the row is another person (`created`, remark `number_shared`), ' +
      'and without a name a number of several contacts is refused (`several_contacts`). ' +
      'Of rows of one contact the first counts: later ones add numbers, ' +
      'addresses and a missing name or external id (`updated`, ' +
      'remark `same_as_row`), or are `duplicate`. ' +
      'A cell that cannot be read is left out, with a remark; ' +
      'a row is refused where nothing is left to reach anybody by. ' +
      '`-`, `n/a`, `none`, `NULL` and, except in own fields, notes and tags, `0` are empty. ' +
      'Languages, time zones and owners may be names; dates are read as in the company’s language; ' +
      'several numbers of a cell are separated by `;`, `|`, `,` or `:::`. ' +
      '`dry_run` does the same and writes no contact. A run that was canceled goes on. Sends no webhooks.',
    tag,
    access: adminToken,
    params: idInPath,
    body: runImportRequest,
    answers: { 202: importView },
    refusals: ['not_found', 'conflict'],
    handler: async ({ services, principal, params, body }) =>
      replyWith(202, await beginWork(services, principal.companyId, params.id, body.dry_run ? 'checking' : 'running')),
  }),
  route({
    method: 'post',
    path: '/api/crm/imports/{id}/cancel',
    id: 'cancelImport',
    summary: 'End a check or a run',
    description: 'What is written stays; it can be run on or undone.',
    tag,
    access: adminToken,
    params: idInPath,
    answers: { 200: importView },
    refusals: ['not_found', 'conflict'],
    handler: async ({ services, principal, params }) =>
      replyWith(200, await cancelImport(services, principal.companyId, params.id)),
  }),
  route({
    method: 'post',
    path: '/api/crm/imports/{id}/undo',
    id: 'undoImport',
    summary: 'Take an import back',
    description:
      'Contacts that it made are removed, others get back what they held, ' +
      'where nobody has changed or called them since, or set a task, note or deal for them; ' +
      'the others are left, and listed as `left`.',
    tag,
    access: adminToken,
    params: idInPath,
    answers: { 202: importView },
    refusals: ['not_found', 'conflict'],
    handler: async ({ services, principal, params }) =>
      replyWith(202, await beginWork(services, principal.companyId, params.id, 'undoing')),
  }),
  route({
    method: 'get',
    path: '/api/crm/imports/{id}/rows',
    id: 'listImportRows',
    summary: 'Rows of an import, and what became of each',
    tag,
    access: adminToken,
    share: 'lists',
    params: idInPath,
    query: listRowsQuery,
    answers: { 200: importRowList },
    refusals: ['not_found'],
    handler: async ({ services, principal, params, query }) =>
      replyWith(200, await listRows(services, principal.companyId, params.id, query)),
  }),
  rowsFile('refused', {
    id: 'downloadRefusedRows',
    summary: 'The rows that were refused, as CSV',
    description: 'As they were in the file, with `row` and `reason` before them.',
  }),
  rowsFile('remarks', {
    id: 'downloadRowsWithRemarks',
    summary: 'The rows that came in with remarks, as CSV',
    description:
      'As they were in the file, with `row` and `reason` before them: which cells were left out, and why. ' +
      'Mended and imported again, they fill what is missing.',
  }),
];

/** Rows to mend, as a file. */
function rowsFile(which: 'refused' | 'remarks', about: { id: string; summary: string; description: string }) {
  return route({
    method: 'get',
    path: `/api/crm/imports/{id}/${which}.csv`,
    ...about,
    tag,
    access: adminToken,
    params: idInPath,
    file: csvType,
    answers: { 200: z.string() },
    refusals: ['not_found'],
    handler: async ({ services, principal, params }) => {
      const rows = await rowsToMend(
        services,
        principal.companyId,
        params.id,
        which === 'refused' ? which : 'with_remarks',
      );
      return rows.kind === 'refused' ? rows : replyWithText(200, csvType, rows.value, `${which}.csv`);
    },
  });
}
