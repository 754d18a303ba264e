import { percentile } from '../measure/statistics.ts';
import type { CallReport } from '../../src/contract/reports.ts';
import type { Row } from '../report/rows.ts';
import { startGateway } from '../room/restStacks.ts';
import type { BenchCase } from './case.ts';

/** A supervisor's reports on a company with very many calls in a year. */
export const reportsCase: BenchCase = {
  name: 'reports',
  async run(room, plan) {
    const company = await room.company({ customers: 0, agents: plan.reports.agents, role: 'admin' });
    const [first] = company.agents;
    room.say(`  making ${plan.reports.calls} calls`);
    // Over 360 days, the latest now; three of four answered, one of five inbound.
    await room.pool.query(
      `INSERT INTO call (company_id, id, agent_id, direction, trigger, state, phone, created_at, answered_at, ended_at, end_reason, disposition_code, disposition_label, disposed_at)
      SELECT $1, (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7' || substr(md5(n::text), 1, 3) || '8' || substr(md5(n::text), 4, 15))::uuid, ($2::uuid[])[1 + n % cardinality($2::uuid[])],
        CASE WHEN n % 5 = 0 THEN 'inbound' ELSE 'outbound' END, 'manual_dial', 'ended', '+4930' || (1000000 + n % 500000), at,
        CASE WHEN n % 4 > 0 THEN at + interval '7 seconds' END, at + interval '3 minutes', 'completed', CASE n % 3 WHEN 0 THEN 'resolved' WHEN 1 THEN 'other' END, CASE n % 3 WHEN 0 THEN 'Resolved' WHEN 1 THEN 'Other' END, at + interval '4 minutes'
      FROM (SELECT n, now() - n * (interval '360 days' / $3::int) AS at FROM generate_series(1, $3::int) n) made`,
      [company.id, company.agents.map(({ id }) => id), plan.reports.calls],
    );
    await room.pool.query('ANALYZE call');
    const { url } = await startGateway(room, company);
    const since = (days: number) => encodeURIComponent(new Date(Date.now() - days * 86_400_000).toISOString());
    const asked = {
      [`a year by day, ${plan.reports.calls.toLocaleString('en-US')} calls`]: `group_by=day&since=${since(365)}&time_zone=Europe/Berlin`,
      'the same by agent': `group_by=agent&since=${since(365)}`,
      '30 days by hour of the day': `group_by=hour&since=${since(30)}&time_zone=Europe/Berlin`,
      'a day by agent': `group_by=agent&since=${since(1)}`,
    };
    const ask = async (query: string) => {
      const answer = await fetch(`${url}/api/reports/calls?${query}`, { headers: { authorization: `Bearer ${first?.token ?? ''}` } });
      if (!answer.ok) throw new Error(`a report was answered ${answer.status}: ${await answer.text()}`);
      return (await answer.json()) as CallReport;
    };
    const [year] = Object.values(asked);
    const { total } = await ask(year ?? '');
    if (total.calls !== plan.reports.calls) throw new Error(`of ${plan.reports.calls} calls ${total.calls} are reported`);
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
    return Object.entries(times).map(([what, readyline]): Row => ({ what, unit: 'ms', readyline, bare: null, goal: { atMost: 1_000 } }));
  },
};
