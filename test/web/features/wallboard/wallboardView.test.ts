import { describe, expect, it } from 'vitest';
import type { AgentStateView } from '../../../../src/contract/agents.ts';
import type { LiveCall } from '../../../../src/contract/live.ts';
import { onPage, pageCount, rowStep } from '../../../../web/src/features/wallboard/usePages.ts';
import { countRows, midnightBefore, sumClicks } from '../../../../web/src/features/wallboard/wallboardCounts.ts';
import { orderRows, type WallboardRow } from '../../../../web/src/features/wallboard/wallboardOrder.ts';
import { mentions } from '../../../../web/src/shared/foldText.ts';

function row(code: string, agent: Partial<AgentStateView>, call: Partial<LiveCall> | null = null): WallboardRow {
  return {
    agent: {
      agent_id: code,
      agent_code: code,
      name: `Agent ${code}`,
      connection: 'connected',
      reason: null,
      ...agent,
    } as AgentStateView,
    others: 0,
    call: call as LiveCall | null,
  };
}
const since = (second: number) => new Date(1_700_000_000_000 + second * 1000).toISOString();
const all = { sort: 'state', state: null, team: null, text: '' } as const;

describe('the order of the wallboard', () => {
  const rows = [
    row('a10', { state: 'not_ready', since: since(1) }),
    row('a9', { state: 'ready', since: since(5) }),
    row('a8', { state: 'ready', since: since(2) }),
    row('a7', { state: 'on_call', since: since(3) }, { phone: '+15551230001', name: 'Grace Hopper' }),
    row('a6', { state: 'offline', since: since(0) }),
  ];

  it('is by state and then by time, without those who are offline', () => {
    expect(orderRows(rows, all)).toEqual(['a8', 'a9', 'a7', 'a10']);
  });

  it('is by time, or by name as people count', () => {
    expect(orderRows(rows, { ...all, sort: 'time' })).toEqual(['a10', 'a8', 'a7', 'a9']);
    expect(orderRows(rows, { ...all, sort: 'name' })).toEqual(['a7', 'a8', 'a9', 'a10']);
  });

  it('keeps to one state, and to what is looked for: agent, customer or number', () => {
    expect(orderRows(rows, { ...all, state: 'ready' })).toEqual(['a8', 'a9']);
    expect(orderRows(rows, { ...all, team: new Set(['a7', 'a9', 'of nobody here']) })).toEqual(['a9', 'a7']);
    expect(orderRows(rows, { ...all, text: ' AGENT a9 ' })).toEqual(['a9']);
    expect(orderRows(rows, { ...all, text: 'hopper' })).toEqual(['a7']);
    expect(orderRows(rows, { ...all, text: '30001' })).toEqual(['a7']);
  });

  it.each(['+15551230001', '+1 555-123-0001', '555-123', '(555) 123', ' 123.0001 ', '\u2068+1 555-123-0001\u2069'])(
    'finds a number however it is written: %s',
    (text) => {
      expect(orderRows(rows, { ...all, text })).toEqual(['a7']);
    },
  );

  it.each(['555-124', '5-x', '-', '+1 555-123-00012', '+555'])('finds no number by what is none of it: %s', (text) => {
    expect(orderRows(rows, { ...all, text })).toEqual([]);
  });

  it.each([
    ['muller', 'Jürgen Müller'],
    ['MÜLLER', 'Jurgen Muller'],
    ['lukasz strauss', 'Łukasz Strauß'],
    ['soren', 'Søren Ærø'],
    ['aero', 'Søren Ærø'],
    ['dordevic', 'Đorđević'],
    ['isik', 'Işık'],
    ['jurgen', 'Ju\u0308rgen'],
  ])('finds by %s whoever is called %s, as agent and as customer', (text, name) => {
    const others = row('b1', { state: 'ready', since: since(1) });
    expect(orderRows([others, row('b2', { state: 'ready', name })], { ...all, text })).toEqual(['b2']);
    expect(orderRows([others, row('b2', { state: 'on_call' }, { phone: '+1555', name })], { ...all, text })).toEqual([
      'b2',
    ]);
    expect(mentions(['Somebody', name], text)).toBe(true);
    expect(mentions(['Somebody', null], text)).toBe(false);
  });
});

it('counts states, reasons, calls and who is away', () => {
  const counts = countRows([
    row('a', { state: 'not_ready', reason: 'meal' }),
    row('b', { state: 'not_ready', reason: 'break', connection: 'lost' }),
    row('c', { state: 'not_ready', reason: 'break' }),
    row('d', { state: 'on_call' }, { direction: 'inbound' }),
    row('e', { state: 'offline' }),
  ]);
  expect(counts).toEqual({
    agents: 4,
    states: { ready: 0, reserved: 0, on_call: 1, wrap_up: 0, not_ready: 3 },
    reasons: [
      { reason: 'break', count: 2 },
      { reason: 'meal', count: 1 },
    ],
    away: 1,
    calls: { outbound: 0, inbound: 1 },
  });
});

it('sums the clicks since local midnight, and begins anew with the next day', () => {
  const now = new Date(2026, 10, 21, 14, 30).getTime();
  const tally = (hour: number, dialed: number) => ({
    at: new Date(2026, 10, 21, hour).toISOString(),
    ...{ dialed, no_ready_agent: 1, agent_not_ready: 0, failed: 0 },
  });
  const tallies = [tally(-1, 100), tally(0, 2), tally(9, 3)];
  expect(sumClicks(tallies, midnightBefore(now))).toEqual({
    dialed: 5,
    no_ready_agent: 2,
    agent_not_ready: 0,
    failed: 0,
  });
  const nextDay = new Date(2026, 10, 22, 0, 0, 1).getTime();
  expect(sumClicks(tallies, midnightBefore(nextDay))).toEqual({
    dialed: 0,
    no_ready_agent: 0,
    agent_not_ready: 0,
    failed: 0,
  });
});

it('goes from row to row by keys, and not beyond the ends', () => {
  expect(rowStep('ArrowDown', 3, 5, 10)).toBe(4);
  expect(rowStep('ArrowDown', 4, 5, 10)).toBe(4);
  expect(rowStep('PageUp', 4, 5, 10)).toBe(0);
  expect(rowStep('End', 0, 5, 10)).toBe(4);
  expect(rowStep('x', 0, 5, 10)).toBeNull();
  expect(rowStep('Home', 0, 0, 10)).toBeNull();
});

it('shows every row on one page, and no page is empty', () => {
  const rows = Array.from({ length: 60 }, (_none, index) => index);
  for (const perPage of [1, 13, 14, 59, 60, 61]) {
    const pages = Array.from({ length: pageCount(rows.length, perPage) }, (_none, page) => onPage(rows, page, perPage));
    expect(pages.flat()).toEqual(rows);
    expect(pages.every((page) => page.length > 0)).toBe(true);
  }
  expect(pageCount(0, 14)).toBe(1);
});
