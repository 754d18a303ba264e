// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import type { ColleagueView } from '../../../../src/contract/colleagues.ts';
import { ColleagueList } from '../../../../web/src/features/colleagues/ColleagueList.tsx';
import { agentView } from '../../../support/gateway/fakeGateway.ts';
import { answerRequests } from '../../../support/components/page.tsx';
import { showInSoftphone } from '../../../support/components/softphone.tsx';
import { eventually } from '../../../support/time/waiting.ts';

const colleague = (changes: Partial<ColleagueView>): ColleagueView => ({
  id: changes.name ?? '',
  name: 'Somebody',
  agent_code: 'x1',
  state: 'offline',
  since: null,
  extension: null,
  ...changes,
});

/** The list, before a gateway that has these people. */
function list(people: ColleagueView[], { teams = [] as object[], status = 200 } = {}) {
  const requests = answerRequests(({ path }) => {
    if (path.startsWith('/api/teams')) return { status: 200, body: { teams } };
    return status === 200
      ? { status, body: { colleagues: people } }
      : { status, body: { code: 'dependency_unavailable' } };
  });
  const page = showInSoftphone(<ColleagueList />, {});
  const asked = () =>
    requests
      .map(({ path }) => path)
      .filter((path) => path.startsWith('/api/colleagues'))
      .at(-1);
  return { page, asked };
}

it('shows colleagues in the order of the gateway, with what they are doing for how long, and oneself not', async () => {
  const { page } = list([
    colleague({
      name: 'Grace Hopper',
      state: 'ready',
      since: new Date(Date.now() - 65_000).toISOString(),
      extension: '1001',
    }),
    colleague({ name: 'Myself', id: agentView().agent_id, state: 'ready' }),
    colleague({ name: 'Ada Lovelace', state: 'on_call', since: new Date(Date.now() - 3_700_000).toISOString() }),
    colleague({ name: 'Alan Turing', state: null }),
  ]);
  await page.findByText('Grace Hopper');
  const lines = page.getAllByRole('listitem').map(({ textContent }) => textContent);
  expect(lines).toEqual([
    expect.stringMatching(/^Grace Hopper1001Ready1:\d\d$/),
    expect.stringMatching(/^Ada Lovelacex1On call1:0\d:\d\d$/),
    'Alan Turingx1Not known',
  ]);
});

it('asks for what is typed, for a team, and for those who are Ready alone', async () => {
  const { page, asked } = list([colleague({ name: 'Grace Hopper' })], {
    teams: [{ id: 't', code: 'sales', name: 'Sales' }],
  });
  await page.findByText('Grace Hopper');
  expect(asked()).toBe('/api/colleagues?q=&limit=50');
  await page.user.type(page.getByRole('searchbox', { name: 'Find colleagues' }), ' gra');
  await eventually(() => expect(asked()).toBe('/api/colleagues?q=gra&limit=50'));
  await page.user.click(page.getByRole('combobox', { name: 'Team' }));
  await page.user.click(await page.findByRole('option', { name: 'Sales' }));
  await page.user.click(page.getByRole('combobox', { name: 'Show' }));
  await page.user.click(await page.findByRole('option', { name: 'Ready only' }));
  await eventually(() => expect(asked()).toBe('/api/colleagues?q=gra&limit=50&team_code=sales&state=ready'));
});

it('says that nobody was found, and why it cannot tell', async () => {
  const { page } = list([]);
  await page.findByText('Nobody found.');
  page.unmount();
  expect((await list([], { status: 503 }).page.findByRole('alert')).textContent).not.toBe('');
});
