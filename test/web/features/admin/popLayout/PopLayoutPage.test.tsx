// @vitest-environment happy-dom
import { fireEvent, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { PopField, PopLayout } from '../../../../../src/contract/popLayout.ts';
import { PopLayoutPage } from '../../../../../web/src/features/admin/popLayout/PopLayoutPage.tsx';
import { showInConsole } from '../../../../support/components/console.tsx';
import { answerRequests } from '../../../../support/components/page.tsx';
import { endedCall } from '../../../../support/components/softphone.tsx';

const grace = '+14155552671';
const call = endedCall({ phone: grace });
const crm = { plan: 'pro', renewal: '2026-12-18', score: 7, orders: [{ total: 10 }, { total: 20 }] };
const layoutOf = (fields: PopField[], version = 3): PopLayout => ({
  version,
  fields,
  contact_fields: [],
  updated_at: null,
});

/** A gateway with a call whose customer has popped, another customer, and a layout, which changes as it is saved. */
function show(fields: PopField[] = []) {
  const gateway = { layout: layoutOf(fields), saved: [] as unknown[], refusesNext: null as PopLayout | null };
  answerRequests(({ method, path, body }) => {
    const { pathname, searchParams } = new URL(path, 'http://gateway');
    if (pathname === '/api/calls') return { status: 200, body: { calls: [call], agents: [], next_cursor: null } };
    if (pathname.startsWith('/api/calls/'))
      return { status: 200, body: { ...call, metadata: null, screen_pop: { name: 'Grace Hopper', crm } } };
    if (pathname.endsWith('/lookup')) {
      if (searchParams.get('phone') !== '+4930123456')
        return { status: 404, body: { code: 'unknown_phone', found: false, screen_pop: null } };
      return { status: 200, body: { found: true, screen_pop: { name: 'Ada Byron', crm: { shoe_size: 41 } } } };
    }
    if (method === 'GET') return { status: 200, body: gateway.layout };
    gateway.saved.push(body);
    if (gateway.refusesNext !== null) {
      gateway.layout = gateway.refusesNext;
      gateway.refusesNext = null;
      return {
        status: 409,
        body: { code: 'conflict', cause: { code: 'changed_meanwhile', params: { version: gateway.layout.version } } },
      };
    }
    gateway.layout = layoutOf((body as { fields: PopField[] }).fields, gateway.layout.version + 1);
    return { status: 200, body: gateway.layout };
  });
  return { gateway, page: showInConsole(<PopLayoutPage />) };
}

type Page = ReturnType<typeof show>['page'];
const preview = (page: Page) => within(page.getByTestId('customer-card'));
/** Names of the fields that the card shows, in their order. */
const onCard = (page: Page) =>
  Array.from(page.getByTestId('customer-card').querySelectorAll('dt'), (name) => name.textContent);
const rows = (page: Page) =>
  Array.from(page.container.querySelectorAll<HTMLElement>('[data-key]'), (row) => row.dataset['key']);

it('shows the customer of the latest call as agents see them, and takes fields over into the list', async () => {
  const { page, gateway } = show();
  await page.findByText('pro');
  expect(preview(page).getByRole('heading', { name: 'Grace Hopper' })).toBeTruthy();
  expect(onCard(page)).toEqual(['Plan', 'Renewal', 'Score', 'Orders › 1 › Total', 'Orders › 2 › Total']);
  await page.user.click(page.getByRole('button', { name: 'Add Orders › 1 › Total' }));
  await page.user.click(page.getByRole('button', { name: 'Add Score' }));
  expect(rows(page)).toEqual(['orders.*.total', 'score']);
  await page.user.click(page.getByRole('textbox', { name: 'Label of Score' }));
  await page.user.paste('Points');
  await page.user.click(page.getByRole('button', { name: /^Pin Points/ }));
  expect(onCard(page)).toEqual(['Points', 'Orders › 1 › Total', 'Orders › 2 › Total', 'Plan', 'Renewal']);
  await page.user.click(page.getByRole('button', { name: 'Save' }));
  await page.findByText('Saved. Open softphones show it now.');
  expect(gateway.saved).toEqual([
    { version: 3, fields: [{ key: 'orders.*.total' }, { key: 'score', label: 'Points', pinned: true }] },
  ]);
});

it('moves a field by keyboard, tells where it is, and leaves it by Escape', async () => {
  const { page } = show([{ key: 'plan' }, { key: 'renewal' }, { key: 'score' }]);
  await page.findByText('pro');
  const said = page.getByTestId('layout-announcement');
  page.getByRole('button', { name: 'Move Plan' }).focus();
  await page.user.keyboard(' ');
  expect(said.textContent).toBe('Plan picked up, position 1 of 3.');
  await page.user.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}');
  expect(said.textContent).toBe('Position 3 of 3.');
  await page.user.keyboard(' ');
  expect([rows(page), said.textContent, document.activeElement?.getAttribute('aria-label')]).toEqual([
    ['renewal', 'score', 'plan'],
    'Plan is at position 3 of 3.',
    'Move Plan',
  ]);
  expect(onCard(page).slice(0, 3)).toEqual(['Renewal', 'Score', 'Plan']);
  await page.user.keyboard(' {ArrowUp}{Escape}');
  expect([rows(page), said.textContent]).toEqual([['renewal', 'score', 'plan'], 'Plan stays where it was.']);
  // Left by Tab, it is let go of.
  await page.user.keyboard(' {ArrowUp}');
  await page.user.tab();
  expect([rows(page), page.container.querySelectorAll('[data-held], [data-over]').length]).toEqual([
    ['renewal', 'score', 'plan'],
    0,
  ]);
});

it('hides fields, writes them in a format, and takes any other by its key once', async () => {
  const { page, gateway } = show([{ key: 'plan' }]);
  await page.findByText('pro');
  await page.user.click(page.getByRole('button', { name: 'Hide Plan' }));
  expect(onCard(page)).not.toContain('Plan');
  const another = page.getByRole('textbox', { name: 'Another field' });
  await page.user.type(another, 'plan{Enter}');
  expect(page.getByText('This field is listed already.')).toBeTruthy();
  await page.user.clear(another);
  await page.user.type(another, 'account.revenue{Enter}');
  expect(rows(page)).toEqual(['plan', 'account.revenue']);
  await page.user.selectOptions(page.getByRole('combobox', { name: 'Format of Account › Revenue' }), 'Money');
  await page.user.click(page.getByRole('combobox', { name: 'Currency of Account › Revenue' }));
  await page.user.click(await page.findByText('plan', { selector: '[role=option] *' }));
  await page.user.click(page.getByRole('button', { name: 'Save' }));
  await page.findByText('Saved. Open softphones show it now.');
  expect(gateway.saved).toEqual([
    {
      version: 3,
      fields: [
        { key: 'plan', hidden: true },
        { key: 'account.revenue', format: 'money', currency_key: 'plan' },
      ],
    },
  ]);
});

it('shows whoever has a number, and says that nobody is known', async () => {
  const { page } = show();
  await page.findByText('pro');
  const number = page.getByLabelText('Or a phone number');
  await page.user.type(number, '+4930123456{Enter}');
  await page.findByText('41');
  expect(onCard(page)).toEqual(['Shoe size']);
  expect(page.getByRole('button', { name: 'Add Shoe size' })).toBeTruthy();
  await page.user.clear(number);
  await page.user.type(number, '+49301{Enter}');
  await page.findByText('Nothing is known about this number.');
});

it('lets the admin choose, where somebody else has saved another arrangement meanwhile', async () => {
  for (const choice of ['Show what they saved', 'Save mine instead']) {
    const { page, gateway } = show([{ key: 'plan' }]);
    await page.findByText('pro');
    gateway.refusesNext = layoutOf([{ key: 'renewal', pinned: true }], 9);
    await page.user.click(page.getByRole('button', { name: 'Add Score' }));
    await page.user.click(page.getByRole('button', { name: 'Save' }));
    await page.findByText('Somebody else has saved another arrangement meanwhile');
    expect(rows(page)).toEqual(['plan', 'score']);
    await page.user.click(page.getByRole('button', { name: choice }));
    if (choice === 'Show what they saved') {
      expect([rows(page), gateway.saved.length]).toEqual([['renewal'], 1]);
    } else {
      await page.findByText('Saved. Open softphones show it now.');
      expect(gateway.saved[1]).toEqual({ version: 9, fields: [{ key: 'plan' }, { key: 'score' }] });
    }
    expect(page.queryByText('Somebody else has saved another arrangement meanwhile')).toBeNull();
    page.unmount();
  }
});

it('asks before what is not saved is left', async () => {
  const { page } = show([{ key: 'plan' }]);
  await page.findByText('pro');
  fireEvent.click(page.getByRole('button', { name: 'Remove Plan from the list' }));
  await page.leave();
  expect(await page.findByRole('dialog')).toBeTruthy();
});
