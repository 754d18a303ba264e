import type { BareRest } from '../bare/rest.ts';
import { bareEntryKey } from '../bare/keys.ts';
import type { HttpLoader } from '../load/http.ts';
import { interleave } from '../measure/interleave.ts';
import type { Row } from '../report/rows.ts';
import type { BenchCompany } from '../room/company.ts';
import type { CaseRoom } from '../room/room.ts';
import { throughputGoal, type BenchCase } from './case.ts';

/** As many requests as are under way at a time. */
const connections = 32;

/** Reading what was pushed: the two routes, by company key and by token, against one SELECT and one GET. */
export const lookupCase: BenchCase = {
  name: 'lookup',
  async run(room, plan) {
    const company = await room.company({ customers: plan.customers, agents: 1 });
    await copyToRedis(room, company);
    const gateway = await room.gateways(1);
    const credentials = { apiKey: company.apiKey, companyId: company.id, jwtSecret: room.jwtSecret };
    const { databaseUrl, redisUrl } = room;
    const [bare, tuned] = await Promise.all(
      [false, true].map(async (isTuned) => {
        const { url } = await room.worker<BareRest>('bare/rest.ts').ask('start', { ...credentials, databaseUrl, redisUrl, tuned: isTuned });
        return url;
      }),
    );
    const loader = room.worker<HttpLoader>('load/http.ts');

    const byKey = { 'x-service-api-key': company.apiKey };
    const byToken = { authorization: `Bearer ${company.agents[0]?.token ?? ''}` };
    const reads = (url: string, path: string, headers: Record<string, string>) => async (seconds = plan.seconds) => {
      const requests = company.phones.map((phone) => ({ method: 'GET' as const, path: `${path}?phone=${encodeURIComponent(phone)}` }));
      return (await loader.ask('load', { url, headers, requests, connections, seconds })).perSecond;
    };
    const contenders = {
      lookup: reads(gateway.url, '/api/integrations/lookup', byKey),
      select: reads(bare ?? '', '/select', byKey),
      tunedSelect: reads(tuned ?? '', '/select', byKey),
      get: reads(bare ?? '', '/redis', byKey),
      screenPop: reads(gateway.url, '/api/integrations/cti/screen-pop', byToken),
      selectByToken: reads(bare ?? '', '/select', byToken),
    };
    for (const warmUp of Object.values(contenders)) await warmUp(plan.warmUpSeconds);
    return rowsOf(await interleave(plan.repetitions, contenders));
  },
};

type Results = Record<'lookup' | 'select' | 'tunedSelect' | 'get' | 'screenPop' | 'selectByToken', number[]>;

function rowsOf({ lookup, select, tunedSelect, get, screenPop, selectByToken }: Results): Row[] {
  const unit = 'requests/s';
  return [
    { what: 'lookup by company key; Express 5 and one SELECT', unit, readyline: lookup, bare: select, goal: throughputGoal },
    { what: 'screen pop by token; Express 5 and one SELECT', unit, readyline: screenPop, bare: selectByToken, goal: throughputGoal },
    { what: 'lookup; the same on our HTTP server settings', unit, readyline: lookup, bare: tunedSelect, goal: null },
    { what: 'lookup; Express 5 and one Redis GET', unit, readyline: lookup, bare: get, goal: null },
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

