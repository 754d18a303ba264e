import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startGateway, type Gateway, type TestAgent, type TestCompany } from '../support/gateway/gateway.ts';

let gateway: Gateway;
let company: TestCompany;
let ada: TestAgent;
let ben: TestAgent;
let companies = 0;

beforeAll(async () => {
  gateway = await startGateway('memory');
});
beforeEach(async () => {
  companies += 1;
  company = await gateway.company({ slug: `dials-${companies}`, agents: 2 });
  [ada, ben] = company.agents as [TestAgent, TestAgent];
});
afterAll(() => gateway.close());

describe('speed dials', () => {
  const dialsOf = async (who: TestAgent) => (await gateway.as(who).get('/api/me/speed-dials').expect(200)).body;
  const replace = (who: TestAgent, body: object) => gateway.as(who).put('/api/me/speed-dials').send(body);
  const grace = { name: 'Grace', phone_number: '+1 555 123-0001' };

  it('are each agent’s own, in the order in which they were saved, on every device', async () => {
    expect(await dialsOf(ada)).toEqual({ own: [], shared: [], version: 0 });
    await gateway.as(company).put('/api/integrations').send({ default_country: 'DE' }).expect(200);
    const saved = await replace(ada, {
      entries: [grace, { name: ' Ada ', phone_number: '0151/2345678' }],
      version: 0,
    }).expect(200);
    const own = [
      { name: 'Grace', phone_number: '+15551230001' },
      { name: 'Ada', phone_number: '+491512345678' },
    ];
    expect(saved.body).toEqual({ own, shared: [], version: 1 });
    expect(await dialsOf(ada)).toEqual(saved.body);
    expect((await dialsOf(ben)).own).toEqual([]);
    expect((await replace(ada, { entries: [] }).expect(200)).body).toMatchObject({ own: [], version: 2 });
  });

  it('are not lost to another device that saves what it has read before', async () => {
    await replace(ada, { entries: [grace], version: 0 }).expect(200);
    const late = await replace(ada, { entries: [], version: 0 }).expect(409);
    expect(late.body).toMatchObject({ code: 'conflict', cause: { code: 'changed_meanwhile', params: { version: 1 } } });
    expect((await dialsOf(ada)).own).toHaveLength(1);
    // Both at once: one of them.
    const both = await Promise.all(
      [1, 2].map((n) => replace(ada, { entries: [{ ...grace, name: `Device ${n}` }], version: 1 })),
    );
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });

  it('are refused where one is no number, by its place, and as a whole', async () => {
    const refused = await replace(ada, { entries: [grace, { name: 'Nobody', phone_number: 'none' }] }).expect(400);
    expect(refused.body).toMatchObject({
      code: 'invalid_phone',
      errors: [{ path: 'entries[1].phone_number', code: 'phone_without_digits' }],
    });
    await replace(ada, { entries: Array(51).fill(grace) }).expect(400);
    expect(await dialsOf(ada)).toMatchObject({ own: [], version: 0 });
  });

  it('of the company are for every agent, and are set by admins', async () => {
    const softphone = await gateway.readySoftphone(ada);
    let told = 0;
    softphone.on('settingsChanged', () => (told += 1));
    const help = [{ name: 'Help desk', phone_number: '+1 555 123-9999' }];
    await gateway.as(ada).patch('/api/company').send({ speed_dials: help }).expect(403);
    expect(
      (
        await gateway
          .as(company)
          .patch('/api/company')
          .send({ speed_dials: [{ name: 'Nobody', phone_number: 'none' }] })
          .expect(400)
      ).body.errors,
    ).toMatchObject([{ path: 'speed_dials[0].phone_number' }]);
    const { body } = await gateway.as(company).patch('/api/company').send({ speed_dials: help }).expect(200);
    expect(body.speed_dials).toEqual([{ name: 'Help desk', phone_number: '+15551239999' }]);
    for (const who of [ada, ben]) expect((await dialsOf(who)).shared).toEqual(body.speed_dials);
    // The softphones read them again.
    expect(told).toBe(1);
    softphone.close();
  });

  it('of an erased person are gone, everybody’s', async () => {
    const contact = (
      await gateway
        .as(company)
        .post('/api/crm/contacts')
        .send({ name: 'Grace Hopper', phones: [{ phone_number: grace.phone_number }] })
        .expect(201)
    ).body;
    const other = { name: 'Ada', phone_number: '+15551230002' };
    await replace(ada, { entries: [other, grace] }).expect(200);
    await gateway
      .as(company)
      .patch('/api/company')
      .send({ speed_dials: [grace, other] })
      .expect(200);
    await gateway
      .as(company)
      .post(`/api/crm/contacts/${contact.id}/erase`)
      .send({ version: contact.version })
      .expect(200);
    expect(await dialsOf(ada)).toEqual({ own: [other], shared: [other], version: 2 });
  });
});

describe('the calls that an agent has missed', () => {
  const missedOf = async (who: TestAgent) => (await gateway.as(who).get('/api/me/missed-calls').expect(200)).body;
  const see = (who: TestAgent, seen_until: string) => gateway.as(who).put('/api/me/missed-calls').send({ seen_until });
  const list = async (who: TestAgent, query: string) =>
    (await gateway.as(who).get(`/api/calls?${query}`).expect(200)).body.calls;

  /** Calls that rang and were not answered, one after the other. */
  async function miss(who: TestAgent, ...phones: string[]): Promise<void> {
    const softphone = gateway.softphone(who);
    await softphone.connect();
    for (const phone of phones) {
      const { call } = await softphone.incomingCall(phone);
      await softphone.reportProgress(call.id, 'ended', { end_reason: 'missed' });
    }
    softphone.close();
  }

  it('are counted all, until they were looked at, on whichever device', async () => {
    expect(await missedOf(ada)).toEqual({ count: 0, seen_until: null });
    await miss(ada, ...Array.from({ length: 25 }, (_, n) => `+1555123${1000 + n}`));
    expect(await missedOf(ada)).toMatchObject({ count: 25 });
    expect(await missedOf(ben)).toMatchObject({ count: 0 });
    const [latest] = await list(ada, 'result=missed&limit=1');
    expect((await see(ada, latest.ended_at).expect(200)).body).toEqual({ count: 0, seen_until: latest.ended_at });
    await miss(ada, '+15551230001');
    expect((await missedOf(ada)).count).toBe(1);
    // What was seen stays seen, and nobody has seen what is yet to come.
    expect((await see(ada, '2020-01-01T00:00:00Z').expect(200)).body).toEqual({
      count: 1,
      seen_until: latest.ended_at,
    });
    const { seen_until: now } = (await see(ada, '2100-01-01T00:00:00Z').expect(200)).body;
    expect(Date.parse(now)).toBeLessThan(Date.parse('2099-01-01T00:00:00Z'));
  });

  it('are none that another telephone has taken', async () => {
    const softphone = gateway.softphone(ben);
    await softphone.connect();
    const { call } = await softphone.incomingCall('+15551230009');
    await softphone.reportProgress(call.id, 'ended', { end_reason: 'canceled', end_detail: 'answered_elsewhere' });
    softphone.close();
    expect((await missedOf(ben)).count).toBe(0);
    expect(await list(ben, 'result=missed')).toEqual([]);
    expect(await list(ben, 'limit=1')).toMatchObject([{ id: call.id, ended_by: null }]);
    const since = new Date(Date.parse(call.created_at) - 60_000).toISOString();
    const { rows } = (await gateway.as(company).get(`/api/reports/calls?since=${since}&group_by=agent`).expect(200))
      .body;
    expect(rows.find(({ key }: { key: string }) => key === ben.id)).toMatchObject({ calls: 1, missed: 0 });
  });

  it('and those that were answered are listed by what came of them, and all by what is written in them', async () => {
    const softphone = await gateway.readySoftphone(ada);
    const { id } = await softphone.startCall('+4930130001');
    await softphone.reportProgress(id, 'connected');
    await softphone.reportProgress(id, 'ended');
    await softphone.submitDisposition(id, { code: 'follow_up', notes: 'Wants 100% of the_offer' });
    softphone.close();
    await miss(ada, '+15551230001');
    await gateway.api
      .post('/api/integrations/inbound')
      .set('X-Service-Api-Key', company.key)
      .send({ phone_number: '+15551230002', data: { name: 'Grace Hopper' } })
      .expect(200);
    await miss(ada, '+15551230002');
    const phones = async (query: string) => (await list(ada, query)).map(({ phone }: { phone: string }) => phone);
    expect(await phones('result=missed')).toEqual(['+15551230002', '+15551230001']);
    expect(await phones('result=answered')).toEqual(['+4930130001']);
    expect(await phones('result=missed&direction=outbound')).toEqual([]);
    for (const [typed, found] of [
      ['hopp gra', ['+15551230002']],
      ['follow', ['+4930130001']],
      ['0% the_', ['+4930130001']],
      ['0_ the', []],
      ['(555) 123-0001', ['+15551230001']],
      ['+1 555 1', ['+15551230002', '+15551230001']],
      ['nobody', []],
    ] as const) {
      expect(await phones(`q=${encodeURIComponent(typed)}`), typed).toEqual(found);
    }
    // Of one agent at a time.
    // In everybody's calls as well, for those who see them.
    expect((await gateway.as(company).get('/api/calls?q=grace').expect(200)).body.calls).toHaveLength(1);
    expect((await gateway.as(company).get('/api/calls?q=GRÂCE%20hop').expect(200)).body.calls).toHaveLength(1);
    expect((await gateway.as(company).get('/api/calls?q=123%200002').expect(200)).body.calls).toHaveLength(1);
    expect((await gateway.as(company).get('/api/calls?q=grace%20nobody').expect(200)).body.calls).toEqual([]);
    expect((await gateway.as(ben).get('/api/calls?q=grace').expect(200)).body.calls).toEqual([]);
    expect(
      (await gateway.as(company).get(`/api/calls?q=grace&agent_id=${ada.id}`).expect(200)).body.calls,
    ).toHaveLength(1);
    await gateway.as(ben).get(`/api/calls?q=grace&agent_id=${ada.id}`).expect(403);
  });
});
