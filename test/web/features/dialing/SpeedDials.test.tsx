// @vitest-environment happy-dom
import { fireEvent, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { SpeedDials as Lists } from '../../../../src/contract/dialing.ts';
import { SpeedDials } from '../../../../web/src/features/dialing/SpeedDials.tsx';
import { refused } from '../../../support/components/console.tsx';
import { answerRequests, type AskedRequest } from '../../../support/components/page.tsx';
import { showInSoftphone } from '../../../support/components/softphone.tsx';
import { eventually } from '../../../support/time/waiting.ts';

const stored: Lists = {
  own: [
    { name: 'Grace', phone_number: '+15551230001' },
    { name: 'Ada', phone_number: '+15551230002' },
  ],
  shared: [{ name: 'Help desk', phone_number: '+15551239999' }],
  version: 4,
};

/** The list, and a gateway that keeps what is saved. */
function speedDials(
  answer: (asked: AskedRequest) => { status: number; body: object } | null = () => null,
  first = stored,
) {
  let kept = first;
  const saved: unknown[] = [];
  answerRequests((asked) => {
    const own = asked.method === 'PUT' ? answer(asked) : null;
    if (asked.method === 'PUT') saved.push(asked.body);
    if (own !== null) return own;
    if (asked.method === 'PUT')
      kept = { ...kept, own: (asked.body as { entries: Lists['own'] }).entries, version: kept.version + 1 };
    return { status: 200, body: kept };
  });
  const dialed: string[] = [];
  const page = showInSoftphone(<SpeedDials />, {
    workplace: { dial: async (number) => (dialed.push(number), {} as never) },
    view: { phone: { state: 'ready' } },
  });
  const edit = async () => page.user.click(await page.findByRole('button', { name: 'Change speed dials' }));
  const names = () => page.getAllByLabelText(/^Name \d/).map((field) => (field as HTMLInputElement).value);
  return { page, dialed, saved, edit, names };
}

it('dial by one press, those of the company too', async () => {
  const { page, dialed } = speedDials();
  await page.user.click(await page.findByRole('button', { name: /^Dial \u2068Grace\u2069/ }));
  await page.user.click(page.getByRole('button', { name: /Help desk\u2069, of the company/ }));
  expect(dialed).toEqual(['+15551230001', '+15551239999']);
});

it('are put in another order by the buttons of a row, added and removed, and saved as a whole', async () => {
  const { page, saved, edit, names } = speedDials();
  await edit();
  await page.user.click(page.getByRole('button', { name: 'Move Ada up' }));
  expect(names()).toEqual(['Ada', 'Grace']);
  expect(page.getByText('Ada is at place 1 now.')).toBeTruthy();
  await page.user.click(page.getByRole('button', { name: 'Remove Grace' }));
  await page.user.click(page.getByRole('button', { name: 'Add' }));
  await page.user.type(page.getByLabelText('Name 2'), 'Mary');
  await page.user.click(page.getByLabelText('Phone number 2'));
  await page.user.paste('Tel. 0151/234567');
  await page.user.click(page.getByRole('button', { name: 'Save' }));
  await eventually(() => expect(page.queryByRole('button', { name: 'Save' })).toBeNull());
  expect(saved).toEqual([
    {
      entries: [
        { name: 'Ada', phone_number: '+15551230002' },
        { name: 'Mary', phone_number: '0151/234567' },
      ],
      version: 4,
    },
  ]);
  expect(within(page.getByRole('list', { name: 'Speed dial' })).getAllByRole('button')).toHaveLength(3);
});

it('are put in another order by drag', async () => {
  const { page, edit, names } = speedDials();
  await edit();
  const dataTransfer = { effectAllowed: '' };
  const [first] = page.getAllByTitle('Drag to another place');
  const rows = within(page.getByRole('form', { name: 'Change speed dials' })).getAllByRole('listitem');
  fireEvent.dragStart(first!, { dataTransfer });
  fireEvent.dragOver(rows[1]!, { dataTransfer });
  fireEvent.dragEnd(first!, { dataTransfer });
  expect(names()).toEqual(['Ada', 'Grace']);
});

it('say at the field what is no number, also behind a row that was left empty', async () => {
  const fault = refused({ 'entries[1].phone_number': 'is no phone number' });
  const { page, edit } = speedDials(() => fault, { ...stored, own: [stored.own[0]!] });
  await edit();
  const add = page.getByRole('button', { name: 'Add' });
  await page.user.click(add);
  await page.user.click(add);
  await page.user.type(page.getByLabelText('Name 3'), 'Nobody');
  await page.user.type(page.getByLabelText('Phone number 3'), 'none');
  await page.user.click(page.getByRole('button', { name: 'Save' }));
  await page.findByText('Is no phone number.');
  expect(page.getByLabelText('Phone number 3').getAttribute('aria-invalid')).toBe('true');
  expect(page.getByLabelText('Phone number 2').getAttribute('aria-invalid')).not.toBe('true');
});

it('say what they are for where there are none', async () => {
  const { page } = speedDials(() => null, { own: [], shared: [], version: 0 });
  await page.findByText(/^Keep numbers that you dial often here/);
});
