import { bulkPushAnswer, inboundPushAnswer, lookupAnswer, type InboundPush } from '../../src/contract/screenPops.ts';
import type { Caller, GatewayApi } from '../gatewayApi.ts';
import { must, type Timeline } from './timeline.ts';

/** Single pushes under way at once: what a CRM with a pool of workers does. */
const workers = 64;
/** The bulk route takes up to 100,000 lines. */
const linesPerRequest = 50_000;

const path = '/api/integrations/inbound';

/** Pushes the first half as streams, the second one by one; then asks for one of each. */
export async function pushStoryCustomers(
  api: GatewayApi,
  crm: Caller,
  customers: readonly InboundPush[],
  timeline: Timeline,
): Promise<void> {
  const half = Math.ceil(customers.length / 2);
  const [bulk, single] = [customers.slice(0, half), customers.slice(half)];
  let begunAt = performance.now();
  for (let from = 0; from < bulk.length; from += linesPerRequest) {
    await pushLines(api, crm, bulk.slice(from, from + linesPerRequest));
  }
  timeline.step(`${String(bulk.length)} customers pushed as a stream (${perSecond(bulk.length, begunAt)})`);
  begunAt = performance.now();
  const waiting = single.values();
  await Promise.all(Array.from({ length: workers }, () => pushEach(api, crm, waiting)));
  timeline.step(
    `${String(single.length)} customers pushed one by one, ` +
      `${String(workers)} at a time (${perSecond(single.length, begunAt)})`,
  );
  for (const customer of [bulk.at(-1), single.at(-1)]) if (customer !== undefined) await lookUp(api, crm, customer);
  timeline.step('the last customer of each half is looked up and found as pushed');
}

async function pushLines(api: GatewayApi, crm: Caller, customers: readonly InboundPush[]): Promise<void> {
  const body = customers.map((customer) => `${JSON.stringify(customer)}\n`).join('');
  const pushed = await api.ask({ method: 'POST', path: `${path}/bulk`, answer: bulkPushAnswer, as: crm, body });
  must(pushed.accepted === customers.length, `all lines were accepted (${JSON.stringify(pushed.errors.slice(0, 3))})`);
}

/** One worker: takes customers off the shared iterator until it is empty. */
async function pushEach(api: GatewayApi, crm: Caller, waiting: Iterable<InboundPush>): Promise<void> {
  for (const body of waiting) {
    const pushed = await api.ask({ method: 'POST', path, answer: inboundPushAnswer, as: crm, body });
    must(pushed.phone_number === body.phone_number, 'a push is answered with its phone number');
  }
}

async function lookUp(api: GatewayApi, crm: Caller, { phone_number, data, tier }: InboundPush): Promise<void> {
  const query = new URLSearchParams({ phone: phone_number });
  const found = await api.ask({
    method: 'GET',
    path: `/api/integrations/lookup?${query}`,
    answer: lookupAnswer,
    as: crm,
  });
  const { name, vip_tier, crm: pushed } = found.screen_pop;
  must(
    name === data.name && vip_tier === tier && pushed?.['account_number'] === data.account_number,
    `${phone_number} is found as pushed`,
  );
}

function perSecond(count: number, begunAt: number): string {
  return `${String(Math.round((count * 1000) / (performance.now() - begunAt)))} per second`;
}
