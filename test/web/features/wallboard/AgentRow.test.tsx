// @vitest-environment happy-dom
import { act } from '@testing-library/react';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { AgentStateView } from '../../../../src/contract/agents.ts';
import type { LiveCall } from '../../../../src/contract/live.ts';
import { AgentRow } from '../../../../web/src/features/wallboard/AgentRow.tsx';
import { Wallboard } from '../../../../web/src/features/wallboard/wallboard.ts';
import { show } from '../../../support/components/page.tsx';
import { agentView } from '../../../support/gateway/fakeGateway.ts';

const ada = agentView({ agent_id: 'ada', agent_code: 'a100', name: 'Ada Lovelace' });
const grace = agentView({ agent_id: 'grace', agent_code: 'a101', name: 'Grace Hopper' });
const talk: LiveCall = {
  ...{
    id: 'call',
    agent_id: 'ada',
    direction: 'outbound',
    trigger: 'click_to_dial',
    state: 'ringing',
    phone: '+15551230001',
    caller: null,
  },
  ...{ name: 'Marie Curie', created_at: new Date().toISOString(), answered_at: null, version: 1 },
};

/**
 * A wallboard with the rows of two agents on screen; `reads` counts how often a reason was put into words, per code.
 */
function rows() {
  const wallboard = new Wallboard();
  onTestFinished(() => wallboard.stop());
  const text = vi.fn<(code: string) => string>((code) => `(${code})`);
  const reasons = { choices: [], text, isKnown: () => true };
  const handlers = { onFocus: () => {}, onKey: () => {}, onOpen: vi.fn<(id: string) => void>() };
  const row = (id: string, index: number) => (
    <AgentRow
      key={id}
      {...handlers}
      wallboard={wallboard}
      reasons={reasons}
      id={id}
      index={index}
      start={index * 36}
      isTabStop={index === 0}
    />
  );
  const page = show(
    <table>
      <tbody>
        {row('ada', 0)}
        {row('grace', 1)}
      </tbody>
    </table>,
  );
  const told = async (tell: () => void) => {
    const before = page.container.innerHTML;
    await act(async () => {
      tell();
      await new Promise((resolve) => requestAnimationFrame(resolve));
    });
    return page.container.innerHTML !== before;
  };
  const textOf = (name: string) => page.getByText(name).closest('tr')!.textContent;
  return { page, wallboard, told, textOf, handlers, text };
}

const change = (agent: AgentStateView, changes: Partial<AgentStateView>): AgentStateView => ({
  ...agent,
  version: agent.version + 1,
  ...changes,
});

it('is there once the agent is known, and says state, reason, what is next and with whom the agent talks', async () => {
  const { page, wallboard, told, textOf } = rows();
  expect(page.queryAllByRole('row')).toHaveLength(0);
  await told(() => wallboard.replaceAgents([ada, grace]));
  expect(textOf('Ada Lovelace')).toMatch(/^ReadyAda Lovelace a100/);
  await told(() => {
    wallboard.changeAgent(
      change(ada, { state: 'on_call', call_id: talk.id, pending_state: 'not_ready', pending_reason: 'meal' }),
    );
    wallboard.changeCall(talk);
  });
  expect(textOf('Ada Lovelace')).toMatch(/^On call.*then Not Ready \(\(meal\)\).*OutboundMarie CurieRinging/);
  await told(() => {
    wallboard.changeCall({ ...talk, state: 'ended', version: 2 });
    wallboard.changeAgent(
      change(ada, { state: 'wrap_up', version: 3, wrap_up_ends_at: new Date(Date.now() + 90_500).toISOString() }),
    );
  });
  expect(textOf('Ada Lovelace')).toMatch(/^Wrap-up.*1:[23]\d left/);
  expect(textOf('Ada Lovelace')).not.toContain('Marie Curie');
});

it('shows the call that the agent talks in, and how many more there are', async () => {
  const { wallboard, told, textOf } = rows();
  const first: LiveCall = { ...talk, state: 'connected', answered_at: talk.created_at };
  const second: LiveCall = { ...talk, id: 'second', name: 'Lise Meitner', direction: 'inbound' };
  await told(() => {
    wallboard.replaceAgents([change(ada, { state: 'on_call', call_id: first.id, second_call_id: second.id }), grace]);
    wallboard.replaceCalls([first, second]);
  });
  expect(textOf('Ada Lovelace')).toMatch(/Marie CurieConnected.*\+1one more call$/);
  await told(() => {
    wallboard.changeCall({ ...first, state: 'held', version: 2 });
    wallboard.changeCall({ ...second, state: 'connected', answered_at: talk.created_at, version: 2 });
  });
  expect(textOf('Ada Lovelace')).toMatch(/Lise MeitnerConnected.*\+1one more call$/);
  await told(() => wallboard.changeCall({ ...second, state: 'ended', version: 3 }));
  expect(textOf('Ada Lovelace')).toMatch(/Marie CurieOn hold/);
  expect(textOf('Ada Lovelace')).not.toContain('+1');
});

it('says which colleague hands the call on', async () => {
  const { wallboard, told, textOf } = rows();
  await told(() => {
    wallboard.replaceAgents([change(ada, { state: 'on_call', call_id: talk.id }), grace]);
    wallboard.changeCall({ ...talk, handed_on_by: 'Grace Hopper' });
  });
  expect(textOf('Ada Lovelace')).toMatch(/Marie CurieRinging from Grace Hopper$/);
});

it('says that the agent is not heard, and until when not', async () => {
  const { wallboard, told, textOf } = rows();
  await told(() =>
    wallboard.replaceAgents([change(ada, { connection: 'lost' }), change(grace, { connection: 'reconnecting' })]),
  );
  expect([textOf('Ada Lovelace'), textOf('Grace Hopper')]).toEqual([
    expect.stringMatching(/Lost$/),
    expect.stringMatching(/Reconnecting$/),
  ]);
  await told(() => wallboard.changeAgent(change(ada, { version: 5 })));
  expect(textOf('Ada Lovelace')).not.toContain('Lost');
});

it('is drawn again for its own agent alone', async () => {
  const { wallboard, told, text } = rows();
  await told(() =>
    wallboard.replaceAgents([
      change(ada, { state: 'not_ready', reason: 'meal' }),
      change(grace, { state: 'not_ready', reason: 'break' }),
    ]),
  );
  text.mockClear();
  await told(() => wallboard.changeAgent(change(grace, { state: 'not_ready', reason: 'training', version: 9 })));
  expect(new Set(text.mock.calls.flat())).toEqual(new Set(['training']));
});

it('opens its agent by mouse or by Enter, and only one row of the list is a stop of the Tab key', async () => {
  const { page, wallboard, told, handlers } = rows();
  await told(() => wallboard.replaceAgents([ada, grace]));
  await page.user.click(page.getByRole('button', { name: /Grace/ }));
  page.getByRole('button', { name: /Ada/ }).focus();
  await page.user.keyboard('{Enter}');
  expect(handlers.onOpen.mock.calls.flat()).toEqual(['grace', 'ada']);
  expect(page.getAllByRole('button').map(({ tabIndex }) => tabIndex)).toEqual([0, -1]);
});
