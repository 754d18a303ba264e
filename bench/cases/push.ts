import type { HttpLoader, HttpRequest } from '../load/http.ts';
import { costRows } from '../measure/costs.ts';
import { interleave } from '../measure/interleave.ts';
import type { Row } from '../report/rows.ts';
import { phoneOf } from '../room/company.ts';
import { loadServer, startBareRest, startGateway, type RestStack, type Throughput } from '../room/restStacks.ts';
import { throughputGoals, type BenchCase } from './case.ts';

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
    const ours = await startGateway(room, await room.company({ customers: 0, agents: 0 }));
    const bare = await startBareRest(room, await room.company({ customers: 0, agents: 0 }));
    const loader = room.worker<HttpLoader>('load/http.ts');

    const pushes =
      (stack: RestStack, path: string) =>
      (seconds = plan.seconds) => {
        const requests = Array.from({ length: single }, (_, index) => ({
          method: 'POST' as const,
          path,
          body: pushOf(index),
        }));
        const headers = { 'x-service-api-key': stack.company.apiKey, 'content-type': 'application/json' };
        return loadServer(room, loader, stack, { headers, requests, connections, seconds });
      };
    const bulks =
      (stack: RestStack, path: string) =>
      (seconds = plan.seconds) => {
        const requests = Array.from({ length: bulkConnections }, (_, index) => bulkOf(path, index));
        const headers = { 'x-service-api-key': stack.company.apiKey, 'content-type': 'application/x-ndjson' };
        return loadServer(room, loader, stack, { headers, requests, connections: bulkConnections, seconds }, bulkRows);
      };
    const contenders = {
      push: pushes(ours, '/api/integrations/inbound'),
      barePush: pushes(bare, '/push'),
      bulk: bulks(ours, '/api/integrations/inbound/bulk'),
      bareBulk: bulks(bare, '/bulk'),
    };
    for (const warmUp of Object.values(contenders)) await warmUp(plan.warmUpSeconds);
    const { push, barePush, bulk, bareBulk } = await interleave(plan.repetitions, contenders);
    return [
      rowOf('push; Express 5 and one upsert', 'requests/s', push, barePush, throughputGoals.push),
      rowOf('bulk push; Express 5 and upserts of 500 rows', 'rows/s', bulk, bareBulk, throughputGoals.bulk),
      ...costRows('push', costs(push), costs(barePush)),
      ...costRows('row of a bulk push', costs(bulk), costs(bareBulk)),
    ];
  },
};

function rowOf(what: string, unit: string, ours: Throughput[], bare: Throughput[], goal: Row['goal']): Row {
  const rates = (results: Throughput[]) => results.map(({ perSecond }) => perSecond);
  return { what, unit, readyline: rates(ours), bare: rates(bare), goal };
}

const costs = (results: Throughput[]) => results.map((result) => result.costs);

function pushOf(index: number): string {
  return JSON.stringify({
    phone_number: phoneOf(index),
    data: {
      name: `Customer ${index}`,
      email: `customer${index}@example.com`,
      account_number: `A-${index}`,
      open_tickets: index % 7,
    },
    external_system: 'crm',
    external_id: `C-${index}`,
    tier: 'gold',
  });
}

function bulkOf(path: string, part: number): HttpRequest {
  const lines = Array.from({ length: bulkRows }, (_, index) => pushOf(part * bulkRows + index));
  return { method: 'POST', path, body: lines.join('\n') };
}
