import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DeliveryDetail, DeliveryView } from '../../src/contract/deliveries.ts';
import { providers } from '../../src/providers/registry.ts';
import { fakedCrms, writesCall } from '../support/crm/fakedCrms.ts';
import type { FakeCrm, Heard } from '../support/crm/fakeCrm.ts';
import { type Gateway, startGateway, type TestCompany } from '../support/gateway/gateway.ts';
import { nextEvent } from '../support/gateway/softphoneEvents.ts';
import { createLeapingClock, type LeapingClock } from '../support/time/leapingClock.ts';
import { eventually } from '../support/time/waiting.ts';
import type { Softphone } from '../../src/client/softphone.ts';

const ada = { name: 'Ada Byron', email: 'ada@example.org' };
const minute = 60_000;

let clock: LeapingClock;
let gateway: Gateway;
const fakes = new Map<string, FakeCrm>();

beforeAll(async () => {
  clock = createLeapingClock();
  for (const { name, open } of fakedCrms) fakes.set(name, await open(clock.now));
  // How fast a CRM may be asked is held to elsewhere.
  const crmSystems = providers.map((provider) => ({ ...provider, limits: { all: { count: 10_000, perMs: 1_000 }, searches: null } }));
  gateway = await startGateway('memory', { clock, crmSystems, config: { crmBaseUrls: new Map([...fakes.values()].map(({ id, url }) => [id, url])) } });
});
afterAll(async () => {
  await gateway.close();
  for (const fake of fakes.values()) await fake.close();
});

describe.each(fakedCrms.map(({ name, options = {}, hasTokens }) => ({ name, options, hasTokens })))('a call in $name', ({ name, options, hasTokens }) => {
  let crm: FakeCrm;
  let company: TestCompany;
  let softphone: Softphone;
  let companies = 0;
  let numbers = 0;

  beforeAll(() => {
    const fake = fakes.get(name);
    if (fake === undefined) throw new Error('every CRM is open');
    crm = fake;
  });
  beforeEach(async () => {
    // Some allow few requests a minute.
    await clock.advance(minute);
    companies += 1;
    company = await gateway.company({ slug: `logging-${crm.id}-${companies}`, agents: 1, wrapUpSeconds: 30 });
    await connect().expect(200);
    const [agent] = company.agents;
    if (agent === undefined) throw new Error('the company has one agent');
    softphone = await gateway.readySoftphone(agent);
  });
  afterEach(() => softphone.close());

  const isWrite = (heard: Heard) => writesCall(crm, heard);
  const admin = () => gateway.as(company);
  const connect = (more: object = {}) => admin().put('/api/integrations/crm').send({ provider: crm.id, credentials: crm.credentials, options, ...more });
  const known = () => {
    numbers += 1;
    const phone = `+1415557${String(numbers).padStart(4, '0')}`;
    return { phone, id: crm.addPerson({ ...ada, phone }) };
  };
  const entries = (callId: string) => crm.logged.filter(({ text }) => text.includes(callId));
  const deliveries = async (callId: string): Promise<DeliveryView[]> =>
    (await admin().get('/api/integrations/webhook-deliveries').query({ call_id: callId, target: 'crm' }).expect(200)).body.deliveries.toReversed();
  const detail = async (id: string): Promise<DeliveryDetail> => (await admin().get(`/api/integrations/webhook-deliveries/${id}`).expect(200)).body;
  const settled = (callId: string, count = 1) =>
    eventually(async () => {
      const found = await deliveries(callId);
      return found.length === count && found.every(({ state }) => state === 'delivered' || state === 'dead') ? found : false;
    }) as unknown as Promise<DeliveryView[]>;

  /** An inbound ring that pops, is answered and ends. */
  const answered = async (phone: string): Promise<string> => {
    const popped = nextEvent(softphone, 'call', (call) => call.screen_pop?.external_system === crm.id);
    const { call } = await softphone.incomingCall(phone);
    await popped;
    await softphone.reportProgress(call.id, 'connected');
    await softphone.reportProgress(call.id, 'ended');
    return call.id;
  };
  const wrapUp = (callId: string) => softphone.submitDisposition(callId, { code: 'resolved', notes: 'Asked for the invoice of May.' });

  it('pops with its record and link, and stands in the CRM with disposition and notes when it is wrapped up', async () => {
    const { phone, id } = known();
    const callId = await answered(phone);
    const { body: call } = await admin().get(`/api/calls/${callId}`).expect(200);
    expect(call.screen_pop).toMatchObject({ name: ada.name, external_system: crm.id, external_id: id, record_url: expect.stringContaining(encodeURIComponent(id)) });
    await wrapUp(callId);
    const [delivery] = await settled(callId);
    expect(delivery).toMatchObject({ target: 'crm', event: 'call_log', state: 'delivered', attempts: 1, last_error: null });
    const [entry, ...more] = entries(callId);
    expect(more).toEqual([]);
    expect(entry?.text).toContain('Asked for the invoice of May.');
    expect(entry?.personId).toContain(id);
    const { log } = await detail(delivery?.id ?? '');
    expect(log).toMatchObject([{ number: 1, method: expect.any(String), url: expect.stringContaining(crm.url), error: null }]);
    expect(JSON.stringify(log)).not.toMatch(/authorization/i);
  });

  it('stands there once, although the connection was cut after the commit', async () => {
    const { phone } = known();
    const callId = await answered(phone);
    crm.failNext({ kind: 'reset_after_commit' }, isWrite);
    await wrapUp(callId);
    await eventually(async () => (await deliveries(callId))[0]?.attempts === 1);
    await eventually(async () => {
      await clock.advance(minute / 2);
      return (await deliveries(callId))[0]?.state === 'delivered';
    });
    expect(entries(callId)).toHaveLength(1);
  });

  it('stands there without a disposition when nobody wraps it up, and with it when somebody does later', async () => {
    const { phone } = known();
    const callId = await answered(phone);
    await clock.advance(minute);
    await settled(callId);
    expect(entries(callId)).toHaveLength(1);
    const before = crm.heard.length;
    await wrapUp(callId);
    const [, later] = await settled(callId, 2);
    expect(later).toMatchObject({ state: 'delivered' });
    expect(entries(callId)).toHaveLength(1);
    const hasNotes = crm.heard.slice(before).some(({ body }) => body.includes('Asked for the invoice of May.'));
    expect(hasNotes || later?.last_error_cause?.code === 'crm_keeps_entries').toBe(true);
  });

  it('is kept as dead, with the words of the CRM, when it does not take it; and logged when it is sent again', async () => {
    const { phone } = known();
    const callId = await answered(phone);
    crm.failNext({ kind: 'answer', answer: crm.refusedEntry() }, isWrite);
    await wrapUp(callId);
    const [delivery] = await settled(callId);
    expect(delivery).toMatchObject({ state: 'dead', last_error: expect.stringContaining('does not take it'), last_error_cause: { code: expect.stringMatching(/^crm_refused/) } });
    const { log } = await detail(delivery?.id ?? '');
    expect(log.at(-1)?.response_body).not.toBe('');
    await admin().post(`/api/integrations/webhook-deliveries/${delivery?.id ?? ''}/redeliver`).expect(200);
    await eventually(async () => (await deliveries(callId))[0]?.state === 'delivered');
    expect(entries(callId)).toHaveLength(1);
  });

  it('waits, when the CRM refuses the credentials, until an admin has mended them', async () => {
    const { phone } = known();
    const callId = await answered(phone);
    const refused = { kind: 'answer', answer: { status: 401, headers: { 'content-type': 'application/json' }, body: '{"message":"no","error":"Couldn\'t authenticate you"}' } } as const;
    const isRequest = (heard: Heard) => !heard.path.includes('token');
    // A fresh token is tried once.
    for (let time = 0; time < (hasTokens ? 2 : 1); time++) crm.failNext(refused, isRequest);
    await wrapUp(callId);
    await eventually(async () => (await admin().get('/api/integrations/crm').expect(200)).body.connection.state === 'needs_attention');
    await eventually(async () => (await deliveries(callId))[0]?.state === 'pending');
    expect(await deliveries(callId)).toMatchObject([{ attempts: 0, last_error_cause: { code: 'crm_unauthorized' } }]);
    expect(entries(callId)).toEqual([]);
    await connect().expect(200);
    await eventually(async () => (await deliveries(callId))[0]?.state === 'delivered');
    expect(entries(callId)).toHaveLength(1);
  });

  it('goes when the CRM lets it, where that has been asked too much', async () => {
    const { phone } = known();
    const callId = await answered(phone);
    crm.failNext({ kind: 'answer', answer: crm.tooMany() }, isWrite);
    await wrapUp(callId);
    await eventually(async () => (await deliveries(callId))[0]?.last_error_cause?.code === 'crm_rate_limited');
    await eventually(async () => {
      await clock.advance(minute);
      return (await deliveries(callId))[0]?.state === 'delivered';
    });
    expect((await deliveries(callId))[0]).toMatchObject({ attempts: 1 });
    expect(entries(callId)).toHaveLength(1);
  });

  it('is shown in a trial as it would be logged, without what authenticates', async () => {
    const { phone, id } = known();
    const { body } = await admin().post('/api/integrations/crm/preview').send({ phone_number: phone }).expect(200);
    const log = body.requests.find(({ purpose }: { purpose: string }) => purpose === 'log');
    expect(log).toMatchObject({ method: 'POST', url: expect.stringContaining(crm.url), body: expect.stringContaining('Asked for the invoice of May.') });
    expect(decodeURIComponent(log.body + log.url)).toContain(id);
    expect(body.requests[0]).toMatchObject({ purpose: 'search', url: expect.stringContaining(crm.url) });
    const secrets = Object.entries(crm.credentials).filter(([name]) => /secret|token|password|key/.test(name)).map(([, secret]) => secret);
    for (const secret of secrets) expect(JSON.stringify(body.requests)).not.toContain(secret);
    expect(crm.logged.filter(({ text }) => text.includes('00000000-0000-7000-8000-000000000000'))).toEqual([]);
  });

  it('is not logged where the admin has chosen so', async () => {
    await connect({ log_calls: 'answered' }).expect(200);
    const { phone } = known();
    const { call } = await softphone.incomingCall(phone);
    await softphone.reportProgress(call.id, 'ended', { end_reason: 'no_answer' });
    await eventually(async () => (await admin().get(`/api/calls/${call.id}`).expect(200)).body.state === 'ended');
    expect(await deliveries(call.id)).toEqual([]);
  });
});
