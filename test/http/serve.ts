import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { createSystemClock } from '../../src/adapters/clock/systemClock.ts';
import { createLogger } from '../../src/adapters/observability/logger.ts';
import { createMetrics } from '../../src/adapters/observability/metrics.ts';
import type { Role } from '../../src/contract/vocabulary.ts';
import type { Principal } from '../../src/domain/access.ts';
import { toId, type AgentId, type CompanyId } from '../../src/domain/ids.ts';
import { ok, refuse } from '../../src/domain/outcome.ts';
import type { ScreenPopEntry } from '../../src/domain/screenPop.ts';
import { createHttpServer, type HttpServerOptions } from '../../src/http/server.ts';
import type { CompanyShare } from '../../src/usecases/concurrency/companyShare.ts';
import { createFairDoor } from '../../src/usecases/concurrency/fairDoor.ts';
import { createNeighbours } from '../../src/usecases/concurrency/neighbours.ts';
import type { Services } from '../../src/usecases/services.ts';
import { plainCompany, quietObserver } from '../support/stores/quietServices.ts';

export const companyId = toId<CompanyId>('0190a000-0000-7000-8000-000000000001');
export const otherCompanyId = toId<CompanyId>('0190a000-0000-7000-8000-000000000002');
const agentId = toId<AgentId>('0190a000-0000-7000-8000-0000000000a1');
export const platformToken = 'platform-token-of-the-tests';

/** Tokens: a role's name (this company), `foreign` (another company's admin), `expired`. Keys: `key`, `foreign-key`. */
export const authenticate: HttpServerOptions['authenticate'] = {
  async byToken(token) {
    if (token === 'expired') return refuse('token_expired', 'The token has expired.');
    if (token === 'foreign') return ok({ principal: agent('admin', otherCompanyId) });
    const roles: readonly string[] = ['admin', 'supervisor', 'agent', 'dialer'] satisfies Role[];
    if (!roles.includes(token)) return refuse('invalid_token', 'The token is not valid.');
    return ok({ principal: agent(token as Role, companyId) });
  },
  async byKey(key) {
    if (key === 'key') return ok({ kind: 'company_key', companyId, keyPrefix: 'rl_key' });
    if (key === 'foreign-key') return ok({ kind: 'company_key', companyId: otherCompanyId, keyPrefix: 'rl_for' });
    return refuse('invalid_api_key', 'The API key is not valid.');
  },
};

function agent(role: Role, company: CompanyId): Principal {
  return { kind: 'agent', companyId: company, agentId, agentCode: '1001', role, ledTeamIds: null };
}

/** The services that screen-pop routes use, in memory; any other that is touched fails the test. */
export function screenPopServices(entries = new Map<string, ScreenPopEntry>()): Services {
  const given: Partial<Services> = {
    screenPops: {
      upsert: async (_company, entry) => void entries.set(entry.phone, entry),
      upsertMany: async (_company, many) => many.forEach((entry) => entries.set(entry.phone, entry)),
      find: async (_company, phone) => entries.get(phone) ?? null,
      forget: async (_company, phone) => entries.delete(phone),
      keepLookedUp: async (_company, entry) => void entries.set(entry.phone, entry),
      forgetRecord: async () => 0,
      prune: async () => 0,
    },
    crmLookup: { find: async () => ({ kind: 'off' }), isPaused: () => false, forget: () => undefined },
    bulkPushes: new Map(),
    companyOf: async () => plainCompany(companyId),
    observer: quietObserver,
  };
  return withServices(given);
}

/** As of a company that is alone. */
const open: CompanyShare = { use: (_company, work) => work() };
const shares = { lists: open, lookUps: open, reports: open, searches: open };

/** Services of which only these exist, a clock, and a door and shares that are open. */
export function withServices(given: Partial<Services>): Services {
  return new Proxy(
    { clock: createSystemClock(), door: createFairDoor(createNeighbours()), shares, ...given },
    {
      get(target, name) {
        if (name in target) return target[name as keyof Services];
        throw new Error(`the test gave no service "${String(name)}"`);
      },
    },
  ) as Services;
}

export type Line = Record<string, unknown>;

/** A server on a free port of the loopback, closed with the test. `lines`: what it logged. */
export async function serve(options: Partial<HttpServerOptions> = {}) {
  const lines: Line[] = [];
  const server = createHttpServer({
    services: screenPopServices(),
    platform: {
      version: '0.0.0-test',
      mode: 'embedded',
      publicUrl: null,
      embedOrigins: [],
      isLocal: false,
      hasDemo: false,
      isDraining: () => false,
    },
    authenticate,
    platformToken,
    corsOrigins: [],
    demo: null,
    trustProxy: false,
    logger: createLogger('debug', { write: (text) => void lines.push(JSON.parse(text) as Line) }),
    metrics: createMetrics(),
    ...options,
  });
  const url = await listen(server);
  return { url, lines, server };
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}

export const asKey = { 'X-Service-Api-Key': 'key' };
export const as = (token: string) => ({ Authorization: `Bearer ${token}` });
