import { bareCallTable } from '../bare/tables.ts';
import type { BareClicks } from '../bare/clicks.ts';
import { bareIdleKey } from '../bare/keys.ts';
import type { Cluster } from '../../demo/cluster/topology.ts';
import type { Clicker, Softphones } from '../load/softphones.ts';
import type { Worker } from '../worker.ts';
import type { Plan } from '../plan.ts';
import type { BenchCompany } from './company.ts';
import type { CaseRoom } from './room.ts';

/** One stack with its servers, and its softphones all connected to the first server. */
export type ClickStack = {
  company: BenchCompany;
  /** Base URLs, by server. */
  urls: string[];
  pids: number[];
  softphones: Worker<Softphones>;
  /** Who clicks at the server of that index. */
  clickerAt(server: number): Clicker;
  /** The path of a lookup, without the query. */
  lookupPath: string;
};

/** So many gateways, and Ready agents on the first one. `env`: of the gateways. */
export async function startGateways(
  room: CaseRoom,
  plan: Plan,
  count: number,
  env: Readonly<Record<string, string>> = {},
): Promise<ClickStack & { cluster: Cluster }> {
  const company = await room.company({ customers: plan.customers, agents: plan.agents });
  const cluster = await room.gateways(count, { env });
  const urls = cluster.gateways.map(({ url }) => url);
  const softphones = room.worker<Softphones>('load/softphones.ts');
  await softphones.ask('connect', {
    stack: 'readyline',
    urls: urls.slice(0, 1),
    tokens: tokensOf(company),
    ready: true,
  });
  return {
    company,
    cluster,
    urls,
    softphones,
    lookupPath: '/api/integrations/lookup',
    pids: cluster.gateways.map(({ pid }) => pid),
    clickerAt: (server) => clicker(company, urls[server], '/api/integrations/cti/click-to-dial'),
  };
}

/** So many bare servers, and agents in the same number on the first one. */
export async function startBareServers(room: CaseRoom, plan: Plan, count: number): Promise<ClickStack> {
  await room.pool.query(bareCallTable);
  const company = await room.company({ customers: plan.customers, agents: plan.agents });
  await room.redis.del(bareIdleKey(company.id));
  const { databaseUrl, redisUrl, jwtSecret } = room;
  const options = { databaseUrl, redisUrl, jwtSecret, apiKey: company.apiKey, companyId: company.id };
  const servers = Array.from({ length: count }, () => room.worker<BareClicks>('bare/clicks.ts'));
  const urls = await Promise.all(servers.map(async (server) => (await server.ask('start', options)).url));
  const softphones = room.worker<Softphones>('load/softphones.ts');
  await softphones.ask('connect', { stack: 'bare', urls: urls.slice(0, 1), tokens: tokensOf(company), ready: true });
  return {
    company,
    urls,
    softphones,
    lookupPath: '/select',
    pids: servers.map(({ pid }) => pid),
    clickerAt: (server) => clicker(company, urls[server], '/click'),
  };
}

function tokensOf({ agents }: BenchCompany): string[] {
  return agents.map(({ token }) => token);
}

function clicker({ apiKey, phones }: BenchCompany, url: string | undefined, path: string): Clicker {
  if (url === undefined) throw new Error('there is no such server');
  return { url, path, apiKey, phones };
}
