// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import type { ImportView } from '../../../../../src/contract/imports.ts';
import { ImportPanel } from '../../../../../web/src/features/admin/imports/ImportPanel.tsx';
import { showInConsole } from '../../../../support/components/console.tsx';
import { answerRequests } from '../../../../support/components/page.tsx';

const none = { created: 0, updated: 0, unchanged: 0, refused: 0, duplicate: 0, undone: 0, left: 0, with_remarks: 0 };
const one = {
  id: 'an import',
  state: 'done',
  source: 'file',
  file_name: 'list.csv',
  delimiter: ',',
  encoding: 'utf-8',
  encodings: [],
  has_header: true,
  header_row: 1,
  default_country: null,
  columns: ['phone'],
  mapping: [],
  rows: 502,
  done: 502,
  counts: { ...none, created: 502 },
  failed_work: null,
  version: 4,
  created_at: '2026-11-02T08:30:00.000Z',
  updated_at: '2026-11-02T08:30:00.000Z',
  finished_at: null,
} satisfies ImportView;

function panel(changes: Partial<ImportView>) {
  answerRequests(({ path }) => ({
    status: 200,
    body: path.includes('/rows') ? { rows: [], next_after: null } : { ...one, ...changes },
  }));
  return showInConsole(<ImportPanel id={one.id} onReread={undefined} onClose={() => {}} />);
}

it('tells that an import could not be undone, how far it came, and offers to go on', async () => {
  const page = panel({ failed_work: 'undoing', counts: { ...one.counts, undone: 500 } });
  expect((await page.findByRole('alert')).textContent).toMatch(/^The undoing failed several times/);
  expect(page.getByRole('list', { name: 'What was taken back' }).textContent).toContain('500');
  page.getByRole('button', { name: 'Undo' });
});

it('says nothing of the kind of one that was done', async () => {
  const page = panel({});
  await page.findByText('list.csv');
  expect(page.queryByRole('alert')).toBeNull();
});
