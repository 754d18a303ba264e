import type { Claims } from '../load/claims.ts';
import type { Softphones } from '../load/softphones.ts';
import { percentile } from '../measure/statistics.ts';
import type { Row } from '../report/rows.ts';
import { type BenchCase, crowdGoal } from './case.ts';

/** Softphones of one process of the bench: it may not have as many files open as it likes. */
const perProcess = 15_000;

/**
 * One click after the other, by any agent of a company that has few of them Ready, and once it has very many, at the
 * same gateways. All who are asked for are softphones of the one process that clicks: theirs is the first turn.
 */
export const crowdCase: BenchCase = {
  name: 'crowd',
  async run(room, plan) {
    const { few, many, softphones, gateways } = plan.crowd;
    const company = await room.company({ customers: plan.customers, agents: many });
    const tokens = company.agents.map(({ token }) => token);
    const urls = (await room.gateways(gateways)).gateways.map(({ url }) => url);
    const connect = (process: typeof first, from: number, to: number) =>
      process.ask('connect', { stack: 'readyline', urls, tokens: tokens.slice(from, to), ready: true });
    const first = room.worker<Softphones>('load/softphones.ts');
    const { apiKey, phones } = company;
    const path = '/api/integrations/cti/click-to-dial';
    const click = () => first.ask('clickInTurn', { url: urls[0] ?? '', path, apiKey, phones, count: plan.idleClicks });
    const measure = async () => {
      await click();
      const blocks = [];
      for (let repetition = 0; repetition < plan.repetitions; repetition++) blocks.push(await click());
      return blocks;
    };

    await connect(first, 0, few);
    const before = await measure();
    await connect(first, few, Math.min(softphones, perProcess));
    for (let from = perProcess; from < softphones; from += perProcess) {
      room.say(`  ${from.toLocaleString('en-US')} softphones are connected`);
      await connect(room.worker<Softphones>('load/softphones.ts'), from, Math.min(softphones, from + perProcess));
    }
    const others = room.worker<Claims>('load/claims.ts');
    await others.ask('open', { redisUrl: room.redisUrl });
    await others.ask('join', { companyId: company.id, agentIds: company.agents.slice(softphones).map(({ id }) => id) });
    room.say(`  ${many.toLocaleString('en-US')} agents are Ready`);
    const after = await measure();
    const row = (what: string, percent: number, of: 'toPop' | 'toAnswer'): Row => ({
      what: `${many.toLocaleString('en-US')} agents over ${String(gateways)} gateways: click ${what}, p${String(percent)}`,
      unit: 'ms',
      readyline: after.map((times) => percentile(times[of], percent)),
      bare: before.map((times) => percentile(times[of], percent)),
      goal: percent === 50 ? crowdGoal : null,
    });
    return [
      row('to the pop', 50, 'toPop'),
      row('to the pop', 99, 'toPop'),
      row('to the 201', 50, 'toAnswer'),
      row('to the 201', 99, 'toAnswer'),
    ];
  },
};
