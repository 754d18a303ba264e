import { afterEach, describe, expect, it, vi } from 'vitest';
import type { AgentStateView } from '../../../../src/contract/agents.ts';
import type { AgentState } from '../../../../src/contract/vocabulary.ts';
import {
  FollowedTimeline,
  followAgent,
  segmentsOf,
  totalsOf,
  type TimelineEntry,
} from '../../../../web/src/features/wallboard/timeline.ts';
import { Wallboard } from '../../../../web/src/features/wallboard/wallboard.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 10, 21, 9, minute)).toISOString();
const moment = (minute: number) => Date.parse(at(minute));
const entry = (
  state: AgentState,
  since: number,
  until: number | null,
  reason: string | null = null,
): TimelineEntry => ({
  state,
  reason,
  call_id: null,
  since: at(since),
  until: until === null ? null : at(until),
});
const agent = (state: AgentState, since: number, reason: string | null = null) =>
  ({ state, since: at(since), reason, call_id: null }) as AgentStateView;

describe('a timeline that goes on', () => {
  const recorded = [entry('not_ready', 0, 5, 'login'), entry('ready', 5, null)];

  it('ends what the agent was doing and begins what comes next', () => {
    expect(followAgent(recorded, agent('reserved', 9))).toEqual([
      entry('not_ready', 0, 5, 'login'),
      entry('ready', 5, 9),
      entry('reserved', 9, null),
    ]);
  });

  it('stays the same when the agent is told again, or as it was before', () => {
    expect(followAgent(recorded, agent('ready', 5))).toBe(recorded);
    expect(followAgent(recorded, agent('not_ready', 0, 'login'))).toBe(recorded);
    expect(followAgent(recorded, null)).toBe(recorded);
  });

  it('tells a new reason as a new entry', () => {
    const resting = [entry('not_ready', 0, null, 'break')];
    expect(followAgent(resting, agent('not_ready', 3, 'meal'))).toEqual([
      entry('not_ready', 0, 3, 'break'),
      entry('not_ready', 3, null, 'meal'),
    ]);
  });

  it('begins where nothing was recorded', () => {
    expect(followAgent([], agent('ready', 5))).toEqual([entry('ready', 5, null)]);
  });

  it('ends with the log-out', () => {
    expect(followAgent(recorded, agent('offline', 7)).at(-1)).toEqual(entry('offline', 7, null));
  });
});

describe('a timeline as a bar', () => {
  const entries = [entry('offline', 0, 10), entry('ready', 10, 20), entry('on_call', 20, null)];

  it('shows what lies between its ends, in proportion', () => {
    expect(segmentsOf(entries, moment(15), moment(25))).toEqual([
      { entry: entries[1], start: 0, width: 50 },
      { entry: entries[2], start: 50, width: 50 },
    ]);
  });

  it('sums the time in each state, the longest first, without the time offline', () => {
    expect(totalsOf(entries, moment(0), moment(50))).toEqual([
      { state: 'on_call', spent: 30 * 60_000 },
      { state: 'ready', spent: 10 * 60_000 },
    ]);
  });
});

describe('a timeline beside the wallboard', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('misses nothing while the page is not seen, which has no frames then', () => {
    vi.stubGlobal('requestAnimationFrame', () => 1);
    const wallboard = new Wallboard();
    const told = (state: AgentState, since: number) =>
      wallboard.changeAgent({ ...agent(state, since), agent_id: 'a100' });
    const timeline = new FollowedTimeline(wallboard, 'a100');
    timeline.follow();
    told('not_ready', 0);
    told('ready', 1);
    timeline.begin([entry('not_ready', 0, null)]);
    told('on_call', 2);
    told('ready', 3);
    expect(timeline.shown.getState().entries).toEqual([
      entry('not_ready', 0, 1),
      entry('ready', 1, 2),
      entry('on_call', 2, 3),
      entry('ready', 3, null),
    ]);
  });
});
