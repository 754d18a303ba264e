import { afterEach, expect, it, vi } from 'vitest';
import type { AgentStateView } from '../../../../src/contract/agents.ts';
import type { AgentState } from '../../../../src/contract/vocabulary.ts';
import { Wallboard } from '../../../../web/src/features/wallboard/wallboard.ts';

const agent = (id: string, state: AgentState) =>
  ({
    agent_id: id,
    state,
    since: '2026-11-21T09:00:00.000Z',
    reason: null,
    name: id,
    agent_code: id,
    connection: 'connected',
  }) as AgentStateView;

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

it('shows 2,000 changes at once in the next frame, and leaves the rows of all others as they are', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const frames: (() => void)[] = [];
  vi.stubGlobal('requestAnimationFrame', (frame: () => void) => frames.push(frame));
  const wallboard = new Wallboard();
  const all = Array.from({ length: 2_000 }, (_none, index) => agent(`a${String(index)}`, 'not_ready'));
  wallboard.replaceAgents(all);
  expect(wallboard.shown.getState().rows.size).toBe(0);
  frames.splice(0).forEach((frame) => frame());
  const before = wallboard.shown.getState().rows;
  expect(before.size).toBe(2_000);
  vi.runAllTimers();

  let drawn = 0;
  wallboard.shown.subscribe(({ rows }, { rows: former }) => (drawn += rows === former ? 0 : 1));
  for (const { agent_id: id } of all.slice(1)) wallboard.changeAgent(agent(id, 'ready'));
  expect(frames).toHaveLength(1);
  frames.splice(0).forEach((frame) => frame());
  const after = wallboard.shown.getState().rows;
  expect(drawn).toBe(1);
  expect(after.get('a0')).toBe(before.get('a0'));
  expect(after.get('a1')?.agent.state).toBe('ready');
  wallboard.stop();
});
