// @vitest-environment happy-dom
import { act } from '@testing-library/react';
import { expect, it, onTestFinished } from 'vitest';
import type { TimelineEntry } from '../../../../web/src/features/wallboard/timeline.ts';
import { TimelineSection } from '../../../../web/src/features/wallboard/TimelineSection.tsx';
import { Wallboard } from '../../../../web/src/features/wallboard/wallboard.ts';
import { answerRequests, show } from '../../../support/components/page.tsx';
import { agentView } from '../../../support/gateway/fakeGateway.ts';

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
const reasons = { choices: [], text: (code: string) => code.toUpperCase(), isKnown: () => true };
const entry = (
  state: TimelineEntry['state'],
  since: string,
  until: string | null,
  reason: string | null = null,
): TimelineEntry => ({
  ...{ state, since, until, reason, call_id: null },
});

/** The timeline of an agent of whom the gateway knows these entries. */
async function timeline(entries: TimelineEntry[], truncated = false) {
  const requests = answerRequests(() => ({ status: 200, body: { agent_id: 'ada', entries, truncated } }));
  const wallboard = new Wallboard();
  onTestFinished(() => wallboard.stop());
  const page = show(<TimelineSection wallboard={wallboard} agentId="ada" reasons={reasons} connects={1} />);
  await page.findAllByRole('listitem');
  return { page, wallboard, requests, rows: () => page.getAllByRole('listitem').map((row) => row.textContent) };
}

it('shows two states of the same millisecond, and the one after them, each once and the latest first', async () => {
  const [moment, later] = [minutesAgo(6), minutesAgo(1)];
  const { wallboard, rows } = await timeline([
    entry('reserved', moment, moment),
    entry('not_ready', moment, null, 'meal'),
  ]);
  expect(rows()).toEqual([
    expect.stringMatching(/Not Ready.*MEAL.*(5:59|6:0\d)$/),
    expect.stringMatching(/Ringing.*0:00$/),
  ]);
  act(() => wallboard.changeAgent(agentView({ agent_id: 'ada', state: 'ready', since: later })));
  const both = [expect.stringMatching(/Not Ready.*MEAL.*5:00$/), expect.stringMatching(/Ringing.*0:00$/)];
  expect(rows()).toEqual([expect.stringMatching(/[^t] ?Ready.*(0:59|1:0\d)$/), ...both]);
});

it('says that a state began before today, not how long an absence was, and that there was more', async () => {
  const { page, rows } = await timeline(
    [entry('offline', minutesAgo(26 * 60), minutesAgo(6)), entry('ready', minutesAgo(6), null)],
    true,
  );
  expect(rows()).toEqual([expect.stringMatching(/Ready.*(5:59|6:0\d)$/), 'before todayOffline']);
  expect(page.getByRole('figure').getAttribute('aria-label')).toMatch(/Ready (5:59|6:0\d)$/);
  expect(page.container.textContent).toContain('the earliest is left out');
});

it('says that it could not be read', async () => {
  answerRequests(() => ({ status: 503, body: { code: 'unavailable', detail: 'The database cannot be reached.' } }));
  const page = show(<TimelineSection wallboard={new Wallboard()} agentId="ada" reasons={reasons} connects={1} />);
  expect((await page.findByRole('alert')).textContent).toContain('The database cannot be reached.');
});
