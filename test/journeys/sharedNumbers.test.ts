import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CallView } from '../../src/contract/calls.ts';
import type { Softphone } from '../../src/client/softphone.ts';
import { platforms } from '../support/cti/platforms.ts';
import type { TestAgent, TestCompany } from '../support/gateway/gateway.ts';
import { type Gateways, type MeddledGateway, startGateways } from '../support/gateway/gateways.ts';
import { nextEvent } from '../support/gateway/softphoneEvents.ts';

const bearer = ({ token }: { token: string }) => ({ Authorization: `Bearer ${token}` });
const contactObject = 'builtin_contact';

describe('a number that several contacts share', () => {
  let gateways: Gateways;
  let gateway: MeddledGateway;
  let other: MeddledGateway;
  let company: TestCompany;
  let agent: TestAgent;
  let colleague: TestAgent;
  let phone: string;
  let ada: { id: string; version: number };
  let bob: { id: string; version: number };
  let numbers = 0;

  beforeAll(async () => {
    gateways = await startGateways(2);
    [gateway, other] = [gateways.at(0), gateways.at(1)];
  });
  beforeEach(async () => {
    numbers += 1;
    phone = `+4930140${String(numbers).padStart(4, '0')}`;
    company = await gateway.company({ slug: `shared-${numbers}`, agents: 2, wrapUpSeconds: 3_600 });
    [agent, colleague] = [company.agents[0]!, company.agents[1]!];
    await admin().put('/api/integrations').send({ mode: 'builtin' }).expect(200);
    ada = (
      await create({
        name: 'Ada Byron',
        emails: [{ email: 'ada@example.org' }],
        tier: 'gold',
        notes: 'Likes the blue one',
        external_id: 'A-1',
        phones: [{ phone_number: phone }],
      }).expect(201)
    ).body;
    bob = (await create({ name: 'Bob Byron', external_id: 'B-1', phones: [{ phone_number: phone }] }).expect(201)).body;
  });
  afterAll(() => gateways.close());

  const admin = () => gateway.as(company);
  const create = (body: object) => admin().post('/api/crm/contacts').send(body);
  const read = (id: string) => admin().get(`/api/crm/contacts/${id}`);
  const lookUp = (who: Record<string, string> = { 'X-Service-Api-Key': company.key }) =>
    gateway.api.get('/api/integrations/lookup').query({ phone }).set(who);
  const callAt = async (id: string): Promise<CallView> => (await admin().get(`/api/calls/${id}`).expect(200)).body;
  const timeline = async (id: string) =>
    (await admin().get(`/api/crm/activities?contact=${id}&kind=call`).expect(200)).body.activities.map(
      (each: { id: string }) => each.id,
    );
  const candidate = ({ id }: { id: string }, name: string) =>
    expect.objectContaining({ object: contactObject, id, name });
  const both = () => [candidate(ada, 'Ada Byron'), candidate(bob, 'Bob Byron')];
  const erase = ({ id, version }: { id: string; version: number }) =>
    admin().post(`/api/crm/contacts/${id}/erase`).send({ version });

  async function withSoftphone<T>(work: (softphone: Softphone) => Promise<T>): Promise<T> {
    const softphone = await gateway.readySoftphone(agent);
    try {
      return await work(softphone);
    } finally {
      softphone.close();
    }
  }
  async function wrapUp(softphone: Softphone, id: string, more: { callback_at?: string } = {}): Promise<void> {
    await softphone.reportProgress(id, 'ended');
    await softphone.submitDisposition(id, { code: more.callback_at === undefined ? 'resolved' : 'callback', ...more });
  }

  it('is told on both of them, with a link to the other, as far as it is seen', async () => {
    expect(bob).toMatchObject({ phones: [{ phone_number: phone, shared_with: [{ id: ada.id, name: 'Ada Byron' }] }] });
    expect((await read(ada.id).expect(200)).body.phones).toEqual([
      { phone_number: phone, label: null, primary: true, shared_with: [{ id: bob.id, name: 'Bob Byron' }] },
    ]);
    expect((await admin().get('/api/crm/contacts').query({ phone }).expect(200)).body.contacts).toHaveLength(2);
    await admin().patch(`/api/crm/contacts/${bob.id}`).send({ owner_id: colleague.id }).expect(200);
    await admin().patch('/api/company').send({ contact_scope: 'own' }).expect(200);
    const seen = await gateway.api.get(`/api/crm/contacts/${ada.id}`).set(bearer(agent)).expect(200);
    expect(seen.body.phones).toEqual([{ phone_number: phone, label: null, primary: true }]);
  });

  it('is called back for whom the agent has chosen: what is due for the other stays, and for both while nobody is chosen', async () => {
    const due = '2026-01-01T09:00:00.000Z';
    for (const { id } of [ada, bob]) {
      await gateway.api
        .post('/api/crm/tasks')
        .set(bearer(agent))
        .send({ kind: 'callback', contact_id: id, due_at: due })
        .expect(201);
    }
    const open = async () =>
      (await gateway.api.get('/api/crm/tasks').set(bearer(agent)).expect(200)).body.tasks
        .map(({ contact }: { contact: { id: string } }) => contact.id)
        .toSorted();
    await withSoftphone(async (softphone) => {
      const callBack = async (chosen: { id: string } | null) => {
        const { id } = await softphone.startCall(phone);
        await softphone.reportProgress(id, 'connected');
        if (chosen !== null) await softphone.chooseRecord(id, { object: contactObject, id: chosen.id });
        await wrapUp(softphone, id);
      };
      await callBack(null);
      expect(await open()).toEqual([ada.id, bob.id].toSorted());
      await callBack(ada);
      expect(await open()).toEqual([bob.id]);
    });
  });

  it('asks on who it was where one more who shares it is made during the call', async () => {
    await withSoftphone(async (softphone) => {
      const { id } = await softphone.startCall(phone);
      await create({ name: 'Cleo Byron', phones: [{ phone_number: phone }] }).expect(201);
      expect((await callAt(id)).screen_pop).toEqual({ phone, candidates: both() });
      await wrapUp(softphone, id);
    });
  });

  it('is looked up as a choice, and tells nobody’s name before one is chosen', async () => {
    const { body } = await lookUp().expect(200);
    expect(body).toEqual({ found: true, screen_pop: { phone, candidates: both() } });
    const flat = await gateway.api
      .get('/api/integrations/cti/screen-pop')
      .query({ phone, format: 'flat' })
      .set('X-Service-Api-Key', company.key)
      .expect(200);
    expect(flat.body).toMatchObject({ found: 'true', name: '', phone });
  });

  it('is looked up by an agent among those whom it sees alone', async () => {
    await admin().patch(`/api/crm/contacts/${bob.id}`).send({ owner_id: colleague.id }).expect(200);
    await admin().patch('/api/company').send({ contact_scope: 'own' }).expect(200);
    expect((await lookUp(bearer(agent)).expect(200)).body.screen_pop).toMatchObject({
      name: 'Ada Byron',
      contact_id: ada.id,
    });
    expect((await lookUp(bearer(colleague)).expect(200)).body.screen_pop.candidates).toEqual(both());
    await admin().patch(`/api/crm/contacts/${ada.id}`).send({ owner_id: colleague.id }).expect(200);
    await lookUp(bearer(agent)).expect(404);
  });

  it('pops as a choice when it rings, and the one that is chosen is the customer', () =>
    withSoftphone(async (softphone) => {
      const popped = nextEvent(softphone, 'pop');
      const { call } = await softphone.incomingCall(phone);
      const [pop] = await popped;
      expect(pop).toMatchObject({ found: true, screen_pop: { phone, candidates: both() } });
      expect(pop.screen_pop).not.toHaveProperty('contact_id');
      const completed = nextEvent(softphone, 'call', (changed) => changed.screen_pop?.crm?.['notes'] !== undefined);
      const chosen = await softphone.chooseRecord(call.id, { object: contactObject, id: ada.id });
      expect(chosen.screen_pop).toMatchObject({
        name: 'Ada Byron',
        email: 'ada@example.org',
        vip_tier: 'gold',
        contact_id: ada.id,
        candidates: both(),
      });
      expect((await completed)[0].screen_pop?.crm).toEqual({ notes: 'Likes the blue one' });
      expect(
        (await gateway.api.get(`/api/crm/contacts/${ada.id}/summary`).set(bearer(agent)).expect(200)).body,
      ).toMatchObject({ contact_id: ada.id });
      // A wrong click is put right, with nothing left of the first.
      const again = await softphone.chooseRecord(call.id, { object: contactObject, id: bob.id });
      expect(again.screen_pop).toMatchObject({ name: 'Bob Byron', vip_tier: null, contact_id: bob.id });
      expect(again.screen_pop?.crm).toEqual({});
      await wrapUp(softphone, call.id, { callback_at: '2030-01-01T10:00:00Z' });
      expect([await timeline(ada.id), await timeline(bob.id)]).toEqual([[], [call.id]]);
      expect((await admin().get('/api/crm/tasks').expect(200)).body.tasks).toMatchObject([{ contact: { id: bob.id } }]);
    }));

  it('stands on the timelines of all of them while nobody has said who it was', () =>
    withSoftphone(async (softphone) => {
      const { call } = await softphone.incomingCall(phone);
      await wrapUp(softphone, call.id, { callback_at: '2030-01-01T10:00:00Z' });
      expect([await timeline(ada.id), await timeline(bob.id)]).toEqual([[call.id], [call.id]]);
      const { tasks } = (await admin().get('/api/crm/tasks').expect(200)).body;
      expect(tasks).toMatchObject([{ phone_number: phone, contact: null }]);
    }));

  it('pops as the contact that a click names, by its id here or elsewhere', () =>
    withSoftphone(async (softphone) => {
      const { body: byId } = await gateway.click(company, { phone_number: phone, contact_id: bob.id }).expect(201);
      expect(byId.screen_pop).toMatchObject({ name: 'Bob Byron', contact_id: bob.id });
      expect(byId.screen_pop).not.toHaveProperty('candidates');
      await wrapUp(softphone, byId.call_id);
      await softphone.setReady();
      const { body: elsewhere } = await gateway.click(company, { phone_number: phone, external_id: 'A-1' }).expect(201);
      expect(elsewhere.screen_pop).toMatchObject({
        name: 'Ada Byron',
        contact_id: ada.id,
        crm: { notes: 'Likes the blue one' },
        candidates: both(),
      });
      const corrected = await admin()
        .post(`/api/calls/${elsewhere.call_id}/record`)
        .send({ object: contactObject, id: bob.id })
        .expect(200);
      expect(corrected.body.screen_pop).toMatchObject({ name: 'Bob Byron', contact_id: bob.id, crm: {} });
      await wrapUp(softphone, elsewhere.call_id);
      await softphone.setReady();
      const { body: byNumber } = await gateway.click(company, { phone_number: phone }).expect(201);
      expect(byNumber.screen_pop).toEqual({ phone, candidates: both() });
      await admin()
        .post(`/api/calls/${byNumber.call_id}/record`)
        .send({ object: contactObject, id: agent.id })
        .expect(400);
      await wrapUp(softphone, byNumber.call_id);
    }));

  it('shows what was pushed for it over the contact that is chosen, and keeps the CRM’s record', () =>
    withSoftphone(async (softphone) => {
      await admin().put('/api/integrations').send({ mode: 'hybrid' }).expect(200);
      const push = (body: object) =>
        gateway.api
          .post('/api/integrations/inbound')
          .set('X-Service-Api-Key', company.key)
          .send({ phone_number: phone, ...body })
          .expect(200);
      await push({ data: { name: 'Household Byron', plan: 'family' }, external_system: 'shop', external_id: 'H-1' });
      const { call } = await softphone.incomingCall(phone);
      expect(call.screen_pop).toMatchObject({ name: 'Household Byron', external_id: 'H-1', candidates: both() });
      const chosen = await softphone.chooseRecord(call.id, { object: contactObject, id: bob.id });
      expect(chosen.screen_pop).toMatchObject({
        name: 'Bob Byron',
        contact_id: bob.id,
        external_system: 'shop',
        external_id: 'H-1',
        crm: { plan: 'family' },
      });
      await wrapUp(softphone, call.id);
      // Whom the CRM names by its id is known.
      await push({ data: { name: 'A. Byron' }, external_system: 'shop', external_id: 'A-1' });
      expect((await lookUp().expect(200)).body.screen_pop).toMatchObject({
        name: 'A. Byron',
        contact_id: ada.id,
        email: 'ada@example.org',
      });
    }));

  it('pops as a choice for a call of a telephony platform, and on its pop page, which shows who was chosen', async () => {
    const { connector, ringing, sign, number } = platforms.find((each) => each.ringing !== null)!;
    const { body: line } = await admin().post('/api/integrations/cti/connections').send({ connector }).expect(201);
    const { headers, body } = sign(
      ringing!({ callId: 'c-1', agent: agent.agentCode, customer: number(phone), at: Date.now() }),
      line.secret ?? '',
    );
    await gateway.api.post(new URL(line.url, gateway.url).pathname).set(headers).send(body).expect(200);
    const [call] = (await admin().get('/api/calls').expect(200)).body.calls;
    expect((await callAt(call.id)).screen_pop).toEqual({ phone, candidates: both() });
    const page = () =>
      gateway.api.get('/api/integrations/cti/pop').query({ phone, call: 'c-1' }).set(bearer(agent)).expect(200);
    expect((await page()).body).toMatchObject({
      found: true,
      call_id: call.id,
      screen_pop: { candidates: both() },
      summary: null,
    });
    await gateway.api
      .post(`/api/calls/${call.id}/record`)
      .set(bearer(agent))
      .send({ object: contactObject, id: bob.id })
      .expect(200);
    expect((await page()).body).toMatchObject({
      screen_pop: { name: 'Bob Byron', contact_id: bob.id, candidates: both() },
      summary: { contact_id: bob.id },
    });
  });

  it('is not dialed where one of them does not want to be called, unless the click names one who may be', () =>
    withSoftphone(async (softphone) => {
      await admin().patch(`/api/crm/contacts/${bob.id}`).send({ do_not_call: true }).expect(200);
      for (const named of [{}, { contact_id: bob.id }, { external_id: 'A-1' }]) {
        expect((await gateway.click(company, { phone_number: phone, ...named }).expect(409)).body.code).toBe(
          'do_not_call',
        );
      }
      const { body } = await gateway.click(company, { phone_number: phone, contact_id: ada.id }).expect(201);
      expect(body.screen_pop.contact_id).toBe(ada.id);
      await wrapUp(softphone, body.call_id);
      await softphone.setReady();
      await admin().post('/api/do-not-dial').send({ number: phone }).expect(201);
      await gateway.click(company, { phone_number: phone, contact_id: ada.id }).expect(409);
    }));

  it('is given to one of those who make the same person at two gateways at once, and to each of those who make another', async () => {
    const at = (one: MeddledGateway, body: object) =>
      one
        .as(company)
        .post('/api/crm/contacts')
        .send({ phones: [{ phone_number: phone }], ...body });
    const same = await Promise.all([gateway, other, gateway, other].map((one) => at(one, { name: 'Clara Byron' })));
    expect(same.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409]);
    const different = await Promise.all([gateway, other].map((one, n) => at(one, { name: `Child ${n} Byron` })));
    expect(different.map(({ status }) => status)).toEqual([201, 201]);
    expect((await lookUp().expect(200)).body.screen_pop.candidates).toHaveLength(5);
  });

  it('offers twenty of those who share it, those that were made first', async () => {
    for (let n = 0; n < 20; n += 1)
      await create({ name: `Extension ${n}`, phones: [{ phone_number: phone }] }).expect(201);
    const { candidates } = (await lookUp().expect(200)).body.screen_pop;
    expect(candidates).toHaveLength(20);
    expect(candidates.slice(0, 2)).toEqual(both());
    expect((await read(bob.id).expect(200)).body.phones[0].shared_with).toHaveLength(20);
  });

  it('stays with the other where one of them is erased, whose calls and name go, and no import brings back', () =>
    withSoftphone(async (softphone) => {
      const { call: hers } = await softphone.incomingCall(phone);
      await softphone.chooseRecord(hers.id, { object: contactObject, id: ada.id });
      await wrapUp(softphone, hers.id);
      await softphone.setReady();
      const { call: his } = await softphone.incomingCall(phone);
      await softphone.chooseRecord(his.id, { object: contactObject, id: bob.id });
      await wrapUp(softphone, his.id);
      await softphone.setReady();
      const { call: somebodys } = await softphone.incomingCall(phone);
      expect((await erase(ada).expect(409)).body.cause).toEqual({ code: 'contact_on_call' });
      await wrapUp(softphone, somebodys.id);
      expect((await erase(ada).expect(200)).body).toMatchObject({ phones: 0, erased: { calls: 1 } });
      expect(await callAt(hers.id)).toMatchObject({ phone: null, screen_pop: null });
      expect(await callAt(his.id)).toMatchObject({
        phone,
        screen_pop: { name: 'Bob Byron', candidates: [candidate(bob, 'Bob Byron')] },
      });
      expect(await callAt(somebodys.id)).toMatchObject({
        phone,
        screen_pop: { candidates: [candidate(bob, 'Bob Byron')] },
      });
      expect((await lookUp().expect(200)).body.screen_pop).toMatchObject({ name: 'Bob Byron', contact_id: bob.id });
      expect(await timeline(bob.id)).toEqual([somebodys.id, his.id]);
      const file = `Name,Phone\nAda Byron,${phone}\nBob Byron,${phone}\nCarl Byron,${phone}\n`;
      const upload = await admin()
        .post('/api/crm/imports')
        .query({ file_name: 'family.csv' })
        .set('content-type', 'text/csv')
        .send(file)
        .expect(201);
      const rows = (await admin().get(`/api/crm/imports/${upload.body.id}/preview`).expect(200)).body.rows;
      expect(rows).toMatchObject([
        { outcome: 'refused', reason: { code: 'was_erased' } },
        { outcome: 'unchanged' },
        { outcome: 'created' },
      ]);
    }));

  it('is no proof that two are one person, and goes into one where somebody says that they are', async () => {
    const duplicates = async () => {
      for (;;) {
        const { body } = await admin().get('/api/crm/duplicates').expect(200);
        if (!body.comparing) return body.duplicates;
      }
    };
    expect(await duplicates()).toEqual([]);
    const merged = await admin()
      .post(`/api/crm/contacts/${ada.id}/merge`)
      .send({ contact_id: bob.id, version: ada.version, other_version: bob.version })
      .expect(200);
    expect(merged.body).toMatchObject({ name: 'Ada Byron', phones: [{ phone_number: phone, primary: true }] });
    expect(merged.body.phones).toHaveLength(1);
    expect((await lookUp().expect(200)).body.screen_pop).toMatchObject({ contact_id: ada.id });
    expect((await read(bob.id).expect(200)).body.id).toBe(ada.id);
  });
});
