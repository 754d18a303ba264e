import { describe, expect, it } from 'vitest';
import type { ClickTally } from '../../../src/contract/live.ts';
import { type AgentId, type CompanyId, toId } from '../../../src/domain/ids.ts';
import type { Presence } from '../../../src/domain/presence.ts';
import type { QuarterOfClicks, StateChange } from '../../../src/ports/wallboard.ts';
import { createClickCounter } from '../../../src/usecases/live/clickCounter.ts';
import { createStateHistory } from '../../../src/usecases/live/stateHistory.ts';
import { quietObserver } from '../../support/stores/quietServices.ts';
import { createManualClock } from '../../support/time/manualClock.ts';

const begin = Date.parse('2026-11-21T09:07:00.000Z');
const companyId = toId<CompanyId>('01a1fd9a-df84-76de-b312-4c71c7114ef0');
const agentId = toId<AgentId>('01a1fd9a-df84-76de-b312-4c71c7114ef1');

function presence(version: number, changes: Partial<Presence> = {}): Presence {
  return {
    ...{ companyId, agentId, version, state: version % 2 === 0 ? 'ready' : 'not_ready', reason: null },
    ...{
      since: begin + version,
      connection: 'connected',
      connectionSince: begin,
      pending: null,
      callId: null,
      second: null,
      toWrapUp: [],
      claimId: null,
    },
    ...{
      reservedFor: null,
      sessionId: null,
      lease: null,
      nodeId: null,
      idleSince: null,
      expiresAt: null,
      platform: null,
    },
    ...changes,
  };
}

/** A store that is away while a test says so. */
class Store<Row> {
  isAway = false;
  readonly writes: Row[][] = [];

  take(rows: Row[]): void {
    if (this.isAway) throw new Error('the store is away');
    this.writes.push(rows);
  }
}

function historyRoom(limit?: number) {
  const clock = createManualClock(begin);
  const store = new Store<StateChange>();
  const problems: string[] = [];
  const agentHistory = {
    add: async (changes: StateChange[]) => store.take(changes),
    list: async () => [],
    endAll: async () => undefined,
    prune: async () => 0,
  };
  const observer = { ...quietObserver, problem: (message: string) => void problems.push(message) };
  const history = createStateHistory({ clock, observer, agentHistory }, limit);
  history.begin();
  const versions = () => store.writes.map((changes) => changes.map(({ version }) => version));
  return { clock, store, problems, history, versions };
}

describe('the history of states', () => {
  it('writes a lone change at once, and what comes meanwhile in one go', async () => {
    const { clock, history, versions } = historyRoom();
    history.note(presence(1));
    await clock.advance(0);
    expect(versions()).toEqual([[1]]);
    for (const version of [2, 3, 4]) history.note(presence(version));
    await clock.advance(249);
    expect(versions()).toEqual([[1]]);
    await clock.advance(1);
    expect(versions()).toEqual([[1], [2, 3, 4]]);
  });

  it('keeps nothing of a version that changes neither state, reason nor call', async () => {
    const { clock, history, versions } = historyRoom();
    history.note(presence(1));
    history.note(presence(2, { state: 'not_ready', since: begin + 1, connection: 'reconnecting' }));
    history.note(presence(3, { state: 'not_ready', since: begin + 1, reason: 'break' }));
    await clock.advance(250);
    expect(versions().flat()).toEqual([1, 3]);
  });

  it('keeps what it cannot write, tries again, and says so once', async () => {
    const { clock, store, problems, history, versions } = historyRoom();
    store.isAway = true;
    history.note(presence(1));
    await clock.advance(3_000);
    history.note(presence(2));
    await clock.advance(3_000);
    expect(problems).toEqual(['state changes could not be written to the timeline; they are kept and tried again']);
    store.isAway = false;
    await clock.advance(1_000);
    expect(versions()).toEqual([[1, 2]]);
    store.isAway = true;
    history.note(presence(3));
    await clock.advance(1_000);
    expect(problems).toHaveLength(2);
  });

  it('loses the oldest when too many wait, and says so once', async () => {
    const { clock, store, problems, history, versions } = historyRoom(3_000);
    store.isAway = true;
    for (let version = 1; version <= 5_500; version++) {
      history.note(presence(version));
      if (version % 500 === 0) await clock.advance(1_000);
    }
    expect(problems).toHaveLength(2);
    expect(problems[1]).toMatch(/lost/);
    store.isAway = false;
    await clock.advance(1_000);
    const kept = versions().flat();
    expect(kept.length).toBeLessThanOrEqual(3_000);
    expect(kept.length).toBeGreaterThanOrEqual(2_000);
    expect(kept).toEqual(Array.from({ length: kept.length }, (_, index) => 5_501 - kept.length + index));
    expect(Math.max(...versions().map((changes) => changes.length))).toBe(1_000);
  });

  it('writes what is left at the end', async () => {
    const { clock, history, versions } = historyRoom();
    history.note(presence(1));
    await clock.advance(0);
    history.note(presence(2));
    await history.stop();
    expect(versions()).toEqual([[1], [2]]);
    await history.stop();
    expect(versions()).toHaveLength(2);
  });
});

function counterRoom() {
  const clock = createManualClock(begin);
  const store = new Store<QuarterOfClicks>();
  const told: ClickTally[] = [];
  const clickTallies = {
    add: async (clicks: QuarterOfClicks[]) => {
      store.take(clicks);
      return clicks;
    },
    list: async () => [],
    prune: async () => 0,
  };
  const wallboard = {
    callChanged: () => undefined,
    clicksChanged: (_: CompanyId, tallies: ClickTally[]) => void told.push(...tallies),
  };
  const counter = createClickCounter({ clock, observer: quietObserver, clickTallies, wallboard });
  return { clock, store, told, counter };
}

describe('the counting of clicks', () => {
  it('adds up the clicks of a quarter of an hour, and tells them once they are written', async () => {
    const { clock, store, told, counter } = counterRoom();
    counter.count(companyId, 'dialed');
    await clock.advance(0);
    counter.count(companyId, 'dialed');
    counter.count(companyId, 'failed');
    expect(told).toHaveLength(1);
    await clock.advance(10 * 60_000);
    counter.count(companyId, 'noReadyAgent');
    await clock.advance(250);
    expect(store.writes).toHaveLength(3);
    expect(told).toEqual([
      { at: '2026-11-21T09:00:00.000Z', dialed: 1, no_ready_agent: 0, agent_not_ready: 0, failed: 0 },
      { at: '2026-11-21T09:00:00.000Z', dialed: 1, no_ready_agent: 0, agent_not_ready: 0, failed: 1 },
      { at: '2026-11-21T09:15:00.000Z', dialed: 0, no_ready_agent: 1, agent_not_ready: 0, failed: 0 },
    ]);
  });

  it('keeps what it cannot write, each click once', async () => {
    const { clock, store, told, counter } = counterRoom();
    store.isAway = true;
    counter.count(companyId, 'dialed');
    await clock.advance(2_000);
    counter.count(companyId, 'dialed');
    counter.count(companyId, 'agentNotReady');
    await clock.advance(2_000);
    expect(told).toEqual([]);
    store.isAway = false;
    await clock.advance(1_000);
    expect(told).toMatchObject([{ dialed: 2, agent_not_ready: 1 }]);
    counter.count(companyId, 'dialed');
    await counter.stop();
    expect(told.at(-1)).toMatchObject({ dialed: 1 });
  });
});
