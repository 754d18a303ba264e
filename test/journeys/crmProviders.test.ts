import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { providers } from '../../src/providers/registry.ts';
import { fakedCrms, type FakedCrm } from '../support/crm/fakedCrms.ts';
import { html, type FakeCrm } from '../support/crm/fakeCrm.ts';
import { startGateway, type Gateway, type TestCompany } from '../support/gateway/gateway.ts';
import { createManualClock, type ManualClock } from '../support/time/manualClock.ts';
import { eventually } from '../support/time/waiting.ts';

/** Their last four digits occur nowhere else. */
const adas = '+14155557391';
const bobs = '+14155558642';
const ada = { name: 'Ada Byron', email: 'ada.byron@example.com', phone: adas };
const bob = { name: 'Bob Stranger', email: 'bob@example.com', phone: bobs };

/** What a company sees of its CRM, at the front door of a gateway. */
class Connected {
  readonly #gateway: Gateway;
  readonly #company: TestCompany;
  readonly #faked: FakedCrm;
  readonly crm: FakeCrm;
  readonly clock: ManualClock;

  constructor(parts: { gateway: Gateway; company: TestCompany; crm: FakeCrm; faked: FakedCrm; clock: ManualClock }) {
    this.#gateway = parts.gateway;
    this.#company = parts.company;
    this.#faked = parts.faked;
    this.crm = parts.crm;
    this.clock = parts.clock;
  }

  get hasTokens(): boolean {
    return this.#faked.hasTokens;
  }
  get provesByReading(): boolean {
    return this.#faked.provesByReading === true;
  }
  get name(): string {
    return this.#faked.name;
  }
  connect(credentials: object = this.crm.credentials) {
    const { options = {} } = this.#faked;
    return this.#gateway.as(this.#company).put('/api/integrations/crm').send({ provider: this.crm.id, credentials, options });
  }
  async connection() {
    return (await this.#gateway.as(this.#company).get('/api/integrations/crm').expect(200)).body.connection;
  }
  check() {
    return this.#gateway.as(this.#company).post('/api/integrations/check');
  }
  /** Which abilities work, and what they need. */
  async abilities(): Promise<Record<string, { works: boolean | null; needs: string | null; detail: string | null }>> {
    const { body } = await this.check().expect(200);
    return Object.fromEntries(body.abilities.map(({ ability, ...told }: { ability: string }) => [ability, told]));
  }
  lookUp(phone = adas) {
    return this.#gateway.api.get('/api/integrations/lookup').query({ phone }).set('X-Service-Api-Key', this.#company.key);
  }
  async found(phone = adas) {
    return (await this.lookUp(phone).expect(200)).body.screen_pop;
  }
}

type Cell = [sentence: string, shows: (one: Connected) => Promise<void>];

const connecting: Cell[] = [
  [
    'says who the gateway is there, and that all works which can be tried',
    async (one) => {
      expect((await one.connect().expect(200)).body.connection).toMatchObject({ name: one.name, state: 'connected', account: expect.stringMatching(/./) });
      expect(await one.abilities()).toMatchObject({ push: { works: false, needs: 'an address for its notices, made in the console' }, pull: { works: true, needs: null }, write_back: { works: true }, link: { works: true } });
    },
  ],
  [
    'refuses a wrong credential in its own words, and nothing is kept',
    async (one) => {
      const { body } = await one.connect(one.crm.wrongCredentials).expect(400);
      expect(body.errors[0]).toMatchObject({ path: 'credentials', code: 'refused_by_crm', params: { name: one.name, words: expect.stringMatching(/./) } });
      expect(await one.connection()).toBeNull();
    },
  ],
  [
    'is not connected while it is down',
    async (one) => {
      one.crm.failAll({ kind: 'answer', answer: html(503, 'Down for maintenance') });
      await one.connect().expect(503);
      expect(await one.connection()).toBeNull();
    },
  ],
  [
    'is not connected while it is asked too much',
    async (one) => {
      one.crm.failAll({ kind: 'answer', answer: one.crm.tooMany() });
      await one.connect().expect(503);
      expect(await one.connection()).toBeNull();
    },
  ],
  [
    'is not connected where the connection breaks',
    async (one) => {
      one.crm.failAll({ kind: 'reset' });
      await one.connect().expect(503);
      expect(await one.connection()).toBeNull();
    },
  ],
  [
    'may forbid to read, which a check tells with what is needed; or refuses all where nothing proves the credentials but reading',
    async (one) => {
      await one.connect().expect(200);
      one.crm.forbid('pull');
      if (one.provesByReading) return expect((await one.check().expect(400)).body.errors[0]).toMatchObject({ params: { name: one.name, words: expect.stringMatching(/./) } });
      expect((await one.abilities()).pull).toEqual({ works: false, needs: expect.stringMatching(/./), detail: expect.stringMatching(/./) });
    },
  ],
];

const looking: Cell[] = [
  [
    'finds one, with a link to the record',
    async (one) => {
      await one.connect().expect(200);
      const id = one.crm.addPerson(ada);
      one.crm.addPerson(bob);
      const pop = await one.found();
      expect(pop).toMatchObject({ name: ada.name, email: ada.email, phone: adas, external_system: one.crm.id, external_id: id });
      expect(decodeURIComponent(pop.record_url)).toContain(id);
    },
  ],
  [
    'finds several, each with a link, and leaves the choice to the agent',
    async (one) => {
      await one.connect().expect(200);
      const ids = [one.crm.addPerson(ada), one.crm.addPerson({ ...bob, phone: adas })];
      const { candidates, name } = await one.found();
      expect(candidates.map(({ id }: { id: string }) => id).toSorted()).toEqual(ids.toSorted());
      for (const { id, record_url } of candidates) expect(decodeURIComponent(record_url)).toContain(id);
      expect(name).toBeUndefined();
    },
  ],
  [
    'finds nobody, and is not asked again soon',
    async (one) => {
      await one.connect().expect(200);
      one.crm.addPerson(bob);
      expect((await one.lookUp().expect(404)).body.code).toBe('unknown_phone');
      const before = one.crm.heard.length;
      await one.lookUp().expect(404);
      expect(one.crm.heard.length).toBe(before);
    },
  ],
  [
    'may return a stranger, who is nobody',
    async (one) => {
      await one.connect().expect(200);
      one.crm.addPerson(bob);
      expect(await one.found(bobs)).toMatchObject({ name: bob.name });
      one.crm.failAll({ kind: 'mistakes', asked: adas.slice(-4), instead: bobs.slice(-4) });
      await one.lookUp().expect(404);
    },
  ],
  [
    'has a token that ends, which is replaced without anybody noticing; or none, and then nothing ends',
    async (one) => {
      await one.connect().expect(200);
      one.crm.addPerson(ada);
      one.crm.expireTokens();
      expect(await one.found()).toMatchObject({ name: ada.name });
      expect(one.crm.heard.some(({ path }) => /token/.test(path))).toBe(one.hasTokens);
    },
  ],
  [
    'asks for a look at credentials that are no longer good, and is left alone until then',
    async (one) => {
      await one.connect().expect(200);
      one.crm.failAll({ kind: 'answer', answer: { status: 401, headers: { 'content-type': 'application/json' }, body: '{"message":"revoked","error":"invalid_client","code":"INVALID_TOKEN"}' } });
      await one.lookUp().expect(404);
      expect(await one.connection()).toMatchObject({ state: 'needs_attention', detail: expect.stringMatching(/./) });
      const before = one.crm.heard.length;
      await one.lookUp(bobs).expect(404);
      expect(one.crm.heard.length).toBe(before);
    },
  ],
  [
    'is asked too much, which is no answer: it is asked again',
    async (one) => {
      await one.connect().expect(200);
      one.crm.addPerson(ada);
      const end = one.crm.failAll({ kind: 'answer', answer: one.crm.tooMany() });
      await one.lookUp().expect(404);
      expect(await one.connection()).toMatchObject({ state: 'connected' });
      end();
      expect(await one.found()).toMatchObject({ name: ada.name });
    },
  ],
  [
    'does not answer in time: whoever asks waits a second and a half, not longer',
    async (one) => {
      await one.connect().expect(200);
      one.crm.addPerson(ada);
      one.crm.failAll({ kind: 'hang' });
      const before = one.crm.heard.length;
      let answered = 0;
      const asking = one.lookUp().then(({ status }) => (answered = status));
      await eventually(() => one.crm.heard.length > before);
      await one.clock.advance(1_400);
      expect(answered).toBe(0);
      await one.clock.advance(200);
      expect(await asking).toBe(404);
    },
  ],
  [
    'breaks the connection, which is no answer: it is asked again',
    async (one) => {
      await one.connect().expect(200);
      one.crm.addPerson(ada);
      const end = one.crm.failAll({ kind: 'reset_after_commit' });
      await one.lookUp().expect(404);
      end();
      expect(await one.found()).toMatchObject({ name: ada.name });
    },
  ],
  [
    'is down: it is left alone after a while, which the console says, and asked again later',
    async (one) => {
      await one.connect().expect(200);
      one.crm.addPerson(ada);
      const end = one.crm.failAll({ kind: 'answer', answer: html(502, 'Bad gateway') });
      for (let times = 0; times < 5; times++) await one.lookUp(`+1415555000${times}`).expect(404);
      const before = one.crm.heard.length;
      await one.lookUp('+14155550009').expect(404);
      expect(one.crm.heard.length).toBe(before);
      expect((await one.connection()).paused_until).not.toBeNull();
      end();
      await one.clock.leap(31_000);
      expect(await one.found()).toMatchObject({ name: ada.name });
      expect((await one.connection()).paused_until).toBeNull();
    },
  ],
];

describe('the CRM systems of the catalog', () => {
  const addresses = new Map<string, string>();
  let clock: ManualClock;
  let gateway: Gateway;
  let companies = 0;

  beforeAll(async () => {
    clock = createManualClock(Date.now());
    // Rates run by the machine's clock, and are tried elsewhere.
    const crmSystems = providers.map((provider) => ({ ...provider, limits: { all: { count: 10_000, perMs: 1_000 }, searches: null } }));
    gateway = await startGateway('memory', { clock, crmSystems, config: { crmBaseUrls: addresses } });
  });
  afterAll(() => gateway.close());

  it('are all tried here', async () => {
    const company = await gateway.company({ slug: 'of-the-catalog' });
    const { body } = await gateway.as(company).get('/api/integrations').expect(200);
    expect(fakedCrms.map(({ name }) => name)).toEqual(body.providers.map(({ name }: { name: string }) => name));
  });

  describe.each(fakedCrms)('$name', (faked) => {
    let crm: FakeCrm;
    let one: Connected;

    beforeEach(async () => {
      crm = await faked.open();
      addresses.set(crm.id, crm.url);
      companies += 1;
      one = new Connected({ gateway, company: await gateway.company({ slug: `company-${companies}` }), crm, faked, clock });
    });
    afterEach(() => crm.close());

    it.each(connecting)('%s', (_sentence, shows) => shows(one));
    it.each(looking)('%s', (_sentence, shows) => shows(one));
  });
});
