import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hash } from '@node-rs/argon2';
import supertest from 'supertest';
import { createApp, type App, type AppOverrides } from '../../../src/app.ts';
import { Softphone, type SoftphoneOptions } from '../../../src/client/softphone.ts';
import type { Config } from '../../../src/config.ts';
import type { Services } from '../../../src/usecases/services.ts';
import { postgresEndsWithUs } from '../stores/embeddedPostgres.ts';
import { createDatabase } from '../stores/postgres.ts';
import { redisUrl } from '../stores/redis.ts';

export const platformToken = 'platform-token-of-the-tests';

/** `embedded`: as `npm start` runs it, with an own PostgreSQL; the others share the servers of the test run. */
export type StorageKind = 'embedded' | 'memory' | 'redis';

export type TestAgent = { id: string; agentCode: string; password: string; token: string };
export type TestCompany = { id: string; slug: string; adminToken: string; key: string; agents: TestAgent[] };

/** A gateway of its own for a test file, reached as its users reach it. */
export class Gateway {
  readonly app: App;
  readonly url: string;
  readonly api: ReturnType<typeof supertest>;
  readonly #softphones: Softphone[] = [];
  readonly #cleanUp: () => Promise<void>;

  constructor(app: App, url: string, cleanUp: () => Promise<void>) {
    this.app = app;
    this.url = url;
    this.api = supertest(url);
    this.#cleanUp = cleanUp;
  }

  /** A company with an admin, an API key and agents who are logged in. */
  async company(options: {
    slug: string;
    agents?: number;
    wrapUpSeconds?: number;
    webhookUrl?: string;
  }): Promise<TestCompany> {
    const { slug } = options;
    const password = 'a-password-of-the-tests';
    const email = `admin@${slug}.example`;
    const created = await this.api
      .post('/api/companies')
      .set('authorization', `Bearer ${platformToken}`)
      .send({ name: slug, slug, admin: { email, password } })
      .expect(201);
    const adminToken = await this.logIn({ email, password });
    const asAdmin = { authorization: `Bearer ${adminToken}` };
    const connected = await this.api
      .post('/api/integrations/connect')
      .set(asAdmin)
      .send({
        crm_provider: 'custom',
        ...(options.webhookUrl === undefined ? {} : { webhook_url: options.webhookUrl }),
      })
      .expect(200);
    if (options.wrapUpSeconds !== undefined) {
      await this.api.patch('/api/company').set(asAdmin).send({ wrap_up_seconds: options.wrapUpSeconds }).expect(200);
    }
    const company: TestCompany = {
      id: created.body.company.id,
      slug,
      adminToken,
      key: connected.body.api_key,
      agents: [],
    };
    for (let index = 0; index < (options.agents ?? 0); index++)
      company.agents.push(await this.agent(company, `a${100 + index}`));
    return company;
  }

  /** Requests of that agent, or of the company's admin. */
  as(who: Pick<TestCompany, 'adminToken'> | Pick<TestAgent, 'token'>): ReturnType<typeof supertest.agent> {
    return supertest.agent(this.url).set('authorization', `Bearer ${'adminToken' in who ? who.adminToken : who.token}`);
  }

  /** One more account of a company, logged in. */
  async agent(company: TestCompany, agentCode: string, role = 'agent'): Promise<TestAgent> {
    const password = `password-of-${agentCode}`;
    const created = await this.as(company)
      .post('/api/agents')
      .send({ agent_code: agentCode, name: `Agent ${agentCode}`, password, role })
      .expect(201);
    const token = await this.logIn({ agent_code: agentCode, company_slug: company.slug, password });
    return { id: created.body.id, agentCode, password, token };
  }

  async logIn(login: object): Promise<string> {
    return (await this.api.post('/api/auth/login').send(login).expect(200)).body.token;
  }

  /** A softphone, not yet connected; closed with the gateway. */
  softphone(agent: TestAgent, options: Partial<SoftphoneOptions> = {}): Softphone {
    const softphone = new Softphone({ url: this.url, token: agent.token, ...options });
    this.#softphones.push(softphone);
    return softphone;
  }

  /** A softphone that is connected and Ready. */
  async readySoftphone(agent: TestAgent, options: Partial<SoftphoneOptions> = {}): Promise<Softphone> {
    const softphone = this.softphone(agent, options);
    await softphone.connect();
    await softphone.setReady();
    return softphone;
  }

  /** The click of a CRM button. */
  click(company: TestCompany, body: object, headers: Record<string, string> = {}): supertest.Test {
    return this.api
      .post('/api/integrations/cti/click-to-dial')
      .set('X-Service-Api-Key', company.key)
      .set(headers)
      .send(body);
  }

  async close(): Promise<void> {
    for (const softphone of this.#softphones) softphone.close();
    await this.app.close();
    await this.#cleanUp();
  }
}

/** A gateway of a process that somebody else ends, as its users reach it. */
export function reach({ url }: { url: string }): Gateway {
  const listensAlready = () => Promise.reject(new Error('the gateway listens already'));
  return new Gateway(
    { demo: null, hasEarlierDemo: false, listen: listensAlready, close: async () => {} },
    url,
    async () => {},
  );
}

/**
 * A hundredth of what a password costs the processor in earnest.
 * It is verified as any other, by the costs that its hash names.
 */
const quick = { memoryCost: 8, timeCost: 1, parallelism: 1, outputLen: 32 };

function withQuickPasswords(services: Services): Services {
  return { ...services, passwords: { ...services.passwords, hash: (password) => hash(password, quick) } };
}

/** Starts a gateway on free ports; one that is not embedded spends little on passwords. */
export async function startGateway(
  storage: StorageKind = 'memory',
  overrides: AppOverrides & { config?: Partial<Config> } = {},
): Promise<Gateway> {
  const dataDir = await mkdtemp(join(tmpdir(), 'readyline-gateway-'));
  const needsDatabase = storage !== 'embedded' && !overrides.config?.databaseUrl;
  const database = needsDatabase ? await createDatabase() : null;
  const config: Config = {
    mode: storage === 'embedded' ? 'embedded' : 'scaled',
    port: 0,
    host: '127.0.0.1',
    databaseUrl: database?.url ?? null,
    redisUrl: storage === 'redis' ? await redisUrl() : null,
    dataDir,
    publicUrl: null,
    corsOrigins: [],
    embedOrigins: [],
    isLocal: true,
    trustProxy: false,
    jwtSecret: null,
    encryptionKey: null,
    platformToken,
    bootstrap: null,
    webhookNetworks: 'loopback',
    keepReportsMonths: 13,
    crmBaseUrls: new Map(),
    ctiBaseUrls: new Map(),
    drainSeconds: 0,
    logLevel: 'silent',
    ...overrides.config,
  };
  const cleanUp = async () => {
    orphan?.forget();
    await database?.drop();
    await rm(dataDir, { recursive: true, force: true });
  };
  const wrap = (services: Services) => overrides.wrap?.(services) ?? services;
  const app = await createApp(
    config,
    storage === 'embedded' ? overrides : { ...overrides, wrap: (services) => wrap(withQuickPasswords(services)) },
  );
  const orphan = storage === 'embedded' ? postgresEndsWithUs(dataDir) : null;
  try {
    return new Gateway(app, (await app.listen()).url, cleanUp);
  } catch (error) {
    await app.close();
    await cleanUp();
    throw error;
  }
}
