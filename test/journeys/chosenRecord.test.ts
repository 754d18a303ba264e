import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CallView } from '../../src/contract/calls.ts';
import type { Softphone } from '../../src/client/softphone.ts';
import { SalesforceFake } from '../support/crm/salesforceFake.ts';
import type { TestAgent, TestCompany } from '../support/gateway/gateway.ts';
import { type Gateways, type MeddledGateway, startGateways } from '../support/gateway/gateways.ts';
import { nextEvent } from '../support/gateway/softphoneEvents.ts';
import { WatchedWallboard } from '../support/gateway/watchedWallboard.ts';
import { eventually } from '../support/time/waiting.ts';

describe('a number that several records of the CRM have', () => {
  let crm: SalesforceFake;
  let gateways: Gateways;
  let gateway: MeddledGateway;
  let other: MeddledGateway;
  let company: TestCompany;
  let agent: TestAgent;
  let softphone: Softphone;
  let numbers = 0;
  let phone: string;
  let contact: { object: string; id: string };
  let lead: { object: string; id: string };

  beforeAll(async () => {
    crm = await SalesforceFake.open();
    gateways = await startGateways(2, { config: { crmBaseUrls: new Map([['salesforce', crm.url]]) } });
    [gateway, other] = [gateways.at(0), gateways.at(1)];
  });
  beforeEach(async () => {
    numbers += 1;
    company = await gateway.company({ slug: `several-${numbers}`, agents: 2, wrapUpSeconds: 3_600 });
    const [first] = company.agents;
    if (first === undefined) throw new Error('the company has agents');
    agent = first;
    await gateway
      .as(company)
      .put('/api/integrations/crm')
      .send({ provider: 'salesforce', credentials: crm.credentials })
      .expect(200);
    phone = `+1415557${String(numbers).padStart(4, '0')}`;
    const ada = {
      name: 'Ada Byron',
      email: 'ada@example.org',
      phone: `(415) 557-${phone.slice(8)}`,
      accountNumber: 'A-17',
      tier: 'Hot',
      openTickets: 2,
    };
    contact = { object: 'Contact', id: crm.addPerson(ada) };
    lead = { object: 'Lead', id: crm.addLead({ name: 'Annabella Byron', email: null, phone: ada.phone }) };
    softphone = await gateway.readySoftphone(agent);
  });
  afterEach(() => {
    softphone.close();
    gateways.endMeddling();
  });
  afterAll(async () => {
    await gateways.close();
    await crm.close();
  });

  const callAt = async (id: string): Promise<CallView> =>
    (await gateway.as(company).get(`/api/calls/${id}`).expect(200)).body;
  const named = (name: string) => (call: CallView) => call.screen_pop?.name === name;
  const complete = (call: CallView) => call.screen_pop?.crm?.open_tickets !== undefined;
  /** A ring whose candidates have come. */
  async function rung(): Promise<string> {
    const told = nextEvent(softphone, 'call', (call) => call.screen_pop?.candidates !== undefined);
    const { call } = await softphone.incomingCall(phone);
    expect((await told)[0]).toMatchObject({ id: call.id, looking_up: false });
    return call.id;
  }

  it('is said to be looked up, and then tells all of them and chooses none', async () => {
    const popped = nextEvent(softphone, 'pop');
    const changed = nextEvent(softphone, 'popChanged');
    const id = await rung();
    expect((await popped)[0]).toMatchObject({ call_id: id, looking_up: true, screen_pop: { phone } });
    const [pop] = await changed;
    expect(pop).not.toHaveProperty('looking_up');
    expect(pop.screen_pop.candidates).toEqual([
      expect.objectContaining({ ...contact, name: 'Ada Byron', email: 'ada@example.org', account_number: 'A-17' }),
      expect.objectContaining({ ...lead, name: 'Annabella Byron', email: null }),
    ]);
    expect(pop.screen_pop.name).toBeUndefined();
  });

  it('shows the chosen one at once, and the rest when the CRM has told it', async () => {
    const id = await rung();
    const completed = nextEvent(softphone, 'call', complete);
    const call = await softphone.chooseRecord(id, contact);
    expect(call.screen_pop).toMatchObject({
      name: 'Ada Byron',
      email: 'ada@example.org',
      external_system: 'salesforce',
      external_id: contact.id,
      external_object: 'Contact',
    });
    expect(call.screen_pop?.record_url).toContain(`/lightning/r/Contact/${contact.id}/view`);
    expect(call.screen_pop?.candidates).toHaveLength(2);
    expect((await completed)[0].screen_pop).toMatchObject({
      name: 'Ada Byron',
      crm: { account_number: 'A-17', open_tickets: 2 },
    });
    expect(softphone.pop?.screen_pop.crm).toMatchObject({ open_tickets: 2 });
    const { body } = await gateway.as(agent).get('/api/calls').expect(200);
    expect(body.calls[0]).toMatchObject({
      id,
      customer_name: 'Ada Byron',
      external_system: 'salesforce',
      record_url: call.screen_pop?.record_url,
    });
  });

  it('shows another one in its place after a wrong click, with nothing left of the first', async () => {
    const id = await rung();
    const completed = nextEvent(softphone, 'call', complete);
    await softphone.chooseRecord(id, contact);
    await completed;
    const { screen_pop: pop } = await softphone.chooseRecord(id, lead);
    expect(pop).toMatchObject({
      name: 'Annabella Byron',
      external_id: lead.id,
      external_object: 'Lead',
      vip_tier: null,
    });
    expect(pop).not.toHaveProperty('email');
    expect(pop?.crm).not.toHaveProperty('account_number');
    expect(pop?.crm).not.toHaveProperty('open_tickets');
    expect((await softphone.chooseRecord(id, contact)).screen_pop).toMatchObject({
      name: 'Ada Byron',
      crm: { open_tickets: 2 },
    });
  });

  it('is not overwritten by what comes late of one that is not chosen any more', async () => {
    const id = await rung();
    const hanging = crm.heard.length;
    crm.failNext({ kind: 'hang' }, ({ url }) => url.searchParams.get('q')?.includes(`'${contact.id}'`) === true);
    await softphone.chooseRecord(id, contact);
    await eventually(() => crm.heard.length > hanging);
    const completed = nextEvent(softphone, 'call', (call) => call.screen_pop?.candidates?.[1]?.crm !== undefined);
    await softphone.chooseRecord(id, lead);
    await completed;
    expect((await callAt(id)).screen_pop).toMatchObject({ name: 'Annabella Byron', external_id: lead.id });
  });

  it('keeps what the click has told beside the record', async () => {
    const told = nextEvent(softphone, 'call', (call) => call.screen_pop?.candidates !== undefined);
    const { body } = await gateway
      .click(company, { phone_number: phone, screen_pop: { crm: { basket: 12.5, name: 'from the shop' } } })
      .expect(201);
    await told;
    await softphone.chooseRecord(body.call_id, contact);
    const { screen_pop: pop } = await softphone.chooseRecord(body.call_id, lead);
    expect(pop?.crm).toMatchObject({ basket: 12.5, name: 'from the shop' });
  });

  it('needs no choice where the click names the record', async () => {
    const completed = nextEvent(softphone, 'call', complete);
    const { body } = await gateway.click(company, { phone_number: phone, external_id: contact.id }).expect(201);
    const [call] = await completed;
    expect(call).toMatchObject({
      id: body.call_id,
      screen_pop: { name: 'Ada Byron', external_id: contact.id, crm: { open_tickets: 2 } },
    });
    // What was looked up is kept, so that the next click shows it at once.
    await softphone.reportProgress(body.call_id, 'ended');
    await softphone.submitDisposition(body.call_id, { code: 'resolved' });
    await softphone.setReady();
    const again = await gateway.click(company, { phone_number: phone, external_id: lead.id }).expect(201);
    expect(again.body.screen_pop).toMatchObject({ name: 'Annabella Byron', external_object: 'Lead' });
  });

  it('is chosen once, however often it is said', async () => {
    const id = await rung();
    const completed = nextEvent(softphone, 'call', complete);
    await softphone.chooseRecord(id, contact);
    await completed;
    const [asked, before] = [crm.heard.length, await callAt(id)];
    const answers = await Promise.all([softphone.chooseRecord(id, contact), softphone.chooseRecord(id, contact)]);
    expect(answers.map((call) => call.screen_pop?.external_id)).toEqual([contact.id, contact.id]);
    expect(await callAt(id)).toEqual(before);
    expect(crm.heard.length).toBe(asked);
  });

  it('is chosen while the CRM is down', async () => {
    const id = await rung();
    const asked = crm.heard.length;
    const end = crm.failAll({ kind: 'reset' });
    expect((await softphone.chooseRecord(id, contact)).screen_pop).toMatchObject({
      name: 'Ada Byron',
      external_id: contact.id,
    });
    await eventually(() => crm.heard.length > asked);
    end();
    const completed = nextEvent(softphone, 'call', complete);
    await softphone.chooseRecord(id, contact);
    await completed;
  });

  it('is chosen after the call, and after its wrap-up', async () => {
    const id = await rung();
    await softphone.reportProgress(id, 'connected');
    await softphone.reportProgress(id, 'ended');
    expect((await softphone.chooseRecord(id, contact)).screen_pop?.name).toBe('Ada Byron');
    await softphone.submitDisposition(id, { code: 'resolved', notes: 'A note.' });
    expect(await softphone.chooseRecord(id, lead)).toMatchObject({
      screen_pop: { name: 'Annabella Byron' },
      disposition: { notes: 'A note.' },
      state: 'ended',
    });
  });

  it('is chosen by a program as well, and every page hears of it', async () => {
    const id = await rung();
    const wallboard = await WatchedWallboard.open(gateway.url, company.adminToken);
    const heard = nextEvent(softphone, 'popChanged', ({ screen_pop }) => screen_pop.name === 'Ada Byron');
    const { body } = await gateway.as(agent).post(`/api/calls/${id}/record`).send(contact).expect(200);
    expect(body).toMatchObject({ id, customer_name: 'Ada Byron', screen_pop: { external_id: contact.id } });
    await heard;
    await eventually(() =>
      wallboard.callChanges.some((call) => call.name === 'Ada Byron' && call.record_url === body.record_url),
    );
    wallboard.watcher.close();
  });

  it('is chosen at another gateway than the softphone’s', async () => {
    const id = await rung();
    const [heardContact, completed] = [
      nextEvent(softphone, 'call', named('Ada Byron')),
      nextEvent(softphone, 'call', complete),
    ];
    await other.as(agent).post(`/api/calls/${id}/record`).send(contact).expect(200);
    await heardContact;
    await completed;
    await Promise.all([
      other.as(agent).post(`/api/calls/${id}/record`).send(lead).expect(200),
      softphone.reportProgress(id, 'connected'),
    ]);
    expect(await callAt(id)).toMatchObject({ state: 'connected', screen_pop: { name: 'Annabella Byron' } });
  });

  it('is none of those that it is not: nothing is changed', async () => {
    const id = await rung();
    const before = await callAt(id);
    const stranger = { object: 'Contact', id: lead.id };
    await expect(softphone.chooseRecord(id, stranger)).rejects.toMatchObject({
      code: 'invalid_request',
      refusal: { cause: { code: 'not_a_candidate' } },
    });
    const { body } = await gateway.as(agent).post(`/api/calls/${id}/record`).send(stranger).expect(400);
    expect(body).toMatchObject({ code: 'invalid_request', errors: [{ path: 'id', code: 'not_a_candidate' }] });
    expect(await callAt(id)).toEqual(before);
  });

  it('is not there to choose where there is one record, or none', async () => {
    const { call } = await softphone.incomingCall('+14155579999');
    await expect(softphone.chooseRecord(call.id, contact)).rejects.toMatchObject({
      code: 'conflict',
      refusal: { cause: { code: 'nothing_to_choose' } },
    });
  });

  it('is not for other agents and companies to choose', async () => {
    const id = await rung();
    const before = await callAt(id);
    const [, colleague] = company.agents;
    const strangers = await gateway.company({ slug: `strangers-${numbers}`, agents: 1 });
    await gateway
      .as(colleague ?? agent)
      .post(`/api/calls/${id}/record`)
      .send(contact)
      .expect(404);
    expect((await gateway.as(strangers).post(`/api/calls/${id}/record`).send(contact).expect(403)).body.code).toBe(
      'wrong_company',
    );
    await gateway.api.post(`/api/calls/${id}/record`).send(contact).expect(401);
    expect(await callAt(id)).toEqual(before);
    // A supervisor may.
    await gateway.as(company).post(`/api/calls/${id}/record`).send(contact).expect(200);
  });

  it('tells that nobody was found, so that nobody waits', async () => {
    const changed = nextEvent(softphone, 'popChanged');
    const { call } = await softphone.incomingCall('+14155578888', 'From the network');
    const [pop] = await changed;
    expect(pop).toMatchObject({ call_id: call.id, found: false, screen_pop: { name: 'From the network' } });
    expect(pop).not.toHaveProperty('looking_up');
  });

  it('is not said to be looked up in a company that pushes', async () => {
    await gateway.as(company).put('/api/integrations').send({ mode: 'push' }).expect(200);
    const popped = nextEvent(softphone, 'pop');
    await softphone.incomingCall(phone);
    expect((await popped)[0]).not.toHaveProperty('looking_up');
  });
});
