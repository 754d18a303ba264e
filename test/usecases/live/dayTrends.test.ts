import { describe, expect, it } from 'vitest';
import type { AgentId, CompanyId, TeamId } from '../../../src/domain/ids.ts';
import type { ReportedCalls } from '../../../src/ports/reports.ts';
import { createTrendReader } from '../../../src/usecases/live/dayTrends.ts';
import type { Services } from '../../../src/usecases/services.ts';
import { fresh } from '../../support/stores/presenceFixtures.ts';
import { createManualClock } from '../../support/time/manualClock.ts';

const companyId = fresh<CompanyId>();
const midnight = Date.parse('2026-11-24T23:00:00.000Z');
const minutes = (count: number) => count * 60_000;
const quarterMs = minutes(15);

/** At noon in Berlin. One call began in each quarter, one agent was Ready in all of it, and half an agent on calls. */
function room() {
  const clock = createManualClock(midnight + minutes(12 * 60 + 5));
  const asked: string[] = [];
  const store = { fails: false, inbound: 1 };
  const team = { id: fresh<AgentId>() as string as TeamId, version: 1, agentIds: [fresh<AgentId>()] };
  const quarters = ({ since, until }: ReportedCalls) =>
    Array.from(
      { length: Math.ceil((until.getTime() - since.getTime()) / quarterMs) },
      (_, place) => new Date(since.getTime() + place * quarterMs),
    );
  const time = (at: Date) => new Date(at.getTime() + minutes(60)).toISOString().slice(11, 16);
  const reports = {
    callQuarters: async (_company: CompanyId, which: ReportedCalls) => {
      asked.push(
        `${time(which.since)}–${time(which.until)}${which.agentIds === null ? '' : ` of ${which.agentIds.length}`}`,
      );
      if (store.fails && which.since.getTime() > midnight + minutes(5 * 60)) throw new Error('cannot be reached');
      return quarters(which).map((at) => ({
        at,
        inboundAnswered: store.inbound,
        inboundMissed: 0,
        outboundAnswered: 0,
        outboundUnanswered: 0,
      }));
    },
    stateQuarters: async (_company: CompanyId, which: ReportedCalls) =>
      quarters(which).map((at) => {
        const lengthMs = Math.min(quarterMs, which.until.getTime() - at.getTime());
        return { at, readyMs: lengthMs, onCallMs: lengthMs / 2 };
      }),
  };
  const services = {
    clock,
    reports,
    teams: { find: async (_company: CompanyId, id: TeamId) => (id === team.id ? team : null) },
  };
  const trends = createTrendReader(services as unknown as Pick<Services, 'clock' | 'reports' | 'teams'>);
  const read = async (teamId?: TeamId) => {
    const outcome = await trends.read(
      { kind: 'company_key', companyId, keyPrefix: 'rl_' },
      { time_zone: 'Europe/Berlin', ...(teamId === undefined ? {} : { team_id: teamId }) },
    );
    if (outcome.kind === 'refused') throw new Error(outcome.code);
    return outcome.value;
  };
  /** What was asked of the store since the last look. */
  const askedNow = () => asked.splice(0);
  return { clock, read, askedNow, store, team };
}

describe('the trends of a day', () => {
  it('tell of each quarter since midnight, the one that goes on too, and are read in pieces', async () => {
    const { read, askedNow } = room();
    const trends = await read();
    expect(trends).toMatchObject({
      since: new Date(midnight).toISOString(),
      until: new Date(midnight + minutes(725)).toISOString(),
      time_zone: 'Europe/Berlin',
    });
    expect(trends.quarters).toHaveLength(49);
    expect(trends.quarters[0]).toEqual({
      at: '2026-11-24T23:00:00.000Z',
      inbound_answered: 1,
      inbound_missed: 0,
      outbound_answered: 0,
      outbound_unanswered: 0,
      ready: 1,
      on_call: 0.5,
    });
    expect(trends.quarters.at(-1)).toMatchObject({ at: '2026-11-25T11:00:00.000Z', ready: 1, on_call: 0.5 });
    expect(askedNow()).toEqual([
      '00:00–02:00',
      '02:00–04:00',
      '04:00–06:00',
      '06:00–08:00',
      '08:00–10:00',
      '10:00–12:00',
      '12:00–12:05',
    ]);
  });

  it('are counted once for all who look within a minute, and then of the last half an hour alone', async () => {
    const { clock, read, askedNow, store } = room();
    await Promise.all(Array.from({ length: 20 }, () => read()));
    expect(askedNow()).toHaveLength(7);
    await clock.advance(minutes(0.9));
    await read();
    expect(askedNow()).toEqual([]);
    store.inbound = 3;
    await clock.advance(minutes(1));
    const { quarters } = await read();
    expect(askedNow()).toEqual(['11:30–12:06']);
    expect(quarters.map(({ inbound_answered: count }) => count)).toEqual([...Array<number>(46).fill(1), 3, 3, 3]);
    await clock.advance(minutes(121));
    expect((await read()).quarters.every(({ inbound_answered: count }) => count === 3)).toBe(true);
    expect(askedNow()[0]).toBe('00:00–02:00');
  });

  it('begin anew at midnight', async () => {
    const { clock, read, askedNow } = room();
    await read();
    askedNow();
    await clock.advance(minutes(12 * 60 + 5));
    const { since, quarters } = await read();
    expect([since, quarters.length]).toEqual(['2026-11-25T23:00:00.000Z', 1]);
    expect(askedNow()).toEqual(['00:00–00:10']);
  });

  it('can be those of a team, anew when other people are in it, and of no team that the company has not', async () => {
    const { clock, read, askedNow, team } = room();
    await read(team.id);
    expect(askedNow()[0]).toBe('00:00–02:00 of 1');
    team.version = 2;
    team.agentIds = [fresh<AgentId>(), fresh<AgentId>()];
    await clock.advance(minutes(2));
    await read(team.id);
    expect(askedNow()[0]).toBe('00:00–02:00 of 2');
    await expect(read(fresh<AgentId>() as string as TeamId)).rejects.toThrow('unknown_team');
  });

  it('go on where they could not be counted further', async () => {
    const { read, askedNow, store } = room();
    store.fails = true;
    await expect(read()).rejects.toThrow('cannot be reached');
    expect(askedNow()).toEqual(['00:00–02:00', '02:00–04:00', '04:00–06:00', '06:00–08:00']);
    store.fails = false;
    expect((await read()).quarters).toHaveLength(49);
    expect(askedNow()).toEqual(['05:30–07:30', '07:30–09:30', '09:30–11:30', '11:30–12:05']);
  });
});
