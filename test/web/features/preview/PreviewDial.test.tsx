// @vitest-environment happy-dom
import { act } from '@testing-library/react';
import { expect, it, onTestFinished } from 'vitest';
import { defaultSkipReasons } from '../../../../src/contract/vocabulary.ts';
import type { TaskView } from '../../../../src/contract/tasks.ts';
import { PreviewDial } from '../../../../web/src/features/preview/PreviewDial.tsx';
import { endPreview, openPreview } from '../../../../web/src/features/preview/previewStore.ts';
import { answerRequests, type AskedRequest } from '../../../support/components/page.tsx';
import { sessionSettings, showInSoftphone } from '../../../support/components/softphone.tsx';
import { eventually } from '../../../support/time/waiting.ts';

function taskOf(id: string, name: string, changes: Partial<TaskView> = {}): TaskView {
  const task = {
    id,
    kind: 'callback',
    title: name,
    notes: `Notes of ${name}`,
    contact: null,
    phone_number: `+1555123000${id}`,
    assignee: { id: 'me', name: 'Me' },
    state: 'open',
    skips: [],
    version: 3,
  };
  return { ...task, ...changes } as TaskView;
}

const [grace, ada, mary] = [taskOf('1', 'Grace Hopper'), taskOf('2', 'Ada Lovelace'), taskOf('3', 'Mary Jackson')];

/** The first of some tasks, looked at. */
function preview(
  queue: TaskView[],
  {
    answer = () => null,
    first = grace,
    agent = {},
  }: {
    answer?: (asked: AskedRequest) => { status: number; body: object } | null;
    first?: TaskView;
    agent?: object;
  } = {},
) {
  const requests = answerRequests((asked) => {
    const own = answer(asked);
    if (own !== null) return own;
    const found = [grace, ada, mary].find(({ id }) => asked.path.endsWith(`/tasks/${id}`));
    return {
      status: 200,
      body: found ?? { found: 'true', screen_pop: { name: 'Grace Hopper', crm: { plan: 'Gold plan' } } },
    };
  });
  const dialed: string[] = [];
  const settings = sessionSettings({ preview_dial: true, skip_reasons: [...defaultSkipReasons] });
  openPreview({ kind: 'task', task: first }, queue);
  onTestFinished(() => act(endPreview));
  const page = showInSoftphone(<PreviewDial />, {
    workplace: { dial: async (number) => (dialed.push(number), {} as never) },
    view: { phone: { state: 'ready' }, settings },
    agent: { state: 'not_ready', ...agent },
  });
  return { page, dialed, requests };
}

it('shows what is to be done and what is known, and dials', async () => {
  const skips = [
    {
      at: '2026-11-20T10:00:00.000Z',
      by: { id: 'a', name: 'Jean' },
      code: 'not_now',
      label: 'Not now',
      notes: 'Office closed',
    },
  ];
  const { page, dialed } = preview([], { first: { ...grace, skips } });
  await page.findByText('Gold plan');
  expect(page.getByText('Notes of Grace Hopper')).toBeTruthy();
  expect(page.getByText(/: skipped by Jean: Not now: Office closed$/)).toBeTruthy();
  expect(page.getByText('This is the last one.')).toBeTruthy();
  await page.user.click(page.getByRole('button', { name: /^Dial/ }));
  await eventually(() => expect(dialed).toEqual(['+15551230001']));
  expect(page.queryByRole('region', { name: 'Before the call' })).toBeNull();
});

it('is skipped with a reason, and shows the next that is still to be called', async () => {
  const done = ({ path }: AskedRequest) =>
    path.endsWith('/tasks/2') ? { status: 404, body: { code: 'not_found' } } : null;
  const { page, requests, dialed } = preview([ada, mary], { answer: done });
  await page.user.click(page.getByRole('button', { name: 'Skip' }));
  expect(page.getByLabelText(/^Not now · Due again in 1 hour/)).toHaveProperty('checked', true);
  await page.user.click(page.getByLabelText(/^Settled already · It is not to be made any more/));
  await page.user.type(page.getByLabelText('Notes'), ' Paid yesterday ');
  await page.user.click(page.getByRole('button', { name: 'Skip this call' }));
  await page.findByText('Call back Mary Jackson');
  expect(requests.find(({ method }) => method === 'POST')).toMatchObject({
    path: '/api/crm/tasks/1/skip',
    body: { reason: 'settled', notes: 'Paid yesterday', version: 3 },
  });
  expect(dialed).toEqual([]);
});

it('says why it could not be skipped, and stays', async () => {
  const changed = ({ method }: AskedRequest) =>
    method === 'POST'
      ? { status: 409, body: { code: 'conflict', cause: { code: 'changed_meanwhile', params: { version: 4 } } } }
      : null;
  const { page } = preview([ada], { answer: changed });
  await page.user.click(page.getByRole('button', { name: 'Skip' }));
  await page.user.click(page.getByRole('button', { name: 'Skip this call' }));
  await eventually(() => expect(page.failures).toHaveLength(1));
  expect(page.getByText('Call back Grace Hopper')).toBeTruthy();
});

it('waits while the agent is on the call, and then offers who comes next', async () => {
  const { page } = preview([ada]);
  await page.user.click(page.getByRole('button', { name: /^Dial/ }));
  await page.findByText('Next: Call back Ada Lovelace');
  page.become({ agent: { state: 'wrap_up' } });
  expect(page.queryByText('Next: Call back Ada Lovelace')).toBeNull();
  page.become({ agent: { state: 'not_ready' } });
  await page.user.click(page.getByRole('button', { name: 'Preview: Call back Ada Lovelace' }));
  await page.findByText('Notes of Ada Lovelace');
  await page.user.click(page.getByRole('button', { name: 'Close' }));
  expect(page.queryByRole('region')).toBeNull();
});
