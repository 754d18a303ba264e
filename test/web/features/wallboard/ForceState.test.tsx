// @vitest-environment happy-dom
import { act, waitFor } from '@testing-library/react';
import { notifications } from '@mantine/notifications';
import { afterEach, describe, expect, it } from 'vitest';
import type { AgentStateView } from '../../../../src/contract/agents.ts';
import type { LiveCall } from '../../../../src/contract/live.ts';
import { ForceState } from '../../../../web/src/features/wallboard/ForceState.tsx';
import { isolated } from '../../../../web/src/shared/phoneNumbers/direction.ts';
import { answerRequests, show } from '../../../support/components/page.tsx';
import { agentView } from '../../../support/gateway/fakeGateway.ts';

const reasons = {
  choices: [{ code: 'meal', label: 'Meal' }],
  text: (code: string) => (code === 'meal' ? 'Meal' : code),
  isKnown: () => true,
};
const call = {
  id: 'first call',
  agent_id: 'ada',
  name: 'Marie Curie',
  phone: '+15551230001',
  caller: null,
} as LiveCall;
const agent = (changes: Partial<AgentStateView>) => agentView({ agent_id: 'ada', name: 'Ada', ...changes });
const talking = agent({ state: 'on_call', call_id: call.id });
const after = { status: 200, body: agent({ state: 'not_ready', reason: 'meal' }) };

afterEach(() => act(() => notifications.clean()));

function forceState(first: AgentStateView, answer: Parameters<typeof answerRequests>[0] = () => after) {
  const requests = answerRequests(answer);
  const part = (shown: AgentStateView) => (
    <ForceState agent={shown} call={shown.call_id === call.id ? call : null} reasons={reasons} />
  );
  const page = show(part(first));
  /** Presses a button once the answer to the one before is there. */
  async function press(name: string): Promise<void> {
    await waitFor(() => expect(page.getByRole('button', { name })).toHaveProperty('disabled', false));
    await page.user.click(page.getByRole('button', { name }));
  }
  return {
    page,
    requests,
    press,
    become: (shown: AgentStateView) => page.change(part(shown)),
    bodies: () => requests.map(({ body }) => body),
  };
}

describe('a supervisor who sets an agent’s state', () => {
  it('does it at once where the agent is not busy, with a reason or without, and reads what came of it', async () => {
    const { page, requests, press, bodies } = forceState(agent({ state: 'ready' }));
    expect(page.queryByRole('radio')).toBeNull();
    await press('Not Ready');
    await page.findByText('Ada: Not Ready.');
    await page.user.click(page.getByRole('combobox', { name: 'Reason for Not Ready' }));
    await page.user.click(await page.findByRole('option', { name: 'Meal' }));
    await press('Not Ready');
    await press('Log out');
    expect(requests[0]).toMatchObject({ method: 'PUT', path: '/api/agents/ada/state' });
    expect(bodies()).toEqual([
      { state: 'not_ready', force: false },
      { state: 'not_ready', force: false, reason: 'meal' },
      { state: 'offline', force: false },
    ]);
  });

  it('does it after the call unless told otherwise', async () => {
    const { page, press, bodies } = forceState(talking);
    expect(page.getByRole('radio', { name: 'After the call' })).toHaveProperty('checked', true);
    await press('Ready');
    expect(bodies()).toEqual([{ state: 'ready', force: false }]);
  });

  it('ends a call only after having said so twice', async () => {
    const { page, press, bodies } = forceState(talking);
    await page.user.click(page.getByRole('radio', { name: 'Now: ends the call' }));
    await press('Ready');
    expect((await page.findByRole('dialog')).textContent).toContain(
      `The call with ${isolated('Marie Curie')} ends at once`,
    );
    await press('Leave the call');
    expect(bodies()).toEqual([]);
    await press('Ready');
    await press('End the call');
    expect(bodies()).toEqual([{ state: 'ready', force: true, call_id: 'first call' }]);
  });

  it.each<[string, AgentStateView]>([
    ['has another call meanwhile', agent({ state: 'on_call', call_id: 'next call', version: 2 })],
    ['is in wrap-up meanwhile', agent({ state: 'wrap_up', call_id: call.id, version: 2 })],
  ])('never ends anything of an agent who %s, and is told so', async (_what, changed) => {
    const { page, press, become, bodies } = forceState(talking);
    await page.user.click(page.getByRole('radio', { name: 'Now: ends the call' }));
    await press('Ready');
    await page.findByRole('dialog');
    become(changed);
    await page.findByText('Ada is not on that call any more; nothing was changed.');
    expect(page.queryByRole('dialog')).toBeNull();
    expect(page.getByRole('radio', { name: /^After/ })).toHaveProperty('checked', true);
    await press('Ready');
    expect(bodies()).toEqual([{ state: 'ready', force: false }]);
  });

  it('reads plainly what could not be done', async () => {
    const { page, press } = forceState(agent({ state: 'offline' }), () => ({
      status: 409,
      body: { code: 'agent_offline', detail: 'The agent is offline.' },
    }));
    await press('Ready');
    await page.findByText('Ada was not changed');
    await page.findByText('The agent is offline.');
  });
});
