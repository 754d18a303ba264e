import { randomUUID } from 'node:crypto';
import type { Claimed, Claims } from '../load/claims.ts';
import { interleave } from '../measure/interleave.ts';
import { ratios } from '../measure/statistics.ts';
import type { Row } from '../report/rows.ts';
import { claimGoal, type BenchCase } from './case.ts';

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
    const teamless = { agents: teams.agents, companyId: randomUUID() };
    await worker.ask('fill', inTeams);
    await worker.ask('fill', teamless);
    const any = { kind: 'any' } as const;
    const contenders = Object.fromEntries(
      companies.flatMap(({ agents, companyId }) => [
        [`readyline ${agents}`, () => worker.ask('claim', { stack: 'readyline', companyId, claims, of: any })],
        [`bare ${agents}`, () => worker.ask('claim', { stack: 'bare', companyId, claims, of: any })],
      ]),
    ) as Record<string, () => Promise<number>>;
    const few = { kind: 'few', size: Math.ceil(teams.agents / teams.count) } as const;
    for (const [name, of] of Object.entries<Claimed>({
      any,
      teams: { kind: 'teams', count: teams.count },
      two: { kind: 'two' },
      few,
    })) {
      contenders[name] = () => worker.ask('claim', { stack: 'readyline', companyId: inTeams.companyId, claims, of });
    }
    for (const [name, { companyId }] of [
      ['changes', inTeams],
      ['changes without teams', teamless],
    ] as const) {
      contenders[name] = () => worker.ask('change', { companyId, changes: claims });
    }
    for (const warmUp of Object.values(contenders)) await warmUp();
    const rates = await interleave(plan.repetitions, contenders);
    const rows: Row[] = plan.ready.map((agents) => ({
      what: `claims with ${agents.toLocaleString('en-US')} Ready; ZPOPMIN and HSET`,
      unit: 'claims/s',
      readyline: rates[`readyline ${agents}`] ?? [],
      bare: rates[`bare ${agents}`] ?? [],
      goal: claimGoal,
    }));
    const [companyText, atMost] = [`${teams.agents.toLocaleString('en-US')} agents Ready`, 1.2];
    const inTimesOf = (what: string, one: string, other: string): Row => ({
      what,
      unit: '×',
      readyline: ratios(rates[one] ?? [], rates[other] ?? []),
      bare: null,
      goal: { atMost },
    });
    return [
      ...rows,
      growthOf(plan.ready, rates),
      inTimesOf(
        `time of a claim in one of ${teams.count} teams, ${companyText}, in times of one of any agent`,
        'any',
        'teams',
      ),
      inTimesOf(
        `time of a claim in a team of ${few.size}, two of them Ready among ${companyText}, ` +
          'in times of one of any agent',
        'two',
        'few',
      ),
      inTimesOf(
        `time of a change of an agent’s state in a company of ${teams.count} teams, in times of one without`,
        'changes without teams',
        'changes',
      ),
    ];
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
