import { randomUUID } from 'node:crypto';
import type { Claims } from '../load/claims.ts';
import { interleave } from '../measure/interleave.ts';
import { ratios } from '../measure/statistics.ts';
import type { Row } from '../report/rows.ts';
import { throughputGoal, type BenchCase } from './case.ts';

/** Claims on the presence store in Redis, in companies of different sizes. */
export const claimsCase: BenchCase = {
  name: 'claims',
  async run(room, plan) {
    const worker = room.worker<Claims>('load/claims.ts');
    await worker.ask('open', { redisUrl: room.redisUrl });
    const companies = plan.ready.map((agents) => ({ agents, companyId: randomUUID() }));
    for (const company of companies) {
      room.say(`  making ${company.agents} agents Ready`);
      await worker.ask('fill', company);
    }
    const { claims, teams } = plan;
    const inTeams = { agents: teams.agents, companyId: randomUUID() };
    await worker.ask('fill', inTeams);
    const contenders = Object.fromEntries(
      companies.flatMap(({ agents, companyId }) => [
        [`readyline ${agents}`, () => worker.ask('claim', { stack: 'readyline', companyId, claims, teams: null })],
        [`bare ${agents}`, () => worker.ask('claim', { stack: 'bare', companyId, claims, teams: null })],
      ]),
    ) as Record<string, () => Promise<number>>;
    for (const [name, count] of [['any', null], ['teams', teams.count]] as const) {
      contenders[name] = () => worker.ask('claim', { stack: 'readyline', companyId: inTeams.companyId, claims, teams: count });
    }
    for (const warmUp of Object.values(contenders)) await warmUp();
    const rates = await interleave(plan.repetitions, contenders);
    const rows: Row[] = plan.ready.map((agents) => ({
      what: `claims with ${agents.toLocaleString('en-US')} Ready; ZPOPMIN and HSET`,
      unit: 'claims/s',
      readyline: rates[`readyline ${agents}`] ?? [],
      bare: rates[`bare ${agents}`] ?? [],
      goal: throughputGoal,
    }));
    const ofTeams: Row = {
      what: `time of a claim in one of ${teams.count} teams, ${teams.agents.toLocaleString('en-US')} agents Ready, in times of one of any agent`,
      unit: '×',
      readyline: ratios(rates['any'] ?? [], rates['teams'] ?? []),
      bare: null,
      goal: { atMost: 1.2 },
    };
    return [...rows, growthOf(plan.ready, rates), ofTeams];
  },
};

/** Logarithmic: a company ten thousand times as large costs as many times more as its logarithm is larger. */
function growthOf(sizes: readonly number[], rates: Record<string, number[]>): Row {
  const [least, most] = [Math.min(...sizes), Math.max(...sizes)];
  const [few, many] = [rates[`readyline ${least}`] ?? [], rates[`readyline ${most}`] ?? []];
  return {
    what: `time of a claim with ${most.toLocaleString('en-US')} Ready, in times of one with ${least}`,
    unit: '×',
    readyline: ratios(few, many),
    bare: null,
    goal: { atMost: Math.log(most) / Math.log(least) },
  };
}
