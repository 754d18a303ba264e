import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { crmFields } from '../../src/client/crmFields.ts';
import type { Softphone } from '../../src/client/softphone.ts';
import { startGateway, type Gateway, type TestAgent, type TestCompany } from '../support/gateway/gateway.ts';
import { nextEvent } from '../support/gateway/softphoneEvents.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhooks/webhookReceiver.ts';

const phone = '+15551230001';
const json = 'application/json';
/** What doubles, JavaScript's objects and PostgreSQL's jsonb would each change. */
const data =
  '{"zip":"00123","id":554023000000235001,"10":1.10,"2":-0.0,"a":{"huge":1e400,"9":12345678901234567890123,' +
  '"b":[0.30,null]},"name":"Grace"}';
const metadata = '{"z":9007199254740993,"7":1,"3":{"amount":1e-7,"y":20.00}}';
const crm = '{"owner":9007199254740995,"1":"first"}';
const composed =
  '{"zip":"00123","id":554023000000235001,"10":1.10,"2":-0.0,"a":{"huge":1e400,"9":12345678901234567890123,' +
  '"b":[0.30,null]},"name":"Grace","owner":9007199254740995,"1":"first"}';

describe('what a CRM attaches', () => {
  let gateway: Gateway;
  let receiver: WebhookReceiver;
  let company: TestCompany;
  let agent: TestAgent;
  let softphone: Softphone;

  beforeAll(async () => {
    [gateway, receiver] = await Promise.all([startGateway(), startWebhookReceiver()]);
    company = await gateway.company({ slug: 'exact', agents: 1, wrapUpSeconds: 0, webhookUrl: receiver.url });
    const [only] = company.agents;
    if (only === undefined) throw new Error('the company has one agent');
    agent = only;
    softphone = await gateway.readySoftphone(agent);
  });
  afterAll(async () => {
    await gateway.close();
    await receiver.close();
  });

  /** Sends text as it is; answers text as it came. */
  async function send(method: string, path: string, body?: string, headers: Record<string, string> = {}) {
    const asKey = {
      'X-Service-Api-Key': company.key,
      ...(body === undefined ? {} : { 'content-type': json }),
      ...headers,
    };
    const answer = await fetch(gateway.url + path, { method, headers: asKey, ...(body === undefined ? {} : { body }) });
    return { status: answer.status, text: await answer.text(), headers: answer.headers };
  }
  const push = (record: string) =>
    send('POST', '/api/integrations/inbound', `{"phone_number":"${phone}",\n  "data" : ${record}}`);
  const click = (rest: string, key?: string) =>
    send(
      'POST',
      '/api/integrations/cti/click-to-dial',
      `{"phone_number":"${phone}",${rest}}`,
      key === undefined ? {} : { 'idempotency-key': key },
    );
  const asAgent = () => ({ authorization: `Bearer ${agent.token}`, 'X-Service-Api-Key': '' });
  const readCall = (id: string) =>
    fetch(`${gateway.url}/api/calls/${id}`, { headers: { authorization: `Bearer ${agent.token}` } }).then((answer) =>
      answer.text(),
    );

  it('keeps every digit and its order from the push and the click to answers, pop, record, replay and webhooks', async () => {
    expect((await push(data)).status).toBe(200);
    expect((await send('GET', `/api/integrations/lookup?phone=${encodeURIComponent(phone)}`)).text).toContain(
      `"crm":${data}`,
    );

    const popped = nextEvent(softphone, 'pop');
    const dialed = nextEvent(softphone, 'dial');
    const clicked = await click(`"metadata":${metadata},"screen_pop":{"vip_tier":"gold","crm":${crm}}`, 'exact-1');
    expect([clicked.status, clicked.text.includes(`"crm":${composed}`)]).toEqual([201, true]);
    const [pop] = await popped;
    const [offer] = await dialed;
    // Every number that a double cannot hold is a string of its digits; the texts are beside it.
    expect(pop.screen_pop.crm).toMatchObject({
      id: '554023000000235001',
      '10': 1.1,
      a: { huge: '1e400', '9': '12345678901234567890123' },
    });
    expect(pop.metadata).toEqual({ z: '9007199254740993', 7: 1, 3: { amount: 1e-7, y: 20 } });
    expect([pop.exact, offer.exact]).toEqual([{ crm: composed, metadata }, { metadata }]);
    expect(crmFields(pop).slice(0, 4)).toEqual([
      ['zip', '00123'],
      ['id', '554023000000235001'],
      ['10', '1.10'],
      ['2', '-0.0'],
    ]);
    expect(softphone.call?.exact).toEqual({ crm: composed, metadata });

    const again = await click(`"metadata":${metadata},"screen_pop":{"vip_tier":"gold","crm":${crm}}`, 'exact-1');
    expect([again.status, again.headers.get('idempotent-replay'), again.text]).toEqual([201, 'true', clicked.text]);
    const other = await click(
      `"metadata":${metadata.replace('993', '992')},"screen_pop":{"vip_tier":"gold","crm":${crm}}`,
      'exact-1',
    );
    expect(JSON.parse(other.text)).toMatchObject({ status: 422, code: 'idempotency_mismatch' });

    const { call_id: callId } = JSON.parse(clicked.text) as { call_id: string };
    const record = await readCall(callId);
    expect([record.includes(`"metadata":${metadata}`), record.includes(`"crm":${composed}`)]).toEqual([true, true]);
    await softphone.reportProgress(callId, 'connected');
    await softphone.reportProgress(callId, 'ended');
    await softphone.submitDisposition(callId, { code: 'resolved' });
    const wrapped = await readCall(callId);
    expect([wrapped.includes(`"metadata":${metadata}`), wrapped.includes(`"crm":${composed}`)]).toEqual([true, true]);
    const webhooks = await receiver.waitFor(({ body }) => body.data['call_id'] === callId, 4);
    expect(webhooks.map(({ raw }) => raw.includes(`"metadata":${metadata}`))).toEqual([true, true, true, true]);
    const log = await fetch(
      `${gateway.url}/api/integrations/webhook-deliveries/${String(webhooks[0]?.headers['x-service-delivery'])}`,
      {
        headers: { authorization: `Bearer ${company.adminToken}` },
      },
    );
    expect(await log.text()).toContain(`"metadata":${metadata}`);
  });

  it('may hold a field twice, of which the last counts, and any name', async () => {
    await push('{"a":1,"__proto__":{"x":1},"b":2,"a":3,"constructor":{"prototype":4}}');
    const { text } = await send('GET', `/api/integrations/lookup?phone=${encodeURIComponent(phone)}`);
    expect(text).toContain('"crm":{"a":3,"__proto__":{"x":1},"b":2,"constructor":{"prototype":4}}');
  });

  it('is looked at as before where its fields are known', async () => {
    const refused = JSON.parse((await push('{"open_tickets":9007199254740993}')).text) as Record<string, unknown>;
    expect(refused).toMatchObject({ code: 'invalid_request', errors: [{ path: 'data.open_tickets' }] });
  });

  it.each(['metadata', 'screen_pop', 'screen_pop.crm'])(
    'is refused on a click when its %s is over 64 KiB, before anybody is dialed',
    async (field) => {
      const large = `{"note":"${'x'.repeat(65_530)}"}`;
      const body = field === 'metadata' ? `"metadata":${large}` : `"screen_pop":{"crm":${large}}`;
      const { status, text } = await click(body);
      const named = field === 'metadata' ? 'metadata' : 'screen_pop';
      expect([status, JSON.parse(text)]).toMatchObject([413, { code: 'payload_too_large', errors: [{ path: named }] }]);
      expect(text).toMatch(/is 65,5\d\d bytes of JSON, at most 65,536 are taken/);
      expect(softphone.agent?.state).toBe('ready');
    },
  );

  it('of 64 KiB in each place is popped, and left out of lists, which name the customer', async () => {
    const filling = (bytes: number) => `{"name":"Grace","note":"${'x'.repeat(bytes - 25)}"}`;
    expect((await push(filling(65_000))).status).toBe(200);
    const calls: string[] = [];
    for (let made = 0; made < 3; made += 1) {
      const dialed = nextEvent(softphone, 'dial');
      const clicked = await click(`"metadata":${filling(65_000)},"screen_pop":{"crm":{"own":"${'y'.repeat(60_000)}"}}`);
      expect([clicked.status, clicked.text.length > 120_000, clicked.text.length < 140_000]).toEqual([201, true, true]);
      const [{ call_id: callId }] = await dialed;
      await softphone.reportProgress(callId, 'ended', { end_reason: 'busy' });
      calls.unshift(callId);
    }
    const list = await send('GET', '/api/calls?limit=3', undefined, asAgent());
    const listed = JSON.parse(list.text) as { calls: Record<string, unknown>[] };
    expect(listed.calls.map(({ id, customer_name: name }) => [id, name])).toEqual(calls.map((id) => [id, 'Grace']));
    expect([list.text.length < 4_000, Object.hasOwn(listed.calls[0] ?? {}, 'metadata')]).toEqual([true, false]);
    expect((await readCall(calls[0] ?? '')).length).toBeGreaterThan(180_000);
    const webhooks = await receiver.waitFor(({ body }) => calls.includes(String(body.data['call_id'])), 6);
    expect(webhooks.every(({ raw }) => raw.includes(filling(65_000)))).toBe(true);
  });
});
