import { createHmac, randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startCluster, type Cluster } from '../../demo/cluster/topology.ts';
import { waitAtMost } from '../../src/adapters/postgres/companies/crmNoticeStore.ts';
import type { Services } from '../../src/usecases/services.ts';
import { fakes } from '../support/crm/allFakes.ts';
import type { FakeCrm, Heard } from '../support/crm/fakeCrm.ts';
import { InboundRoom } from '../support/crm/inboundRoom.ts';
import { type Address, publicUrl } from '../support/crm/notices.ts';
import { type Gateway, platformToken, reach, startGateway, type TestCompany } from '../support/gateway/gateway.ts';
import { createDatabase, type TestDatabase } from '../support/stores/postgres.ts';
import { redisUrl } from '../support/stores/redis.ts';
import { gate } from '../support/time/gate.ts';
import { eventually } from '../support/time/waiting.ts';

const secret = randomBytes(32);

/** What HubSpot tells of contacts, signed by it. */
function told({ secret, url }: Address, ids: string[], { type = 'contact.propertyChange', at = Date.now() } = {}) {
  const body = JSON.stringify(
    ids.map((id) => ({ eventId: Number(id), subscriptionType: type, objectId: Number(id), occurredAt: at })),
  );
  const signature = createHmac('sha256', secret)
    .update(`POST${url}${body}${String(at)}`)
    .digest('base64');
  return {
    headers: {
      'content-type': 'application/json',
      'x-hubspot-request-timestamp': String(at),
      'x-hubspot-signature-v3': signature,
    },
    body,
  };
}

const reads = (crm: FakeCrm, id: string) =>
  crm.heard.filter(({ path }) => new RegExp(`/contacts/${id}(\\?|$)`).test(path)).length;
const ofContacts = ({ path }: Heard) => path.includes('/contacts/');

describe('notices of records whose gateway is killed while it reads the first', () => {
  let database: TestDatabase;
  let cluster: Cluster;
  let crm: FakeCrm;
  beforeAll(async () => {
    database = await createDatabase();
    crm = await fakes.hubspot();
    const env = {
      PLATFORM_TOKEN: platformToken,
      PUBLIC_URL: publicUrl,
      CRM_BASE_URLS: JSON.stringify({ hubspot: crm.url }),
    };
    cluster = await startCluster({
      gateways: 1,
      balancer: false,
      databaseUrl: database.url,
      redisUrl: await redisUrl(),
      env,
    });
  });
  afterAll(async () => {
    await cluster.stop();
    await crm.close();
    await database.drop();
  });

  it('are read by another gateway, each record once', async () => {
    const [doomed] = cluster.gateways;
    const room = InboundRoom.around(reach(doomed!), [crm]);
    const company = await room.connected('hubspot');
    const address = await room.address(company, 'hubspot');
    const people = [room.person('hubspot'), room.person('hubspot'), room.person('hubspot')];
    crm.failNext({ kind: 'hang' }, ofContacts);
    expect(
      (
        await room.send(
          address,
          told(
            address,
            people.map(({ id }) => id),
          ),
        )
      ).status,
    ).toBe(200);
    await eventually(() => crm.heard.some(ofContacts));
    await doomed!.kill('SIGKILL');
    const survivor = await cluster.addGateway({
      env: {
        PLATFORM_TOKEN: platformToken,
        PUBLIC_URL: publicUrl,
        CRM_BASE_URLS: JSON.stringify({ hubspot: crm.url }),
      },
    });
    const after = InboundRoom.around(reach(survivor), [crm]);
    for (const { phone } of people) {
      await eventually(async () => expect(await after.known(company, phone)).toMatchObject({ name: 'Ada Byron' }));
    }
    // The first by the gateway that was killed, too.
    expect(people.map(({ id }) => reads(crm, id)).toSorted()).toEqual([1, 1, 2]);
  });
});

describe('a record that a CRM told of', () => {
  let database: TestDatabase;
  let crm: FakeCrm;
  let gateway: Gateway;
  let room: InboundRoom;
  let client: pg.Client;
  let company: TestCompany;
  let address: Address;
  let failAdding: Error | null = null;

  const start = () =>
    startGateway('memory', {
      // Of every gateway over this database.
      config: {
        jwtSecret: secret,
        encryptionKey: secret,
        databaseUrl: database.url,
        crmBaseUrls: new Map([['hubspot', crm.url]]),
        publicUrl,
      },
      wrap: (services: Services) => ({
        ...services,
        crmNotices: {
          ...services.crmNotices,
          add: (...given) => (failAdding === null ? services.crmNotices.add(...given) : Promise.reject(failAdding)),
        },
      }),
    });

  beforeAll(async () => {
    database = await createDatabase();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
  });
  beforeEach(async () => {
    crm = await fakes.hubspot();
    gateway = await start();
    room = InboundRoom.around(gateway, [crm]);
    company = await gateway.company({ slug: `kept-${Date.now()}` });
    await room.connect(company, 'hubspot');
    address = await room.address(company, 'hubspot');
  });
  afterEach(async () => {
    // What hangs there ends, so that nobody waits for it.
    await crm.close();
    await gateway.close();
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  const waiting = async () =>
    Number((await client.query('SELECT count(*) FROM crm_notice WHERE company_id = $1', [company.id])).rows[0].count);
  const known = (phone: string) =>
    eventually(async () => (await room.known(company, phone)) ?? expect.fail('nothing is known yet'));

  /** Holds the CRM's answers about that record back. `arrived` resolves when the first was asked for. */
  function holdBack(id: string) {
    const answers = gate();
    answers.shut();
    crm.servePages(({ path }) => (path.includes(`/contacts/${id}`) ? answers.pass(async () => null) : null));
    return { arrived: answers.reached(), letGo: () => answers.open() };
  }

  it('is read after a restart', async () => {
    crm.failNext({ kind: 'answer', answer: { ...crm.tooMany(), headers: { 'retry-after': '1' } } }, ofContacts);
    const person = room.person('hubspot');
    expect((await room.send(address, told(address, [person.id]))).status).toBe(200);
    await eventually(() => reads(crm, person.id) === 1);
    await gateway.close();
    expect([await waiting(), reads(crm, person.id)]).toEqual([1, 1]);
    gateway = await start();
    room = InboundRoom.around(gateway, [crm]);
    await known(person.phone);
    await eventually(async () => (await waiting()) === 0);
    expect(reads(crm, person.id)).toBe(2);
  });

  it('is read again where it was told of while it was read', async () => {
    const person = room.person('hubspot');
    const { arrived, letGo } = holdBack(person.id);
    await room.send(address, told(address, [person.id]));
    await arrived;
    for (const later of [1, 2]) await room.send(address, told(address, [person.id], { at: Date.now() + later }));
    expect(await waiting()).toBe(1);
    letGo();
    await eventually(async () => (await waiting()) === 0);
    expect(reads(crm, person.id)).toBe(2);
  });

  it('is forgotten where it was deleted while it was read', async () => {
    const [person, next] = [room.person('hubspot'), room.person('hubspot', 'Grace Hopper')];
    const { arrived, letGo } = holdBack(person.id);
    await room.send(address, told(address, [person.id]));
    await arrived;
    expect((await room.send(address, told(address, [person.id], { type: 'contact.deletion' }))).status).toBe(200);
    await room.send(address, told(address, [next.id]));
    letGo();
    // Of one company one after the other.
    await known(next.phone);
    // The notice of the next one goes after its record is kept.
    await eventually(async () => (await waiting()) === 0);
    expect([await room.known(company, person.phone), reads(crm, person.id)]).toEqual([null, 1]);
  });

  it('is not read any more where it was deleted before its turn', async () => {
    const [first, person, next] = [room.person('hubspot'), room.person('hubspot'), room.person('hubspot')];
    const { arrived, letGo } = holdBack(first.id);
    await room.send(address, told(address, [first.id]));
    await arrived;
    await room.send(address, told(address, [person.id]));
    await room.send(address, told(address, [person.id], { type: 'contact.deletion' }));
    await room.send(address, told(address, [next.id]));
    letGo();
    await known(next.phone);
    expect([await room.known(company, person.phone), reads(crm, person.id)]).toEqual([null, 0]);
  });

  it('counts when it comes again because the database was away', async () => {
    const person = room.person('hubspot');
    const notice = told(address, [person.id]);
    failAdding = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    expect(await room.send(address, notice)).toMatchObject({ status: 503, body: { code: 'dependency_unavailable' } });
    failAdding = null;
    expect(await waiting()).toBe(0);
    expect((await room.send(address, notice)).status).toBe(200);
    await known(person.phone);
  });

  it('waits while the CRM refuses the credentials, until they are given anew', async () => {
    const person = room.person('hubspot');
    const heal = crm.failAll({
      kind: 'answer',
      answer: {
        status: 401,
        headers: { 'content-type': 'application/json' },
        body: '{"status":"error","category":"INVALID_AUTHENTICATION"}',
      },
    });
    await room.send(address, told(address, [person.id]));
    const stateOf = async () =>
      (await gateway.as(company).get('/api/integrations/crm').expect(200)).body.connection.state;
    await eventually(async () => (await stateOf()) === 'needs_attention');
    heal();
    expect(await waiting()).toBe(1);
    await room.connect(company, 'hubspot');
    await known(person.phone);
  });

  it('is dropped with the connection', async () => {
    const [first, person] = [room.person('hubspot'), room.person('hubspot')];
    const { arrived, letGo } = holdBack(first.id);
    await room.send(address, told(address, [first.id, person.id]));
    await arrived;
    await gateway.as(company).put('/api/integrations/crm').send({ provider: 'hubspot', credentials: null }).expect(200);
    expect(await waiting()).toBe(0);
    letGo();
  });

  it('is refused where too many wait, taken when it comes again, and nobody else is refused', async () => {
    await client.query(`INSERT INTO crm_notice_queue (company_id, rest_until) VALUES ($1, now() + interval '1 hour')`, [
      company.id,
    ]);
    await client.query(
      `INSERT INTO crm_notice (company_id, provider, object, record_id, version, told_at)
       SELECT $1, 'hubspot', 'contact', 1000000 + n, gen_random_uuid(), now() FROM generate_series(1, $2) n`,
      [company.id, waitAtMost],
    );
    const person = room.person('hubspot');
    const notice = told(address, [person.id]);
    const response = await fetch(gateway.url + address.path, { method: 'POST', ...notice });
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '30']);
    expect(await response.json()).toMatchObject({ code: 'rate_limited' });
    expect((await room.send(address, told(address, ['1000001']))).status).toBe(200);
    expect((await gateway.api.get('/metrics')).text).toContain(
      `readyline_crm_records_to_read{state="resting"} ${waitAtMost}\n`,
    );

    const other = await gateway.company({ slug: `other-${Date.now()}` });
    await room.connect(other, 'hubspot');
    const theirs = await room.address(other, 'hubspot');
    expect((await room.send(theirs, told(theirs, [person.id]))).status).toBe(200);
    await eventually(async () => expect(await room.known(other, person.phone)).not.toBeNull());

    await client.query('DELETE FROM crm_notice WHERE company_id = $1', [company.id]);
    await client.query('UPDATE crm_notice_queue SET rest_until = NULL, served_at = now() WHERE company_id = $1', [
      company.id,
    ]);
    expect((await room.send(address, notice)).status).toBe(200);
    await known(person.phone);
  });

  it('is not waited for in another company, however many come in a flood that is bounded', async () => {
    const statuses = new Map<number, number>();
    const perRequest = 1_000;
    for (let request = 0; request < 13; request += 1) {
      const ids = Array.from({ length: perRequest }, (_, index) => String(5_000_000 + request * perRequest + index));
      const { status } = await room.send(address, told(address, ids));
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    expect([...statuses.keys()].toSorted()).toEqual([200, 429]);
    expect(await waiting()).toBeLessThanOrEqual(waitAtMost + perRequest);
    const other = await gateway.company({ slug: `beside-${Date.now()}` });
    await room.connect(other, 'hubspot');
    const theirs = await room.address(other, 'hubspot');
    const person = room.person('hubspot');
    await room.send(theirs, told(theirs, [person.id]));
    await eventually(async () => expect(await room.known(other, person.phone)).not.toBeNull());
    expect(await waiting()).toBeGreaterThan(waitAtMost / 2);
  });
});
