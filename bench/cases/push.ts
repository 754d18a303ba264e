import type { BareRest } from '../bare/rest.ts';
import type { HttpLoader, HttpRequest } from '../load/http.ts';
import { interleave } from '../measure/interleave.ts';
import { phoneOf } from '../room/company.ts';
import { throughputGoal, type BenchCase } from './case.ts';

const connections = 32;
const bulkConnections = 2;
/** Rows of one bulk request. */
const bulkRows = 2_000;
/** Customers that are pushed again and again. */
const single = 6_400;

/** Writing what a CRM knows: one customer per request, and many as a stream. */
export const pushCase: BenchCase = {
  name: 'push',
  async run(room, plan) {
    const [company, bareCompany] = await Promise.all([
      room.company({ customers: 0, agents: 0 }),
      room.company({ customers: 0, agents: 0 }),
    ]);
    const gateway = await room.gateways(1);
    const { databaseUrl, redisUrl, jwtSecret } = room;
    const credentials = { apiKey: bareCompany.apiKey, companyId: bareCompany.id, jwtSecret };
    const bare = await room.worker<BareRest>('bare/rest.ts').ask('start', { ...credentials, databaseUrl, redisUrl, tuned: false });
    const loader = room.worker<HttpLoader>('load/http.ts');

    const ours = { 'x-service-api-key': company.apiKey };
    const theirs = { 'x-service-api-key': bareCompany.apiKey };
    const pushes = (url: string, path: string, key: Record<string, string>) => async (seconds = plan.seconds) => {
      const requests = Array.from({ length: single }, (_, index) => ({ method: 'POST' as const, path, body: pushOf(index) }));
      const headers = { ...key, 'content-type': 'application/json' };
      return (await loader.ask('load', { url, headers, requests, connections, seconds })).perSecond;
    };
    const bulks = (url: string, path: string, key: Record<string, string>) => async (seconds = plan.seconds) => {
      const requests = Array.from({ length: bulkConnections }, (_, index) => bulkOf(path, index));
      const headers = { ...key, 'content-type': 'application/x-ndjson' };
      const { perSecond } = await loader.ask('load', { url, headers, requests, connections: bulkConnections, seconds });
      return perSecond * bulkRows;
    };
    const contenders = {
      push: pushes(gateway.url, '/api/integrations/inbound', ours),
      barePush: pushes(bare.url, '/push', theirs),
      bulk: bulks(gateway.url, '/api/integrations/inbound/bulk', ours),
      bareBulk: bulks(bare.url, '/bulk', theirs),
    };
    for (const warmUp of Object.values(contenders)) await warmUp(plan.warmUpSeconds);
    const { push, barePush, bulk, bareBulk } = await interleave(plan.repetitions, contenders);
    return [
      { what: 'push; Express 5 and one upsert', unit: 'requests/s', readyline: push, bare: barePush, goal: throughputGoal },
      { what: 'bulk push; Express 5 and upserts of 500 rows', unit: 'rows/s', readyline: bulk, bare: bareBulk, goal: throughputGoal },
    ];
  },
};

function pushOf(index: number): string {
  return JSON.stringify({
    phone_number: phoneOf(index),
    data: { name: `Customer ${index}`, email: `customer${index}@example.com`, account_number: `A-${index}`, open_tickets: index % 7 },
    external_system: 'crm',
    external_id: `C-${index}`,
    tier: 'gold',
  });
}

function bulkOf(path: string, part: number): HttpRequest {
  const lines = Array.from({ length: bulkRows }, (_, index) => pushOf(part * bulkRows + index));
  return { method: 'POST', path, body: lines.join('\n') };
}
