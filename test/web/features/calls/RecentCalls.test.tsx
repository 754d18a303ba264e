// @vitest-environment happy-dom
import { waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { RecentCalls, useRecentCalls } from '../../../../web/src/features/calls/RecentCalls.tsx';
import { answerRequests } from '../../../support/components/page.tsx';
import { endedCall, showInSoftphone } from '../../../support/components/softphone.tsx';

function Recent() {
  return <RecentCalls recent={useRecentCalls()} onWrapUp={() => {}} />;
}

const calls = (...names: string[]) => ({ status: 200, body: { calls: names.map((customer_name, index) => endedCall({ id: String(index), customer_name })) } });
const ready = { phone: { state: 'ready' } } as const;

it('are loaded, or said to be none', async () => {
  const requests = answerRequests(() => calls());
  const page = showInSoftphone(<Recent />, { view: ready });
  expect(page.getByText('Loading…')).toBeTruthy();
  await page.findByText('No calls yet.');
  expect(requests[0]?.path).toMatch(/^\/api\/calls\?agent_id=.*&state=ended&limit=20$/);
});

it('say that they could not be read, and are read again by the button', async () => {
  let times = 0;
  answerRequests(() => ((times += 1) === 1 ? { status: 503, body: { code: 'dependency_unavailable' } } : calls('Grace Hopper')));
  const page = showInSoftphone(<Recent />, { view: ready });
  await page.findByText('The recent calls could not be read.');
  await page.user.click(page.getByRole('button', { name: 'Try again' }));
  await page.findByText('Grace Hopper');
  expect(page.queryByText('The recent calls could not be read.')).toBeNull();
});

it('stay to be seen while they are read again, when a call has ended and when the connection is back', async () => {
  const requests = answerRequests(() => calls(...['Grace Hopper', 'Mary Jackson', 'Ada Lovelace'].slice(0, requests.length)));
  const page = showInSoftphone(<Recent />, { view: ready });
  await page.findByText('Grace Hopper');
  page.become({ view: { call: endedCall() as never } });
  expect(page.getByText('Grace Hopper')).toBeTruthy();
  await page.findByText('Mary Jackson');
  page.become({ view: { line: 'reconnecting' } });
  page.become({ view: { line: 'connected' } });
  await page.findByText('Ada Lovelace');
  await waitFor(() => expect(requests).toHaveLength(3));
});
