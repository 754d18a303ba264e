// @vitest-environment happy-dom
import { fireEvent } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { expect, it } from 'vitest';
import { NewTaskForm } from '../../../../web/src/features/tasks/NewTaskForm.tsx';
import { bodyOf, emptyTask, type TaskValues } from '../../../../web/src/features/tasks/taskForm.ts';
import { answerRequests } from '../../../support/components/page.tsx';
import { showInSoftphone } from '../../../support/components/softphone.tsx';

const contact = { id: 'grace', name: 'Grace Hopper' };
const phones = [
  { phone_number: '+493012000001', label: 'work', primary: false },
  { phone_number: '+493012000002', label: null, primary: true },
];

function form(given: Parameters<typeof emptyTask>[0]) {
  answerRequests(() => ({ status: 200, body: { ...contact, phones, emails: [] } }));
  const saved: TaskValues[] = [];
  const router = createMemoryRouter([
    {
      path: '/',
      element: (
        <NewTaskForm
          initial={emptyTask(given)}
          error={null}
          isSaving={false}
          onSave={(values) => void saved.push(values)}
          onCancel={() => {}}
        />
      ),
    },
  ]);
  const page = showInSoftphone(<RouterProvider router={router} />, {});
  return {
    page,
    saved,
    save: () => page.user.click(page.getByText('Set').closest('button')!),
    /** As the browser's picker does. */
    at: (value: string) => void fireEvent.change(page.getByLabelText(/^When/), { target: { value } }),
  };
}

it('sets no callback without a time that is to come, and none of nobody', async () => {
  const { page, saved, save, at } = form({ contact: null, assignee: 'me' });
  await save();
  await page.findByText('Choose a contact or enter a number.');
  fireEvent.change(page.getByLabelText('Number to call'), { target: { value: '030 12000001' } });
  at('2020-01-01T10:00');
  await save();
  await page.findByText('The time to call back must be in the future.');
  expect(saved).toEqual([]);
  at('2099-01-01T10:00');
  await save();
  expect(saved.map(bodyOf)).toMatchObject([
    {
      kind: 'callback',
      phone_number: '030 12000001',
      due_at: new Date('2099-01-01T10:00').toISOString(),
      assignee_id: 'me',
    },
  ]);
});

it('calls a contact at the primary number unless another is chosen', async () => {
  const { page, saved, save, at } = form({ contact, assignee: '' });
  const number = (await page.findByDisplayValue('+49 30 12000002')) as HTMLInputElement;
  at('2099-01-01T10:00');
  await save();
  await page.user.click(number);
  await page.user.click(await page.findByRole('option', { name: '+49 30 12000001 · work' }));
  await save();
  const [primary, work] = saved.map(bodyOf);
  expect(primary).toMatchObject({ contact_id: 'grace', assignee_id: null });
  expect(primary).not.toHaveProperty('phone_number');
  expect(work).toMatchObject({ contact_id: 'grace', phone_number: '+493012000001' });
});

it('asks of a task what is to be done, and calls nobody for it', async () => {
  const { page, saved, save, at } = form({ contact, assignee: 'me' });
  await page.user.click(page.getByText('Task'));
  expect(page.queryByLabelText('Number to call')).toBeNull();
  at('2099-01-01T10:00');
  await save();
  await page.findByText('Say what is to be done.');
  fireEvent.change(page.getByLabelText(/^What is to be done/), { target: { value: 'Send the offer' } });
  await save();
  expect(saved.map(bodyOf)).toMatchObject([{ kind: 'task', title: 'Send the offer', contact_id: 'grace' }]);
});
