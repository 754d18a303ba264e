// @vitest-environment happy-dom
import { fireEvent } from '@testing-library/react';
import { expect, it } from 'vitest';
import { RecoverDialog } from '../../../../../web/src/features/admin/deliveries/DeliveriesPage.tsx';
import { refused, showInConsole, storeBehind } from '../../../../support/components/console.tsx';

it('sends again what was given up since a time, by this computer’s clock, and says at the field why not', async () => {
  const gateway = storeBehind({});
  const closed: string[] = [];
  const page = showInConsole(<RecoverDialog isOpen onClose={() => closed.push('closed')} />);
  const since = (await page.findByLabelText(/^Since/)) as HTMLInputElement;
  expect(Date.now() - new Date(since.value).getTime()).toBeLessThan(25 * 3_600_000);
  fireEvent.change(since, { target: { value: '2026-03-02T09:00:00' } });
  gateway.next(() => refused({ since: 'is before anything is kept' }));
  await page.user.click(page.getByRole('button', { name: 'Send again' }));
  await page.findByText('Is before anything is kept.');
  expect(page.queryByRole('alert')).toBeNull();
  gateway.next(() => ({ status: 200, body: { redelivering: 2 } }));
  await page.user.click(page.getByRole('button', { name: 'Send again' }));
  await page.findByText('2 deliveries are sent again.');
  expect(closed).toEqual(['closed']);
  expect(gateway.changes.at(-1)).toEqual({ since: new Date('2026-03-02T09:00:00').toISOString() });
});
