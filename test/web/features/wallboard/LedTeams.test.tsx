// @vitest-environment happy-dom
import { act, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { CountTiles } from '../../../../web/src/features/wallboard/CountTiles.tsx';
import { LedTeams } from '../../../../web/src/features/wallboard/LedTeams.tsx';
import { Wallboard } from '../../../../web/src/features/wallboard/wallboard.ts';
import { answerRequests, show } from '../../../support/components/page.tsx';

const team = (id: string, name: string) => ({ id, name, code: id, agent_ids: [] });
const reasons = { choices: [], text: (code: string) => code, isKnown: () => true };

it('are named to their supervisor, also when they become others, and hide what is of the company alone', async () => {
  let teams = [team('sales', 'Sales'), team('service', 'Service')];
  answerRequests(() => ({ status: 200, body: { teams } }));
  const wallboard = new Wallboard();
  let changes = 0;
  const page = show(
    <>
      <LedTeams wallboard={wallboard} onChange={() => (changes += 1)} />
      <CountTiles wallboard={wallboard} reasons={reasons} isLive />
    </>,
  );
  page.getByRole('region', { name: 'Clicks today' });
  expect(page.queryByText(/Your teams/)).toBeNull();

  act(() => wallboard.replaceAgents([], ['sales', 'service']));
  await page.findByText('Your teams: Sales, Service');
  expect(page.queryByRole('region', { name: 'Clicks today' })).toBeNull();
  teams = [team('office', 'Office')];
  act(() => wallboard.replaceAgents([], ['office']));
  await page.findByText('Your teams: Office');
  // The same again, as after a reconnect.
  act(() => wallboard.replaceAgents([], ['office']));
  expect(changes).toBe(2);

  act(() => wallboard.replaceAgents([], []));
  await page.findByText(/You lead no team at present/);
  act(() => wallboard.replaceAgents([]));
  await waitFor(() => page.getByRole('region', { name: 'Clicks today' }));
  expect([changes, page.queryByText(/team/)]).toEqual([4, null]);
  wallboard.stop();
});
