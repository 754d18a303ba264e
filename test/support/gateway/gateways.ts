import { Redis } from 'ioredis';
import { companiesKey, companyKeys, agentKey, leasesKey } from '../../../src/adapters/redis/keys.ts';
import type { AppOverrides } from '../../../src/app.ts';
import type { Config } from '../../../src/config.ts';
import { toId, type AgentId, type CompanyId, type NodeId } from '../../../src/domain/ids.ts';
import { nextDeadline, type Presence } from '../../../src/domain/presence.ts';
import type { Softphones } from '../../../src/ports/softphones.ts';
import type { Services } from '../../../src/usecases/services.ts';
import { openBreakableLine, type BreakableLine } from './breakableLine.ts';
import { gate, type Gate } from '../time/gate.ts';
import { startGateway, type Gateway, type TestAgent, type TestCompany } from './gateway.ts';
import { createDatabase } from '../stores/postgres.ts';
import { redisUrl } from '../stores/redis.ts';

/** Before what a gateway does to the stores; `found`: after it was found. `offer`: to a softphone, wherever it is. */
const gated = ['claim', 'find', 'found', 'commit', 'offer', 'recordCall', 'freeKey', 'renewLease', 'takeTurn'] as const;
/** What is told to softphones without waiting for an answer. */
type Telling = 'agentChanged' | 'callChanged' | 'messagesChanged' | 'pop' | 'rescind';

/** What a test does to one of the gateways. */
export class Meddling {
  gates: Record<(typeof gated)[number], Gate> = openGates();
  /** Messages that never leave this gateway. */
  readonly lost = new Set<Telling>();
  /** What came of each offer that this gateway made. */
  readonly offers: string[] = [];
  /** Whether the store does what it is asked without an answer that arrives. */
  #losesAnswersOf: 'commit' | null = null;
  /** True: this gateway gets each turn that it asks for, so that all of them do what one should do. */
  takesEveryTurn = false;
  /** To Redis: cut, it is a gateway without its store; held, a gateway that stands still. */
  readonly toRedis: BreakableLine;
  readonly toPostgres: BreakableLine;

  #services: Services | null = null;

  constructor(lines: { toRedis: BreakableLine; toPostgres: BreakableLine }) {
    this.toRedis = lines.toRedis;
    this.toPostgres = lines.toPostgres;
  }

  /** As other gateways know this one. */
  get nodeId(): NodeId {
    return this.#present.nodeId;
  }

  get #present(): Services {
    if (this.#services === null) throw new Error('the gateway has not started');
    return this.#services;
  }

  /** From now on the store does what it is asked, and the answer does not arrive. */
  loseAnswers(of: 'commit'): void {
    this.#losesAnswersOf = of;
  }

  /** Whatever was done is undone. */
  end(): void {
    this.#losesAnswersOf = null;
    for (const each of Object.values(this.gates)) each.open();
    this.gates = openGates();
    this.lost.clear();
    this.offers.length = 0;
    this.takesEveryTurn = false;
    for (const line of [this.toRedis, this.toPostgres]) {
      line.release();
      line.mend();
    }
  }

  /** As the store has it. Throws for an agent who is offline. */
  async presenceOf(company: TestCompany, agent: TestAgent): Promise<Presence> {
    const found = await this.findPresence(company, agent);
    if (!found) throw new Error('the agent is offline');
    return found;
  }

  /** Null: the agent is offline, or the store has lost it and has not learned of it again. */
  findPresence(company: TestCompany, agent: TestAgent): Promise<Presence | null> {
    return this.#present.presence.find(toId<CompanyId>(company.id), toId<AgentId>(agent.id));
  }

  wrap(services: Services): Services {
    const { presence, calls, idempotency, nodes, softphones, observer } = services;
    this.#services = services;
    return {
      ...services,
      presence: {
        ...presence,
        claim: (...args) => this.gates.claim.pass(() => presence.claim(...args)),
        find: (...args) =>
          this.gates.find.pass(async () => {
            const { found } = this.gates;
            const answer = await presence.find(...args);
            return found.pass(async () => answer);
          }),
        commit: (...args) =>
          this.gates.commit.pass(async () => {
            const outcome = await presence.commit(...args);
            if (this.#losesAnswersOf === 'commit') throw new Error('the answer of the store was lost');
            return outcome;
          }),
      },
      calls: { ...calls, create: (...args) => this.gates.recordCall.pass(() => calls.create(...args)) },
      idempotency: {
        ...idempotency,
        abandon: (...args) => this.gates.freeKey.pass(() => idempotency.abandon(...args)),
      },
      nodes: {
        ...nodes,
        renew: () => this.gates.renewLease.pass(() => nodes.renew()),
        takeTurn: (...args) =>
          this.gates.takeTurn.pass(async () => this.takesEveryTurn || (await nodes.takeTurn(...args))),
      },
      softphones: {
        ...softphones,
        ...this.#unlessLost(softphones),
        offer: (...args) => this.gates.offer.pass(() => softphones.offer(...args)),
        offerTransfer: (...args) => this.gates.offer.pass(() => softphones.offerTransfer(...args)),
      },
      observer: {
        ...observer,
        offer: (outcome) => {
          this.offers.push(outcome);
          observer.offer(outcome);
        },
      },
    };
  }

  #unlessLost(softphones: Softphones): Pick<Softphones, Telling> {
    const unless = (telling: Telling, tell: () => void) => {
      if (!this.lost.has(telling)) tell();
    };
    return {
      agentChanged: (...args) => unless('agentChanged', () => softphones.agentChanged(...args)),
      callChanged: (...args) => unless('callChanged', () => softphones.callChanged(...args)),
      messagesChanged: (...args) => unless('messagesChanged', () => softphones.messagesChanged(...args)),
      pop: (...args) => unless('pop', () => softphones.pop(...args)),
      rescind: (...args) => unless('rescind', () => softphones.rescind(...args)),
    };
  }
}

function openGates(): Meddling['gates'] {
  return Object.fromEntries(gated.map((name) => [name, gate()])) as Meddling['gates'];
}

/** A gateway among others, in this process. */
export type MeddledGateway = Gateway & { meddling: Meddling };

/** Several gateways on one Redis and one PostgreSQL. */
export class Gateways {
  readonly all: readonly MeddledGateway[];
  /** What they share; a further gateway takes it too. */
  readonly config: Partial<Config>;
  /** A connection of the test's own. */
  readonly redis: Redis;
  readonly #cleanUp: () => Promise<void>;

  constructor(parts: { all: MeddledGateway[]; config: Partial<Config>; redis: Redis; cleanUp: () => Promise<void> }) {
    this.all = parts.all;
    this.config = parts.config;
    this.redis = parts.redis;
    this.#cleanUp = parts.cleanUp;
  }

  /** For a further gateway in a process of its own. */
  get environment(): Record<string, string> {
    const { databaseUrl, redisUrl: url, jwtSecret, encryptionKey } = this.config;
    return {
      DATABASE_URL: databaseUrl ?? '',
      REDIS_URL: url ?? '',
      JWT_SECRET: jwtSecret?.toString() ?? '',
      ENCRYPTION_KEY: encryptionKey?.toString('base64') ?? '',
    };
  }

  /** Each of them, by its place. */
  at(place: number): MeddledGateway {
    const gateway = this.all[place];
    if (gateway === undefined) throw new Error(`there is no gateway ${place}`);
    return gateway;
  }

  /** Ends all meddling; for after each test. */
  endMeddling(): void {
    for (const { meddling } of this.all) meddling.end();
  }

  /** Whether others can tell a gateway anything. */
  async hears({ meddling }: MeddledGateway): Promise<boolean> {
    const answer = await this.redis.call('PUBSUB', 'SHARDNUMSUB', `readyline:node:${meddling.nodeId}`);
    return Array.isArray(answer) && answer[1] === 1;
  }

  /** The lease of a gateway that does not renew it lapses now rather than in seconds. */
  async lapse(nodeId: NodeId): Promise<void> {
    await this.redis.zadd(leasesKey, 1, nodeId);
  }

  /** The same of all that are in no process of the test's. */
  async lapseOthers(): Promise<void> {
    const own = new Set<string>(this.all.map(({ meddling }) => meddling.nodeId));
    const leased = await this.redis.zrange(leasesKey, '0', '-1');
    for (const nodeId of leased) if (!own.has(nodeId)) await this.lapse(toId<NodeId>(nodeId));
  }

  /** A gateway renews its lease no more, and the lease has lapsed. */
  async stopRenewing({ meddling }: MeddledGateway): Promise<void> {
    const renewing = gate();
    renewing.shut();
    meddling.gates.renewLease = renewing;
    await renewing.reached();
    await this.lapse(meddling.nodeId);
  }

  /** As the store has it. Throws for an agent who is offline. */
  presenceOf(company: TestCompany, agent: TestAgent): Promise<Presence> {
    return this.at(0).meddling.presenceOf(company, agent);
  }

  findPresence(company: TestCompany, agent: TestAgent): Promise<Presence | null> {
    return this.at(0).meddling.findPresence(company, agent);
  }

  /** What the agent is reserved for lapses now. */
  async lapseReservation(ofCompany: TestCompany, ofAgent: TestAgent): Promise<void> {
    const [company, agent] = [toId<CompanyId>(ofCompany.id), toId<AgentId>(ofAgent.id)];
    await this.redis
      .multi()
      .hset(agentKey(company, agent), 'expiresAt', 1)
      .hincrby(agentKey(company, agent), 'version', 1)
      .zadd(companyKeys(company).deadlines, 1, agent)
      .zadd(companiesKey, 0, company)
      .exec();
  }

  /** Makes the agent's connection lost for so much longer, as the store has it. */
  async age(ofCompany: TestCompany, ofAgent: TestAgent, ms: number): Promise<void> {
    const [company, agent] = [toId<CompanyId>(ofCompany.id), toId<AgentId>(ofAgent.id)];
    const presence = await this.presenceOf(ofCompany, ofAgent);
    const connectionSince = presence.connectionSince - ms;
    const deadline = nextDeadline({ ...presence, connectionSince }) ?? 0;
    await this.redis
      .multi()
      .hset(agentKey(company, agent), 'connectionSince', connectionSince)
      // A gateway that is about to write what it read before has to look again.
      .hincrby(agentKey(company, agent), 'version', 1)
      .zadd(companyKeys(company).deadlines, deadline, agent)
      .zadd(companiesKey, 0, company)
      .exec();
  }

  async close(): Promise<void> {
    this.endMeddling();
    await Promise.all(this.all.map((gateway) => gateway.close()));
    this.redis.disconnect();
    await this.#cleanUp();
  }
}

/** Starts so many gateways in this process. */
export async function startGateways(
  count: number,
  { config: more, ...overrides }: Pick<AppOverrides, 'clock'> & { config?: Partial<Config> } = {},
): Promise<Gateways> {
  const database = await createDatabase();
  const url = await redisUrl();
  const secrets = { jwtSecret: Buffer.from('secret of the tests, of 32 bytes'), encryptionKey: Buffer.alloc(32, 2) };
  const config: Partial<Config> = { ...more, ...secrets, databaseUrl: database.url, redisUrl: url };
  const lines: BreakableLine[] = [];
  const all: MeddledGateway[] = [];
  for (let place = 0; place < count; place++) {
    const [toRedis, toPostgres] = [await openBreakableLine(url), await openBreakableLine(database.url)];
    lines.push(toRedis, toPostgres);
    const meddling = new Meddling({ toRedis, toPostgres });
    const wrap = (services: Services) => meddling.wrap(services);
    const through = {
      ...config,
      redisUrl: toRedis.url.replace('http:', 'redis:') + new URL(url).pathname,
      databaseUrl: databaseBy(toPostgres, database.url),
    };
    all.push(Object.assign(await startGateway('redis', { ...overrides, wrap, config: through }), { meddling }));
  }
  const cleanUp = async () => {
    await Promise.all(lines.map((line) => line.close()));
    await database.drop();
  };
  return new Gateways({ all, config, redis: new Redis(url), cleanUp });
}

/** The same database, by the line. */
function databaseBy(line: BreakableLine, databaseUrl: string): string {
  const { username, password, pathname } = new URL(databaseUrl);
  const url = new URL(line.url.replace('http:', 'postgresql:') + pathname);
  [url.username, url.password] = [username, password];
  return url.href;
}
