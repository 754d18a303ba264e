import { contactId } from './story.ts';

const id = '01a1fe01-7a40-7c11-8b62-6d0e2f9a1c33';
const made = '2026-11-02T08:30:00.000Z';
const none = { created: 0, updated: 0, unchanged: 0, refused: 0, duplicate: 0, undone: 0, left: 0, with_remarks: 0 };

const ready = {
  id,
  state: 'ready',
  source: 'file',
  file_name: 'contacts.csv',
  delimiter: ',',
  encoding: 'utf-8',
  encodings: [],
  has_header: true,
  header_row: 1,
  default_country: null,
  columns: ['Name', 'Mobile phone'],
  mapping: [
    { column: 0, field: 'name', mode: 'fill', label: null },
    { column: 1, field: 'phone', mode: 'fill', label: 'mobile' },
  ],
  rows: 2,
  done: 0,
  counts: none,
  failed_work: null,
  version: 2,
  created_at: made,
  updated_at: made,
  finished_at: null,
};
const done = {
  ...ready,
  state: 'done',
  done: 2,
  counts: { ...none, created: 1, refused: 1 },
  version: 4,
  finished_at: made,
};
const reason = {
  column: 1,
  message: 'The phone number cannot be read: it has no digits.',
  code: 'phone_without_digits',
};
const good = { row: 2, cells: ['Grace Hopper', '+12025550142'], outcome: 'created', reason: null, remarks: [] };
const bad = { row: 3, cells: ['Nobody', 'none'], outcome: 'refused', reason, remarks: [], contact_id: null };

/** Imports of contacts. */
export const importExamples = {
  uploadImport: { answer: ready },
  listImports: { answer: { imports: [done], next_cursor: null } },
  importPushed: { answer: { ...ready, state: 'running', source: 'cache', file_name: 'CRM', version: 3 } },
  readImport: { answer: done },
  updateImport: {
    body: { mapping: [{ column: 1, field: 'phone', mode: 'overwrite', label: 'mobile' }], default_country: 'US' },
    answer: {
      ...ready,
      default_country: 'US',
      mapping: [{ column: 1, field: 'phone', mode: 'overwrite', label: 'mobile' }],
      version: 3,
    },
  },
  previewImport: {
    answer: {
      rows: [
        { ...good, contact_id: null, values: { name: 'Grace Hopper', phones: '+12025550142 (mobile)' } },
        { ...bad, values: {} },
      ],
    },
  },
  runImport: { body: { dry_run: true }, answer: { ...ready, state: 'checking', version: 3 } },
  cancelImport: { answer: { ...ready, state: 'canceled', done: 1, counts: { ...none, created: 1 }, version: 4 } },
  undoImport: { answer: { ...done, state: 'undoing', done: 0, version: 5, finished_at: null } },
  downloadRefusedRows: { answer: 'row,reason,Name,Mobile phone\r\n3,Mobile phone: it has no digits,Nobody,none\r\n' },
  downloadRowsWithRemarks: {
    answer:
      'row,reason,Name,Mobile phone,Language\r\n' +
      '4,Language: must be a language such as ""de"" or ""pt-BR"",Ada,\'+12025550143,klingon\r\n',
  },
  exportContacts: {
    answer:
      'id,external id,name,phone,phone label\r\n' +
      "01a1f7c2-6a10-7d20-8f61-5b1e2c3d4f51,C-1001,Grace Hopper,'+12025550142,mobile\r\n",
  },
  exportCalls: {
    answer:
      'id,created_at,direction,state,phone\r\n' +
      "01a1fd9b-3a11-7c02-9b1d-2f6e8a7c4d11,2026-11-02T08:30:00.000Z,outbound,ended,'+12025550142\r\n",
  },
  exportDeals: {
    answer:
      'id,name,pipeline,stage,outcome,probability,value,currency\r\n' +
      '01a1fd9b-3a11-7c02-9b1d-2f6e8a7c4d61,50 licences,Sales,Offer sent,open,40,12500.5,EUR\r\n',
  },
  listImportRows: { answer: { rows: [{ ...good, contact_id: contactId }, bad], next_after: null } },
};
