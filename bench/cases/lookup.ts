import { bareEntryKey } from '../bare/keys.ts';
import type { HttpLoader } from '../load/http.ts';
import { costRows } from '../measure/costs.ts';
import { interleave } from '../measure/interleave.ts';
import type { Row } from '../report/rows.ts';
import type { BenchCompany } from '../room/company.ts';
import { loadServer, startBareRest, startGateway, type RestStack, type Throughput } from '../room/restStacks.ts';
import type { CaseRoom } from '../room/room.ts';
import { throughputGoals, type BenchCase } from './case.ts';

/** As many requests as are under way at a time. */
const connections = 32;

/** Reading what was pushed: the two routes, by company key and by token, against one SELECT and one GET. */
export const lookupCase: BenchCase = {
  name: 'lookup',
  async run(room, plan) {
    const company = await room.company({ customers: plan.customers, agents: 1 });
    await copyToRedis(room, company);
    const ours = await startGateway(room, company);
    const bare = await startBareRest(room, company);
    const tuned = await startBareRest(room, company, true);
    const loader = room.worker<HttpLoader>('load/http.ts');

    const byKey = { 'x-service-api-key': company.apiKey };
    const byToken = { authorization: `Bearer ${company.agents[0]?.token ?? ''}` };
    const reads =
      (stack: RestStack, path: string, headers: Record<string, string>) =>
      (seconds = plan.seconds) => {
        const requests = company.phones.map((phone) => ({
          method: 'GET' as const,
          path: `${path}?phone=${encodeURIComponent(phone)}`,
        }));
        return loadServer(room, loader, stack, { headers, requests, connections, seconds });
      };
    const contenders = {
      lookup: reads(ours, '/api/integrations/lookup', byKey),
      select: reads(bare, '/select', byKey),
      tunedSelect: reads(tuned, '/select', byKey),
      get: reads(bare, '/redis', byKey),
      screenPop: reads(ours, '/api/integrations/cti/screen-pop', byToken),
      selectByToken: reads(bare, '/select', byToken),
    };
    for (const warmUp of Object.values(contenders)) await warmUp(plan.warmUpSeconds);
    return rowsOf(await interleave(plan.repetitions, contenders));
  },
};

type Results = Record<'lookup' | 'select' | 'tunedSelect' | 'get' | 'screenPop' | 'selectByToken', Throughput[]>;

function rowsOf({ lookup, select, tunedSelect, get, screenPop, selectByToken }: Results): Row[] {
  const row = (what: string, ours: Throughput[], bare: Throughput[], goal: Row['goal']): Row => ({
    what,
    unit: 'requests/s',
    readyline: ours.map(({ perSecond }) => perSecond),
    bare: bare.map(({ perSecond }) => perSecond),
    goal,
  });
  const costs = (results: Throughput[]) => results.map((result) => result.costs);
  return [
    row('lookup by company key; Express 5 and one SELECT', lookup, select, throughputGoals.lookup),
    row('screen pop by token; Express 5 and one SELECT', screenPop, selectByToken, throughputGoals.lookup),
    row('lookup; the same on the gateway’s HTTP server settings', lookup, tunedSelect, throughputGoals.equalSettings),
    row('lookup; Express 5 and one Redis GET', lookup, get, null),
    ...costRows('lookup', costs(lookup), costs(select)),
  ];
}

/** The Redis variant of the bare stack has everything in memory. */
async function copyToRedis({ redis, pool }: Pick<CaseRoom, 'redis' | 'pool'>, company: BenchCompany): Promise<void> {
  const { rows } = await pool.query<{ phone: string }>(
    'SELECT phone, data, external_system, external_id, tier FROM screen_pop_entry WHERE company_id = $1',
    [company.id],
  );
  await redis.mset(rows.flatMap((row) => [bareEntryKey(company.id, row.phone), JSON.stringify(row)]));
}
