import type { BareRest } from '../bare/rest.ts';
import type { HttpLoad, HttpLoader } from '../load/http.ts';
import { costsOf, type Costs } from '../measure/costs.ts';
import type { Worker } from '../worker.ts';
import type { BenchCompany } from './company.ts';
import type { CaseRoom } from './room.ts';

/** A server of one stack, and the company whose data it is asked for. */
export type RestStack = { url: string; pid: number; company: BenchCompany };
export type Throughput = { perSecond: number; costs: Costs };

/** One gateway for a company. */
export async function startGateway(room: CaseRoom, company: BenchCompany): Promise<RestStack> {
  const [gateway] = (await room.gateways(1)).gateways;
  if (gateway === undefined) throw new Error('no gateway was started');
  return { url: gateway.url, pid: gateway.pid, company };
}

/** @param tuned on the HTTP server settings of the gateway */
export async function startBareRest(room: CaseRoom, company: BenchCompany, tuned = false): Promise<RestStack> {
  const { databaseUrl, redisUrl, jwtSecret } = room;
  const server = room.worker<BareRest>('bare/rest.ts');
  const credentials = { apiKey: company.apiKey, companyId: company.id, jwtSecret };
  const { url } = await server.ask('start', { ...credentials, databaseUrl, redisUrl, tuned });
  return { url, pid: server.pid, company };
}

/** Loads a server as hard as it can. @param each how many rows a request holds; costs and throughput are per row */
export async function loadServer(
  room: CaseRoom,
  loader: Worker<HttpLoader>,
  { pid, url }: RestStack,
  load: Omit<HttpLoad, 'url'>,
  each = 1,
): Promise<Throughput> {
  const { postgresPid, redisPid } = room;
  const { result, costs } = await costsOf({ servers: [pid], postgresPid, redisPid }, async () => {
    const { perSecond } = await loader.ask('load', { ...load, url });
    return { result: perSecond * each, requests: perSecond * each * load.seconds };
  });
  return { perSecond: result, costs };
}
