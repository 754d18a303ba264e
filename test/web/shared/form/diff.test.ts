import { expect, it } from 'vitest';
import { afterSaving, differences } from '../../../../web/src/shared/form/diff.ts';

const saved = { name: 'A', seconds: 30, rows: [{ code: 'a' }] };

it('takes for a change what differs from what is saved', () => {
  expect(differences({ name: 'A', seconds: 45, rows: [{ code: 'a' }] }, saved)).toEqual({ seconds: 45 });
});

it('forgets what was sent, and keeps what was typed since', () => {
  const sent: Partial<typeof saved> = { name: ' B ', rows: [{ code: 'b' }] };
  const shown = { name: ' B ', rows: [{ code: 'b' }, { code: 'c' }], seconds: 45 };
  const stored = { name: 'B', seconds: 30, rows: [{ code: 'b' }] };
  expect(afterSaving(shown, sent, stored)).toEqual({ name: 'B', rows: [{ code: 'b' }, { code: 'c' }], seconds: 45 });
});
