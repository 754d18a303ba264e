import { createSystemClock } from '../../src/adapters/clock/systemClock.ts';
import { createCallRollUpStore } from '../../src/adapters/postgres/reports/callRollUps.ts';
import { createReportStore } from '../../src/adapters/postgres/reports/reportStore.ts';
import type { CompanyId } from '../../src/domain/ids.ts';
import { rollUpCalls } from '../../src/usecases/reports/rollUpCalls.ts';
import { percentile } from '../measure/statistics.ts';
import type { CallReport } from '../../src/contract/reports.ts';
import type { Row } from '../report/rows.ts';
import { fillCalls } from '../room/calls.ts';
import { startGateway } from '../room/restStacks.ts';
import type { CaseRoom } from '../room/room.ts';
import type { BenchCase } from './case.ts';

/** A supervisor's reports on a company with very many calls in a year. */
export const reportsCase: BenchCase = {
  name: 'reports',
  async run(room, plan) {
    const company = await room.company({ customers: 0, agents: plan.reports.agents, role: 'admin' });
    const [first] = company.agents;
    const agents = company.agents.map(({ id }) => id);
    room.say(`  making ${plan.reports.calls} calls`);
    await fillCalls(room.pool, company, plan.reports.calls);
    // Of 30 days what agents did, call by call; before, rolled up by quarter of an hour, nine hours a day.
    await room.pool.query(
      `INSERT INTO agent_state_change (company_id, agent_id, at, version, state)
      SELECT $1, agent_id, date_trunc('day', now()) - day * interval '1 day' + interval '8 hours'
        + call * interval '9 hours' / $3::int + state.ordinal * interval '2 minutes',
        call * 4 + state.ordinal, state.name
      FROM unnest($2::uuid[]) agent_id, generate_series(0, 29) day, generate_series(0, $3::int - 1) call,
        unnest(ARRAY['ready', 'reserved', 'on_call', 'wrap_up']) WITH ORDINALITY state (name, ordinal)`,
      [company.id, agents, Math.max(1, Math.round(plan.reports.calls / plan.reports.agents / 360))],
    );
    await room.pool.query(
      `INSERT INTO agent_time (company_id, at, agent_id, signed_in_ms, busy_ms, wrap_up_ms)
      SELECT $1, date_trunc('day', now()) - day * interval '1 day' + interval '8 hours'
        + quarter * interval '15 minutes', agent_id, 900000, 500000, 100000
      FROM unnest($2::uuid[]) agent_id, generate_series(30, 365) day, generate_series(0, 35) quarter`,
      [company.id, agents],
    );
    await room.pool.query(
      `INSERT INTO report_reach (company_id, rolled_up_until)
        VALUES ($1, date_trunc('day', now()) - interval '29 days')`,
      [company.id],
    );
    await room.pool.query('VACUUM ANALYZE call, agent_state_change, agent_time');
    const fromRecords = await countFromRecords(room, company.id, plan.repetitions);
    room.say('  rolling them up');
    const begunRollingUp = performance.now();
    const problem = (message: string, error: unknown) => {
      throw new Error(message, { cause: error });
    };
    await rollUpCalls(
      { callRollUps: createCallRollUpStore(room), clock: createSystemClock(), observer: { problem } },
      new AbortController().signal,
    );
    const rollingUp: Row = {
      what: 'rolling up a day of its calls, once and in the background',
      unit: 'ms',
      readyline: [(performance.now() - begunRollingUp) / 360],
      bare: null,
      goal: null,
    };
    await room.pool.query('VACUUM ANALYZE call_quarter, call_day');
    const { url } = await startGateway(room, company);
    const since = (days: number) => encodeURIComponent(new Date(Date.now() - days * 86_400_000).toISOString());
    const calls = plan.reports.calls.toLocaleString('en-US');
    const asked = {
      [`a year by day, ${calls} calls`]: `group_by=day&since=${since(365)}&time_zone=Europe/Berlin`,
      'the same by agent': `group_by=agent&since=${since(365)}`,
      'the same by disposition': `group_by=disposition&since=${since(365)}`,
      '30 days by hour of the day': `group_by=hour&since=${since(30)}&time_zone=Europe/Berlin`,
      'a day by agent': `group_by=agent&since=${since(1)}`,
    };
    const ask = async (query: string) => {
      const answer = await fetch(`${url}/api/reports/calls?${query}`, {
        headers: { authorization: `Bearer ${first?.token ?? ''}` },
      });
      if (!answer.ok) throw new Error(`a report was answered ${answer.status}: ${await answer.text()}`);
      return (await answer.json()) as CallReport;
    };
    const [year] = Object.values(asked);
    const { total } = await ask(year ?? '');
    if (total.calls !== plan.reports.calls)
      throw new Error(`of ${plan.reports.calls} calls ${total.calls} are reported`);
    const times = Object.fromEntries(Object.keys(asked).map((what) => [what, [] as number[]]));
    for (let repetition = -1; repetition < plan.repetitions; repetition += 1) {
      for (const [what, query] of Object.entries(asked)) {
        const measured: number[] = [];
        for (let n = 0; n < 3; n += 1) {
          const begun = performance.now();
          await ask(query);
          measured.push(performance.now() - begun);
        }
        // The first round warms up.
        if (repetition >= 0) times[what]?.push(percentile(measured, 50));
      }
    }
    return [
      ...Object.entries(times).map(([what, readyline]): Row => ({
        what,
        unit: 'ms',
        readyline,
        bare: null,
        goal: { atMost: 1_000 },
      })),
      fromRecords,
      rollingUp,
    ];
  },
};

/** What a year by day takes where nothing is rolled up: why it is. */
async function countFromRecords(room: CaseRoom, companyId: CompanyId, repetitions: number): Promise<Row> {
  const reports = createReportStore(room);
  const year = { since: new Date(Date.now() - 365 * 86_400_000), until: new Date(), agentIds: null };
  const readyline: number[] = [];
  for (let repetition = -1; repetition < repetitions; repetition += 1) {
    const begun = performance.now();
    await reports.calls(companyId, year, 'day', 'Europe/Berlin');
    // The first one warms up.
    if (repetition >= 0) readyline.push(performance.now() - begun);
  }
  return { what: 'a year by day where nothing is rolled up', unit: 'ms', readyline, bare: null, goal: null };
}
