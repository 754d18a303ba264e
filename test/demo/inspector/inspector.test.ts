import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DemoDelivery, DemoStart } from '../../../src/contract/demo.ts';
import { createDemoServer } from '../../../src/demo/demoServer.ts';
import { createManualClock, type ManualClock } from '../../support/time/manualClock.ts';
import { startGateway, type Gateway, type TestCompany } from '../../support/gateway/gateway.ts';
import { eventually } from '../../support/time/waiting.ts';
import { SipTelephone } from '../../support/sip/sipTelephone.ts';

describe('the demo', () => {
  let clock: ManualClock;
  let gateway: Gateway;
  let company: TestCompany;
  let other: TestCompany;
  beforeAll(async () => {
    clock = createManualClock(Date.UTC(2026, 10, 21));
    gateway = await startGateway('memory', { clock });
    company = await gateway.company({ slug: 'inspected', agents: 1 });
    other = await gateway.company({ slug: 'other', agents: 1 });
  });
  afterAll(() => gateway.close());

  const asAdmin = ({ adminToken }: TestCompany) => ({ authorization: `Bearer ${adminToken}` });
  const start = async (who: TestCompany): Promise<DemoStart> =>
    (await gateway.api.post('/demo/start').set(asAdmin(who)).expect(200)).body;
  const inboxUrl = () => `${gateway.url}/demo/inbox`;
  /** A real webhook of a company, delivered by the gateway itself. */
  const sendWebhook = async (who: TestCompany) => {
    const answer = await gateway.api.post('/api/integrations/test-webhook').set(asAdmin(who)).expect(200);
    return answer.body;
  };

  it('makes a company ready: its webhooks go to the inspector and the customers of the demo are there', async () => {
    const demo = await start(company);
    expect(demo).toMatchObject({ webhooks: 'inbox', webhook_url: inboxUrl(), carrier: true });
    expect(demo.webhook_secret).toMatch(/^whsec_/);
    expect(demo.customers.map(({ behaviour }) => behaviour)).toEqual([
      'answers',
      'busy',
      'never_answers',
      'declines',
      'hangs_up',
      'answers_high',
    ]);
    for (const { phone_number: phone, name } of demo.customers) {
      const found = await gateway.api
        .get('/api/integrations/lookup')
        .query({ phone })
        .set(asAdmin(company))
        .expect(200);
      expect(found.body.screen_pop.name).toBe(name);
    }
    // What was shown once is not made again, nor is the company connected anew.
    const connectedAt = async () =>
      (await gateway.api.get('/api/integrations').set(asAdmin(company)).expect(200)).body.integration.connected_at;
    const first = await connectedAt();
    await clock.advance(1_000);
    const again = await start(company);
    expect([again.api_key, again.webhook_secret, again.webhook_url]).toEqual([undefined, undefined, inboxUrl()]);
    expect(await connectedAt()).toBe(first);
  });

  it('leaves a webhook URL alone that somebody has set, and takes back one of an earlier start', async () => {
    const third = await gateway.company({ slug: 'third', webhookUrl: 'http://127.0.0.1:1/own' });
    expect(await start(third)).toMatchObject({ webhooks: 'elsewhere', webhook_url: 'http://127.0.0.1:1/own' });
    await gateway.api
      .put('/api/integrations')
      .set(asAdmin(third))
      .send({ webhook_url: 'http://localhost:1/demo/inbox' })
      .expect(200);
    expect(await start(third)).toMatchObject({ webhooks: 'inbox', webhook_url: inboxUrl() });
  });

  it('enables the inspector again where it was disabled', async () => {
    const fourth = await gateway.company({ slug: 'fourth' });
    await start(fourth);
    await gateway.api.put('/api/integrations').set(asAdmin(fourth)).send({ webhook_enabled: false }).expect(200);
    await start(fourth);
    const { body } = await gateway.api.get('/api/integrations').set(asAdmin(fourth)).expect(200);
    expect(body.integration.webhook_enabled).toBe(true);
  });

  it('shows what arrived and what arrives, with the verdict on its signature, to the admins of that company alone', async () => {
    await start(company);
    await start(other);
    expect(await sendWebhook(company)).toMatchObject({ outcome: 'success', status_code: 204 });
    const mine = await watch(gateway, company);
    const theirs = await watch(gateway, other);
    await mine.shows(({ event }) => event === 'integration_test');
    await sendWebhook(company);
    await eventually(() => mine.deliveries.filter(({ event }) => event === 'integration_test').length === 2);
    const [first] = mine.deliveries;
    expect(first).toMatchObject({ attempt: 1, status_code: 204, signature: { verdict: 'verified' } });
    expect(first?.headers['x-service-company']).toBe(company.id);
    expect(JSON.parse(first?.body ?? '')).toMatchObject({ event: 'integration_test', company_id: company.id });
    await sendWebhook(other);
    await theirs.shows(({ event }) => event === 'integration_test');
    expect(theirs.deliveries.every(({ body }) => body.includes(other.id))).toBe(true);
    expect(mine.deliveries.every(({ body }) => body.includes(company.id))).toBe(true);

    // A page that was away goes on where it was.
    const last = mine.deliveries.at(-1)?.sequence ?? 0;
    mine.close();
    await sendWebhook(company);
    const back = await watch(gateway, company, last);
    await back.shows(() => true);
    expect(back.deliveries.every(({ sequence }) => sequence > last)).toBe(true);
    back.close();
    theirs.close();
  });

  it('refuses what is not signed by the company, and says why', async () => {
    await start(company);
    const mine = await watch(gateway, company);
    const forged = await gateway.api
      .post('/demo/inbox')
      .set({ 'X-Service-Company': company.id, 'X-Service-Event': 'forged', 'content-type': 'application/json' })
      .send('{"event":"forged"}');
    expect([forged.status, forged.body.code]).toEqual([401, 'unauthenticated']);
    const seen = await mine.shows(({ event }) => event === 'forged');
    expect(seen).toMatchObject({
      status_code: 401,
      signature: { verdict: 'refused', reason: expect.stringMatching(/_signature$/) },
      body: '{"event":"forged"}',
    });
    expect(seen.signature.detail).not.toBe('');
    mine.close();
  });

  it('takes what a company sends unsigned, as it wants it', async () => {
    const fifth = await gateway.company({ slug: 'fifth' });
    await start(fifth);
    await gateway.api.put('/api/integrations').set(asAdmin(fifth)).send({ webhook_secret: null }).expect(200);
    const watched = await watch(gateway, fifth);
    expect(await sendWebhook(fifth)).toMatchObject({ outcome: 'success' });
    expect((await watched.shows(() => true)).signature.verdict).toBe('unsigned');
    watched.close();
  });

  it('takes webhooks alone: of a company that exists, as JSON, not longer than they are', async () => {
    const post = (headers: Record<string, string>, body: string) =>
      gateway.api
        .post('/demo/inbox')
        .set({ 'content-type': 'application/json', 'X-Service-Company': company.id, ...headers })
        .send(body);
    expect((await post({ 'X-Service-Company': 'nobody' }, '{}')).status).toBe(404);
    expect((await post({ 'X-Service-Company': '0190a000-0000-7000-8000-000000000001' }, '{}')).status).toBe(404);
    // As a page of another origin could.
    expect((await post({ 'content-type': 'text/plain' }, '{}')).status).toBe(415);
    const long = await post({}, `"${'x'.repeat(2 * 1024 * 1024)}"`);
    expect([long.status, long.body.code]).toEqual([413, 'payload_too_large']);
  });

  it('keeps the last hundred', async () => {
    const mine = await watch(gateway, company);
    const send = (text: string) =>
      gateway.api
        .post('/demo/inbox')
        .set({ 'content-type': 'application/json', 'X-Service-Company': company.id })
        .send(`"${text}"`);
    for (let count = 1; count <= 101; count += 1) await send(`forged ${count}`);
    await mine.shows(({ body }) => body === '"forged 101"');
    mine.close();
    const later = await watch(gateway, company);
    await later.shows(({ body }) => body === '"forged 101"');
    expect([later.deliveries.length, later.deliveries[0]?.body]).toEqual([100, '"forged 2"']);
    later.close();
  });

  it('is the admins’ to start and to watch, and the supervisors’ to ring', async () => {
    const [agent] = company.agents;
    const supervisor = await gateway.agent(company, 's1', 'supervisor');
    const as = (token: string) => ({ authorization: `Bearer ${token}` });
    const ring = (token: string, body: object) => gateway.api.post('/demo/ring').set(as(token)).send(body);
    for (const token of [agent?.token ?? '', supervisor.token]) {
      expect((await gateway.api.post('/demo/start').set(as(token))).body.code).toBe('role_required');
      expect((await gateway.api.get('/demo/inbox/events').set(as(token))).body.code).toBe('role_required');
    }
    expect((await gateway.api.get('/demo/inbox/events')).body.code).toBe('unauthenticated');
    expect((await ring(agent?.token ?? '', { agent_code: 'a100' })).body.code).toBe('role_required');
    expect((await ring(supervisor.token, { agent_code: 'a100' })).body).toEqual({ result: 'not_registered' });
    expect((await ring(supervisor.token, { agent_code: 'nobody' })).body.code).toBe('unknown_agent');
    expect((await ring(supervisor.token, { agent_code: 'a100', from: 'abc' })).body.code).toBe('invalid_phone');
    expect((await ring(supervisor.token, { agent: 'a100' })).body.code).toBe('invalid_request');
  });

  it('rings an agent who is at the carrier by what the gateway gave the softphone', async () => {
    const [agent] = company.agents;
    if (agent === undefined) throw new Error('the company has an agent');
    const softphone = gateway.softphone(agent);
    await softphone.connect();
    const { telephony } = await softphone.readSettings();
    if (telephony.mode !== 'sip') throw new Error(`telephony is ${telephony.mode}`);
    expect(telephony).toMatchObject({ demo: true, wss_url: '/demo/sip' });
    const telephone = await SipTelephone.connect(gateway.url.replace('http:', 'ws:') + telephony.wss_url, telephony);
    expect(await telephone.register()).toBe(200);
    const rung = gateway.api
      .post('/demo/ring')
      .set(asAdmin(company))
      .send({ agent_code: 'a100' })
      .then(({ body }) => body);
    const invite = await telephone.request('INVITE');
    expect(invite.from.text).toContain('"Grace Hopper" <sip:+15551230001@');
    telephone.reply(invite, 486, 'Busy Here');
    expect(await rung).toEqual({ result: 'busy' });
  });

  it('hangs up when whoever made it ring waits no more', async () => {
    const [agent] = other.agents;
    if (agent === undefined) throw new Error('the company has an agent');
    const softphone = gateway.softphone(agent);
    await softphone.connect();
    const { telephony } = await softphone.readSettings();
    if (telephony.mode !== 'sip') throw new Error(`telephony is ${telephony.mode}`);
    const telephone = await SipTelephone.connect(gateway.url.replace('http:', 'ws:') + telephony.wss_url, telephony);
    await telephone.register();
    const waiting = new AbortController();
    const rung = fetch(`${gateway.url}/demo/ring`, {
      method: 'POST',
      headers: { ...asAdmin(other), 'content-type': 'application/json' },
      body: JSON.stringify({ agent_code: agent.agentCode }),
      signal: waiting.signal,
    });
    telephone.reply(await telephone.request('INVITE'), 180, 'Ringing');
    waiting.abort();
    await expect(rung).rejects.toThrow();
    await telephone.request('CANCEL');
  });

  it('ends a stream with the token that opened it', async () => {
    const sixth = await gateway.company({ slug: 'sixth' });
    const stream = await watch(gateway, sixth);
    await clock.leap(9 * 3_600_000);
    await stream.ended;
  });

  it('is not there where others may reach the gateway', async () => {
    const open = await startGateway('memory', { config: { isLocal: false } });
    try {
      expect((await open.api.get('/api/public/platform')).body.demo).toBe(false);
      for (const path of ['/demo/start', '/demo/ring', '/demo/inbox'])
        expect((await open.api.post(path)).status).toBe(404);
      await expect(
        SipTelephone.connect(`${open.url.replace('http:', 'ws:')}/demo/sip`, { user: 'x', secret: 'x', domain: 'x' }),
      ).rejects.toThrow();
    } finally {
      await open.close();
    }
  });

  it('has no carrier where there is no media, and says so', async () => {
    const said: string[] = [];
    const room = createDemoServer({
      clock,
      say: (line) => void said.push(line),
      onProblem: () => undefined,
      openMedia: null,
    });
    expect(room.carrier).toBeNull();
    expect(said).toEqual(['the demo has no carrier: the optional package werift is not installed']);
    await room.close();
  });

  it('ends its streams and lines with the gateway', async () => {
    const brief = await startGateway('memory');
    const here = await brief.company({ slug: 'brief' });
    const stream = await watch(brief, here);
    const telephone = await SipTelephone.connect(`${brief.url.replace('http:', 'ws:')}/demo/sip`, {
      user: 'x',
      secret: 'x',
      domain: 'x',
    });
    await brief.close();
    await stream.ended;
    expect(await telephone.closed).toBe(1001);
  });
});

/** Reads the stream of a company's deliveries, as the page does. */
async function watch(gateway: Gateway, { adminToken }: TestCompany, after?: number) {
  const gone = new AbortController();
  const response = await fetch(`${gateway.url}/demo/inbox/events`, {
    headers: {
      authorization: `Bearer ${adminToken}`,
      ...(after === undefined ? {} : { 'last-event-id': String(after) }),
    },
    signal: gone.signal,
  });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
  const deliveries: DemoDelivery[] = [];
  const ended = read(response, deliveries).catch(() => undefined);
  return {
    deliveries,
    ended,
    async shows(fits: (delivery: DemoDelivery) => boolean): Promise<DemoDelivery> {
      await eventually(() => deliveries.some(fits));
      return deliveries.find(fits) ?? expect.fail('it was there a moment ago');
    },
    close: () => gone.abort(),
  };
}

async function read(response: Response, deliveries: DemoDelivery[]): Promise<void> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const data = /^data: (.+)$/m.exec(block)?.[1];
      if (data !== undefined) deliveries.push(JSON.parse(data) as DemoDelivery);
    }
  }
}
