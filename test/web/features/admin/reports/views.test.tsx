// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import type { ReportViewView } from '../../../../../src/contract/reportViews.ts';
import { ReportSchedule } from '../../../../../web/src/features/admin/reports/ReportSchedule.tsx';
import { filterOfView, type ReportFilter } from '../../../../../web/src/features/admin/reports/reportQueries.ts';
import { ViewBar } from '../../../../../web/src/features/admin/reports/ViewBar.tsx';
import { showInConsole } from '../../../../support/components/console.tsx';
import { answerRequests, type AskedRequest } from '../../../../support/components/page.tsx';
import { eventually } from '../../../../support/time/waiting.ts';

const at = '2026-11-21T10:20:00.000Z';
const view = (more: Partial<ReportViewView> = {}): ReportViewView => ({
  id: 'v1',
  name: 'Yesterday',
  shared: true,
  filter: { range: 'yesterday', group_by: 'agent' },
  owner: { id: 'somebody', name: 'Ada' },
  schedule: null,
  version: 3,
  created_at: at,
  updated_at: at,
  ...more,
});
const filter: ReportFilter = {
  range: 'own',
  since: '2026-11-01T00:00:00.000Z',
  until: '',
  group_by: 'hour',
  team_id: 't1',
};
const problem = (code: string, status = 409) => ({
  status,
  body: { code: 'conflict', detail: 'No.', cause: { code } },
});

/** A gateway with these views; changes are answered by turns. */
function gatewayWith(views: ReportViewView[], ...answers: { status: number; body: object }[]): () => AskedRequest[] {
  const asked = answerRequests(({ method }) =>
    method === 'GET' ? { status: 200, body: { views } } : (answers.shift() ?? { status: 200, body: views[0] ?? {} }),
  );
  return () => asked.filter(({ method }) => method !== 'GET');
}

describe('the views of a report', () => {
  it('are kept of the filters that are set, for oneself or for all', async () => {
    const opened: (string | null)[] = [];
    const changes = gatewayWith([], { status: 201, body: view() });
    const page = showInConsole(
      <ViewBar filter={filter} opened={null} onOpen={(one) => opened.push(one?.id ?? null)} />,
    );
    await page.user.click(page.getByRole('button', { name: 'Keep as a view…' }));
    await page.user.type(await page.findByRole('textbox', { name: /^Name/ }), ' Hours of a team ');
    await page.user.click(page.getByRole('switch', { name: /^Everybody/ }));
    await page.user.click(page.getByRole('button', { name: 'Save' }));
    await page.findByText('The view is saved.');
    expect(changes()).toEqual([
      {
        method: 'POST',
        path: '/api/reports/views',
        body: {
          name: 'Hours of a team',
          shared: true,
          filter: { since: '2026-11-01T00:00:00.000Z', group_by: 'hour', team_id: 't1' },
        },
      },
    ]);
    expect(opened).toEqual(['v1']);
  });

  it('are opened from a list, own and shared ones apart', async () => {
    const opened: (string | null)[] = [];
    gatewayWith([
      view(),
      view({ id: 'v2', name: 'My week', shared: false, owner: { id: 'the admin', name: 'Administrator' } }),
    ]);
    const page = showInConsole(
      <ViewBar filter={filter} opened={null} onOpen={(one) => opened.push(one?.id ?? null)} />,
    );
    await page.user.click(await page.findByRole('combobox', { name: 'View' }));
    await page.findByText('Your own');
    await page.user.click(await page.findByRole('option', { name: 'My week' }));
    expect(opened).toEqual(['v2']);
  });

  it('are saved where the filters differ, as they were read, and say what somebody else has done', async () => {
    const changes = gatewayWith([view()], problem('changed_meanwhile'));
    const page = showInConsole(<ViewBar filter={{ ...filter, range: 'today' }} opened={view()} onOpen={() => {}} />);
    await page.user.click(page.getByRole('button', { name: 'Save' }));
    await page.findByText('Somebody else has changed this meanwhile. Load it again.');
    expect(changes()).toEqual([
      {
        method: 'PATCH',
        path: '/api/reports/views/v1',
        body: { filter: { range: 'today', group_by: 'hour', team_id: 't1' }, version: 3 },
      },
    ]);
  });

  it('show nothing to save where nothing differs, and are removed once that is confirmed', async () => {
    const opened: (string | null)[] = [];
    const changes = gatewayWith([view()], { status: 204, body: {} });
    const page = showInConsole(
      <ViewBar filter={filterOfView(view().filter)} opened={view()} onOpen={(one) => opened.push(one?.id ?? null)} />,
    );
    expect(page.queryByRole('button', { name: 'Save' })).toBeNull();
    await page.user.click(page.getByRole('button', { name: 'Remove the view Yesterday' }));
    await page.user.click(await page.findByRole('button', { name: 'Remove' }));
    await eventually(() => expect(opened).toEqual([null]));
    expect(changes()).toEqual([{ method: 'DELETE', path: '/api/reports/views/v1', body: null }]);
  });
});

describe('a report that is sent by webhook', () => {
  const scheduled = view({
    schedule: {
      when: { every: 'week', weekday: 1, time: '07:00', time_zone: 'Europe/Berlin' },
      next_run_at: '2026-11-23T06:00:00.000Z',
      last_run: { at, outcome: 'not_chosen', delivery_id: null },
    },
  });

  it('is set for a day of the week by the clock of a zone', async () => {
    const changes = gatewayWith([view()]);
    const page = showInConsole(<ReportSchedule view={view()} />);
    await page.user.click(page.getByRole('button', { name: 'Send by webhook…' }));
    await page.user.click(page.getByRole('radio', { name: 'Every week' }));
    await page.user.click(page.getByRole('combobox', { name: 'On' }));
    await page.user.click(await page.findByRole('option', { name: 'Friday' }));
    await page.user.click(page.getByRole('button', { name: 'Save' }));
    await page.findByText('The times are saved.');
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    expect(changes()).toEqual([
      {
        method: 'PUT',
        path: '/api/reports/views/v1/schedule',
        body: { every: 'week', weekday: 5, time: '07:00', time_zone: zone },
      },
    ]);
  });

  it('tells its next and its last run, and is sent at once, or says why not', async () => {
    const changes = gatewayWith(
      [scheduled],
      problem('report_not_chosen'),
      { status: 202, body: scheduled },
      { status: 204, body: {} },
    );
    const page = showInConsole(<ReportSchedule view={scheduled} />);
    await page.findByText('Every week on Monday at 07:00, Europe/Berlin');
    await page.findByText(/not sent: the webhook does not get the event report_ready/);
    await page.user.click(page.getByRole('button', { name: 'Send now' }));
    await page.findByText('The webhook does not get reports. Choose the event report_ready on the page “Connection”.');
    await page.user.click(page.getByRole('button', { name: 'Send now' }));
    await page.findByText('The report is on its way.');
    await page.user.click(page.getByRole('button', { name: 'Stop sending' }));
    expect(changes().map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /api/reports/views/v1/runs',
      'POST /api/reports/views/v1/runs',
      'DELETE /api/reports/views/v1/schedule',
    ]);
  });

  it('is of a shared view with a range alone', async () => {
    gatewayWith([]);
    const page = showInConsole(<ReportSchedule view={view({ shared: false })} />);
    await page.findByText('Share this view first, so that every admin sees what is sent.');
    expect(page.queryByRole('button')).toBeNull();
  });
});
