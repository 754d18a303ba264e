// @vitest-environment happy-dom
import { waitFor } from '@testing-library/react';
import { expect, it, onTestFinished } from 'vitest';
import { useRecentCalls } from '../../../../web/src/features/calls/useRecentCalls.ts';
import { RecentCalls } from '../../../../web/src/features/recents/RecentCalls.tsx';
import { answerRequests } from '../../../support/components/page.tsx';
import { useHook } from '../../../support/components/hook.ts';
import { endPreview, usePreview } from '../../../../web/src/features/preview/previewStore.ts';
import { endedCall, sessionSettings, showInSoftphone } from '../../../support/components/softphone.tsx';

function Recent() {
  return <RecentCalls recent={useRecentCalls()} onWrapUp={() => {}} />;
}

const missed = { count: 0, seen_until: null };
const calls = (...names: string[]) => ({
  status: 200,
  body: {
    ...missed,
    calls: names.map((customer_name, index) => endedCall({ id: String(9 - index), customer_name })),
    next_cursor: null as string | null,
  },
});
const ready = { phone: { state: 'ready' } } as const;
const isList = ({ path }: { path: string }) => path.startsWith('/api/calls');

it('are loaded, or said to be none', async () => {
  const requests = answerRequests(() => calls());
  const page = showInSoftphone(<Recent />, { view: ready });
  expect(page.getByText('Loading…')).toBeTruthy();
  await page.findByText('No calls yet.');
  expect(requests.find(isList)?.path).toMatch(/^\/api\/calls\?agent_id=.*&state=ended&limit=20$/);
});

it('say that they could not be read, and are read again by the button', async () => {
  let times = 0;
  answerRequests((asked) =>
    isList(asked) && (times += 1) === 1
      ? { status: 503, body: { code: 'dependency_unavailable' } }
      : calls('Grace Hopper'),
  );
  const page = showInSoftphone(<Recent />, { view: ready });
  await page.findByText('The recent calls could not be read.');
  await page.user.click(page.getByRole('button', { name: 'Try again' }));
  await page.findByText('Grace Hopper');
  expect(page.queryByText('The recent calls could not be read.')).toBeNull();
});

it('stay to be seen while they are read again, when a call has ended and when the connection is back', async () => {
  let reads = 0;
  answerRequests((asked) =>
    calls(...['Grace Hopper', 'Mary Jackson', 'Ada Lovelace'].slice(0, isList(asked) ? (reads += 1) : 0)),
  );
  const page = showInSoftphone(<Recent />, { view: ready });
  await page.findByText('Grace Hopper');
  page.become({ view: { call: endedCall() as never } });
  expect(page.getByText('Grace Hopper')).toBeTruthy();
  await page.findByText('Mary Jackson');
  page.become({ view: { line: 'reconnecting' } });
  page.become({ view: { line: 'connected' } });
  await page.findByText('Ada Lovelace');
  await waitFor(() => expect(reads).toBe(3));
});

it('are those that fit what is typed or chosen, and are said to be none', async () => {
  const requests = answerRequests(({ path }) => {
    if (path.includes('result=answered')) return calls();
    return calls(path.includes('q=hopper') ? 'Grace Hopper' : 'Ada Lovelace');
  });
  const page = showInSoftphone(<Recent />, { view: ready });
  await page.findByText('Ada Lovelace');
  await page.user.type(page.getByLabelText('Search calls'), 'hopper');
  await page.findByText('Grace Hopper');
  await page.user.click(page.getByRole('button', { name: 'Answered' }));
  await page.findByText('No call fits.');
  expect(requests.filter(isList).at(-1)?.path).toContain('result=answered&q=hopper');
  await page.user.click(page.getByRole('button', { name: 'Clear the search' }));
  await page.user.click(page.getByRole('button', { name: 'All' }));
  await page.findByText('Ada Lovelace');
});

it('go on with a page more, which stays while the first is read anew, each call once', async () => {
  const first = { ...calls('Grace Hopper', 'Mary Jackson').body, next_cursor: '8' };
  const requests = answerRequests(({ path }) => {
    if (path.includes('cursor=8')) {
      return {
        status: 200,
        body: { ...calls('Ada Lovelace').body, calls: [endedCall({ id: '3', customer_name: 'Ada Lovelace' })] },
      };
    }
    return {
      status: 200,
      body:
        requests.filter(isList).length < 3
          ? first
          : {
              ...calls('Katherine Johnson', 'Grace Hopper').body,
              calls: [endedCall({ id: '95', customer_name: 'Katherine Johnson' }), ...first.calls.slice(0, 1)],
            },
    };
  });
  const page = showInSoftphone(<Recent />, { view: ready });
  await page.user.click(await page.findByRole('button', { name: 'Show more' }));
  await page.findByText('Ada Lovelace');
  expect(page.queryByRole('button', { name: 'Show more' })).toBeNull();
  page.become({ view: { call: endedCall() as never } });
  await page.findByText('Katherine Johnson');
  expect(page.getAllByRole('listitem').map((item) => /Katherine|Grace|Mary|Ada/.exec(item.textContent)?.[0])).toEqual([
    'Katherine',
    'Grace',
    'Mary',
    'Ada',
  ]);
});

it('are no more than before when a call has ended: the oldest goes, and can be read again', async () => {
  const all = Array.from({ length: 42 }, (_, index) => endedCall({ id: String(142 - index) }));
  let newest = 2;
  const requests = answerRequests(({ path }) => {
    const cursor = /cursor=(\d+)/.exec(path)?.[1];
    const from = cursor === undefined ? newest : all.findIndex(({ id }) => id === cursor) + 1;
    const page = all.slice(from, from + 20);
    return { status: 200, body: { ...missed, calls: page, next_cursor: page.length < 20 ? null : page.at(-1)?.id } };
  });
  const page = showInSoftphone(<Recent />, { view: ready });
  const isAsLongAs = (count: number) => waitFor(() => expect(page.getAllByRole('listitem')).toHaveLength(count));
  const ends = async (id: string) => {
    newest -= 1;
    const asked = requests.length;
    page.become({ view: { call: endedCall({ id }) as never } });
    await waitFor(() => expect(requests.slice(asked).some(isList)).toBe(true));
  };
  await isAsLongAs(20);
  await ends('141');
  await isAsLongAs(20);
  await page.user.click(page.getByRole('button', { name: 'Show more' }));
  await isAsLongAs(40);
  await ends('142');
  await isAsLongAs(40);
  await page.user.click(page.getByRole('button', { name: 'Show more' }));
  await isAsLongAs(42);
  expect(page.queryByRole('button', { name: 'Show more' })).toBeNull();
});

it('that were missed are counted over devices, told on the icons, and looked at once they are shown', async () => {
  const badges: number[] = [];
  Object.assign(navigator, {
    setAppBadge: async (count: number) => void badges.push(count),
    clearAppBadge: async () => void badges.push(0),
  });
  document.head.innerHTML = '<link rel="icon" href="/icon.svg">';
  onTestFinished(() => void (document.head.innerHTML = ''));
  const icon = () => document.querySelector('link')?.getAttribute('href');
  let count = 2;
  const seen: unknown[] = [];
  answerRequests(({ method, path, body }) => {
    if (method === 'PUT') [count] = [0, seen.push(body)];
    const latest = endedCall({
      id: '9',
      customer_name: 'Grace Hopper',
      direction: 'inbound',
      answered_at: null,
      ended_at: '2026-11-20T10:00:00.000Z',
    });
    return {
      status: 200,
      body: { count, seen_until: null, calls: path.includes('result=missed') ? [latest] : [], next_cursor: null },
    };
  });
  const page = showInSoftphone(<Recent />, { view: ready });
  await page.user.click(await page.findByRole('button', { name: '2 missed' }));
  await page.findByText('Grace Hopper');
  await page.findByRole('button', { name: 'Missed', pressed: true });
  expect([seen, badges, icon()]).toEqual([[{ seen_until: '2026-11-20T10:00:00.000Z' }], [0, 2, 0], '/icon.svg']);
});

it('leave the icons as they were when the agent signs out', async () => {
  const badges: number[] = [];
  Object.assign(navigator, {
    setAppBadge: async (count: number) => void badges.push(count),
    clearAppBadge: async () => void badges.push(0),
  });
  document.head.innerHTML = '<link rel="icon" href="/icon.svg">';
  onTestFinished(() => void (document.head.innerHTML = ''));
  const icon = () => document.querySelector('link')?.getAttribute('href');
  answerRequests(() => ({ status: 200, body: { ...calls().body, count: 3 } }));
  const page = showInSoftphone(<Recent />, { view: ready });
  await page.findByRole('button', { name: '3 missed' });
  // Drawn after the count is shown.
  await waitFor(() => expect(icon()).not.toBe('/icon.svg'));
  page.unmount();
  expect([badges.at(-1), icon()]).toEqual([0, '/icon.svg']);
});

it('are looked at before they are dialed again, where the company wants that', async () => {
  answerRequests(() => calls('Grace Hopper'));
  const page = showInSoftphone(<Recent />, { view: { ...ready, settings: sessionSettings({ preview_dial: true }) } });
  const preview = useHook(() => usePreview(), undefined);
  onTestFinished(endPreview);
  await page.user.click(await page.findByRole('button', { name: 'Dial Grace Hopper again' }));
  expect(preview.result.current.shown).toMatchObject({ kind: 'number', name: 'Grace Hopper' });
  expect(page.failures).toEqual([]);
});
