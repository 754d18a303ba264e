import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { root } from '../../demo/cluster/program.ts';
import type { SessionSettings } from '../../src/contract/telephony.ts';
import type { DemoCarrier } from '../../src/ports/telephony.ts';
import { type Gateway, startGateway, type TestAgent, type TestCompany } from '../support/gateway/gateway.ts';
import { arrival, ask, createRawSockets } from '../support/gateway/rawSockets.ts';
import { nextEvent } from '../support/gateway/softphoneEvents.ts';
import { connectedSoftphone, patchAgent, pbx, putTelephony, telephonyOf } from '../support/gateway/telephony.ts';

const secret = 'the secret of the PBX';
const stun = { urls: ['stun:stun.example.com:3478'] };
const turn = { urls: ['turn:turn.example.com:3478?transport=udp', 'turns:turn.example.com'], username: 'readyline' };
const credential = 'the credential of TURN';

const sockets = createRawSockets();
let gateway: Gateway;
let company: TestCompany;
let agent: TestAgent;
let colleague: TestAgent;

beforeAll(async () => {
  gateway = await startGateway('memory', { config: { isLocal: false } });
  company = await gateway.company({ slug: 'telephony', agents: 2 });
  const [one, other] = company.agents;
  if (one === undefined || other === undefined) throw new Error('the company has two agents');
  [agent, colleague] = [one, other];
});
/** Nothing is set up, and nobody has an account. */
beforeEach(async () => {
  const nothing = {
    sip_wss_url: null,
    sip_domain: null,
    ice_servers: [],
    no_answer_seconds: null,
    desk_phone_scheme: null,
    call_id_header: null,
    dialed_number_header: null,
    queue_header: null,
    caller_id_header: null,
    echo_number: null,
    transfer_by: null,
    transfer_code: null,
  };
  await put({ mode: 'none', ...nothing }).expect(200);
  for (const each of company.agents) await patchAgent(gateway, company, each, { sip_user: null }).expect(200);
});
afterAll(async () => {
  sockets.closeAll();
  await gateway.close();
});

const put = (body: Parameters<typeof putTelephony>[2]) => putTelephony(gateway, company, body);
const patch = (body: object) => patchAgent(gateway, company, agent, body);
const read = async () => (await gateway.as(company).get('/api/telephony').expect(200)).body;
const settingsOf = (of: TestAgent) => connectedSoftphone(gateway, of).then(telephonyOf);

describe('the telephony settings of a company', () => {
  it('are the usual ones, and then what the admin sets', async () => {
    expect(await read()).toMatchObject({
      ...{ mode: 'none', sip_wss_url: null, sip_domain: null, ice_servers: [], no_answer_seconds: 60 },
      ...{ desk_phone_scheme: 'tel', call_id_header: 'X-Readyline-Call-Id', demo_carrier: false },
      ...{
        dialed_number_header: null,
        queue_header: null,
        caller_id_header: 'P-Preferred-Identity',
        echo_number: null,
        transfer_by: 'refer',
        transfer_code: null,
      },
    });
    const saved = await put({ ...pbx, sip_domain: 'example.com', no_answer_seconds: 25, ice_servers: [stun] }).expect(
      200,
    );
    expect(saved.body).toMatchObject({
      ...{ mode: 'sip', sip_wss_url: pbx.sip_wss_url, sip_domain: 'example.com', no_answer_seconds: 25 },
      ...{
        ice_servers: [{ ...stun, username: null, credential_set: false, secret_set: false }],
        updated_at: expect.any(String),
      },
    });
    expect(await read()).toEqual(saved.body);
    const shown = { urls: stun.urls, username: saved.body.ice_servers[0].username };
    expect((await put({ ice_servers: [shown] }).expect(200)).body.ice_servers).toEqual(saved.body.ice_servers);
  });

  it('keep what is not named, and are cleared by null', async () => {
    await put({ ...pbx, sip_domain: 'example.com', no_answer_seconds: 25, ice_servers: [stun] }).expect(200);
    const cleared = await put({ sip_domain: null, no_answer_seconds: null }).expect(200);
    expect(cleared.body).toMatchObject({ ...pbx, sip_domain: null, no_answer_seconds: 60, ice_servers: [stun] });
  });

  it('refuse SIP without the address of the PBX, and to take the address away from it', async () => {
    const blamed = [{ path: 'sip_wss_url', message: 'is required while `mode` is `sip`', code: 'required' }];
    expect((await put({ mode: 'sip' }).expect(400)).body).toMatchObject({ code: 'invalid_request', errors: blamed });
    await put({ sip_wss_url: pbx.sip_wss_url }).expect(200);
    await put({ mode: 'sip' }).expect(200);
    expect((await put({ sip_wss_url: null, no_answer_seconds: 9 }).expect(400)).body.errors).toEqual(blamed);
    expect(await read()).toMatchObject({ ...pbx, no_answer_seconds: 60 });
    await put({ mode: 'desk_phone', sip_wss_url: null }).expect(200);
  });

  it('never lack the address of the PBX, though two admins change them at once', async () => {
    await put({ sip_wss_url: pbx.sip_wss_url }).expect(200);
    const answers = await Promise.all([put({ mode: 'sip' }), put({ sip_wss_url: null })]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect([pbx, { mode: 'none', sip_wss_url: null }]).toContainEqual(
      await read().then(({ mode, sip_wss_url }) => ({ mode, sip_wss_url })),
    );
  });

  it('keep the credential of an ICE server that is sent again without it, and of no other', async () => {
    await put({ ...pbx, ice_servers: [stun, { ...turn, credential }] }).expect(200);
    await patch({ sip_user: '1001', sip_secret: secret }).expect(200);
    const saved = await put({ ice_servers: [turn, { ...turn, username: 'other', credential: 'another' }] }).expect(200);
    expect(saved.body.ice_servers).toEqual([
      { ...turn, credential_set: true, secret_set: false },
      { ...turn, username: 'other', credential_set: true, secret_set: false },
    ]);
    expect(saved.text).not.toContain(credential);
    expect(await settingsOf(agent)).toMatchObject({
      ice_servers: [
        { ...turn, credential },
        { ...turn, username: 'other', credential: 'another' },
      ],
    });
    const refused = await put({ ice_servers: [stun, { ...turn, username: 'third' }] }).expect(400);
    expect(refused.body.errors).toEqual([
      { path: 'ice_servers.1.credential', message: 'is required for a turn: or turns: URL', code: 'required' },
    ]);
    expect((await put({ ice_servers: [] }).expect(200)).body.ice_servers).toEqual([]);
    expect(await settingsOf(agent)).toMatchObject({ ice_servers: [] });
  });

  // A browser makes no call at all with a list that holds one of them.
  it.each(['stun:host:99999', 'stun:::', 'stun:host:', 'stun:host:0', 'turn:[1::2::3]', 'stun:-host', 'stun:a:1:2'])(
    'refuse the ICE server %s, which browsers refuse',
    async (url) => {
      const server = url.startsWith('turn') ? { username: 'user', credential } : {};
      const { body } = await put({ ice_servers: [{ urls: [url], ...server }] }).expect(400);
      expect(body.errors).toMatchObject([{ path: 'ice_servers[0].urls[0]' }]);
    },
  );

  it.each(['stun:192.0.2.1', 'stuns:[2001:db8::1]:5349', 'turns:turn.example.com:443?transport=tcp'])(
    'take the ICE server %s',
    async (url) => {
      const server = url.startsWith('turn') ? { username: 'user', credential } : {};
      await put({ ice_servers: [{ urls: [url], ...server }] }).expect(200);
    },
  );
});

describe('the SIP account of an agent', () => {
  it('is set with the agent or later, and its secret is never shown', async () => {
    const body = { agent_code: 'new', name: 'New', password: 'a-password', sip_user: '1009', sip_secret: secret };
    const created = await gateway.as(company).post('/api/agents').send(body).expect(201);
    expect(created.body).toMatchObject({ sip_user: '1009', sip_secret_set: true });
    const changed = await patch({ sip_user: '1001', sip_secret: secret }).expect(200);
    expect(changed.body).toMatchObject({ sip_user: '1001', sip_secret_set: true });
    const listed = await gateway.as(company).get('/api/agents').expect(200);
    const one = await gateway.as(company).get(`/api/agents/${agent.id}`).expect(200);
    expect(one.body).toEqual(changed.body);
    for (const { text } of [created, changed, listed, one]) expect(text).not.toMatch(/secret of the PBX|v1\./);
  });

  it('keeps its secret with another user, and loses it with the user or by itself', async () => {
    await patch({ sip_user: '1001', sip_secret: secret }).expect(200);
    expect((await patch({ sip_user: '1002' }).expect(200)).body).toMatchObject({
      sip_user: '1002',
      sip_secret_set: true,
    });
    expect((await patch({ sip_user: null }).expect(200)).body).toMatchObject({ sip_user: null, sip_secret_set: false });
    await patch({ sip_user: '1001', sip_secret: secret }).expect(200);
    expect((await patch({ sip_secret: null }).expect(200)).body).toMatchObject({
      sip_user: '1001',
      sip_secret_set: false,
    });
    const refused = await patch({ sip_user: null, sip_secret: secret }).expect(400);
    expect(refused.body.errors).toMatchObject([{ path: 'sip_secret' }]);
  });
});

describe('the softphone of an agent', () => {
  it('is given the account of its own agent, beside what its company’s agents choose from, as the guide shows', async () => {
    const guide = await readFile(join(root, 'docs/integrating/softphone.md'), 'utf8');
    const shown = JSON.parse(/^```json\n(\{\n {2}"dispositions".+?)^```$/ms.exec(guide)?.[1] ?? '') as SessionSettings;
    const {
      dispositions,
      not_ready_reasons: reasons,
      default_country: country,
      pop,
      skip_reasons: skips,
      telephony,
    } = shown;
    if (telephony.mode !== 'sip') throw new Error('the guide shows SIP');
    const { wss_url: url, no_answer_seconds, ice_servers, user, secret: shownSecret, display_name: name } = telephony;
    await put({ mode: 'sip', sip_wss_url: url, ice_servers, no_answer_seconds }).expect(200);
    await patch({ name, sip_user: user, sip_secret: shownSecret }).expect(200);
    await patchAgent(gateway, company, colleague, { sip_user: '1002', sip_secret: 'another secret' }).expect(200);
    const change = { not_ready_reasons: [{ code: 'yoga', label: 'Yoga' }], wrap_up_seconds: shown.wrap_up_seconds };
    await gateway.as(company).patch('/api/company').send(change).expect(200);
    await gateway.as(company).put('/api/integrations').send({ default_country: country }).expect(200);
    const softphone = await connectedSoftphone(gateway, agent);
    const settings = await softphone.readSettings();
    // The guide leaves some of them out.
    expect(settings.dispositions).toEqual(expect.arrayContaining(dispositions));
    expect(settings.not_ready_reasons).toEqual(expect.arrayContaining(reasons));
    expect(settings.skip_reasons).toEqual(expect.arrayContaining(skips ?? []));
    // Nobody has arranged the pops of this company.
    expect(Object.keys(settings.pop ?? {}).toSorted()).toEqual(Object.keys(pop ?? {}).toSorted());
    expect({ ...settings, dispositions, not_ready_reasons: reasons, pop, skip_reasons: skips }).toEqual(shown);
    expect(settings.not_ready_reasons.map(({ code }) => code)).toEqual([
      'break',
      'meal',
      'meeting',
      'training',
      'yoga',
    ]);
    expect(await settingsOf(colleague)).toMatchObject({ user: '1002', secret: 'another secret' });
  });

  it('has no telephone until its company has set one up and its agent has a user and a secret', async () => {
    const softphone = await connectedSoftphone(gateway, agent);
    expect(await telephonyOf(softphone)).toEqual({ mode: 'none', why: 'not_set_up' });
    await put(pbx).expect(200);
    expect(await telephonyOf(softphone)).toEqual({ mode: 'none', why: 'no_account' });
    await patch({ sip_user: '1001' }).expect(200);
    expect(await telephonyOf(softphone)).toEqual({ mode: 'none', why: 'no_account' });
    await patch({ sip_secret: secret }).expect(200);
    expect(await telephonyOf(softphone)).toMatchObject({ mode: 'sip', user: '1001', secret });
    await patch({ sip_user: null }).expect(200);
    expect(await telephonyOf(softphone)).toEqual({ mode: 'none', why: 'no_account' });
  });

  it('opens links where the company has desk phones', async () => {
    await put({ mode: 'desk_phone', desk_phone_scheme: 'sip', no_answer_seconds: 40 }).expect(200);
    expect(await settingsOf(agent)).toEqual({ mode: 'desk_phone', scheme: 'sip', no_answer_seconds: 40 });
    await put({ desk_phone_scheme: null }).expect(200);
    expect(await settingsOf(agent)).toMatchObject({ scheme: 'tel' });
  });

  it('tells the PBX a call’s id in the header that is set, or not at all', async () => {
    await put(pbx).expect(200);
    await patch({ sip_user: '1001', sip_secret: secret }).expect(200);
    expect(await settingsOf(agent)).not.toHaveProperty('call_id_header');
    for (const call_id_header of ['X-Guid', '']) {
      expect((await put({ call_id_header }).expect(200)).body).toMatchObject({ call_id_header });
      expect(await settingsOf(agent)).toMatchObject({ call_id_header });
    }
    for (const call_id_header of ['Call-ID', 'x-readyline-call'])
      expect((await put({ call_id_header }).expect(400)).body.errors).toMatchObject([{ code: 'not_an_x_header' }]);
    expect(await settingsOf(agent)).toMatchObject({ call_id_header: '' });
  });

  it('reads the number that a customer called, and where they waited, in the headers that are set', async () => {
    await put(pbx).expect(200);
    await patch({ sip_user: '1001', sip_secret: secret }).expect(200);
    expect(await settingsOf(agent)).not.toHaveProperty('dialed_number_header');
    const headers = { dialed_number_header: 'X-DID', queue_header: 'X-Queue' };
    expect((await put(headers).expect(200)).body).toMatchObject(headers);
    expect(await settingsOf(agent)).toMatchObject(headers);
  });

  it('hands calls on by a REFER, or as the PBX wants it', async () => {
    await put(pbx).expect(200);
    await patch({ sip_user: '1001', sip_secret: secret }).expect(200);
    expect(await settingsOf(agent)).not.toHaveProperty('transfer');
    await put({ transfer_by: 'tones' }).expect(200);
    expect(await settingsOf(agent)).toMatchObject({ transfer: { by: 'tones', code: '*2,{number}' } });
    await put({ transfer_code: '##{number}#' }).expect(200);
    expect(await settingsOf(agent)).toMatchObject({ transfer: { by: 'tones', code: '##{number}#' } });
    const refused = await put({ transfer_by: 'refer', transfer_code: '*98' }).expect(400);
    expect(refused.body.errors).toMatchObject([{ path: 'transfer_code', code: 'not_a_transfer_code' }]);
    const changed = { transfer_by: 'refer', transfer_code: '*98{number}' };
    expect((await put(changed as Parameters<typeof put>[0]).expect(200)).body).toMatchObject(changed);
    expect(await settingsOf(agent)).toMatchObject({ transfer: { by: 'refer', code: '*98{number}' } });
  });

  it('tells the number that a customer is to see in the header that is set', async () => {
    await put(pbx).expect(200);
    await patch({ sip_user: '1001', sip_secret: secret }).expect(200);
    expect(await settingsOf(agent)).not.toHaveProperty('caller_id_header');
    for (const caller_id_header of ['From', 'P-Asserted-Identity', 'X-Caller-Id']) {
      expect((await put({ caller_id_header }).expect(200)).body).toMatchObject({ caller_id_header });
      expect(await settingsOf(agent)).toMatchObject({ caller_id_header });
    }
    for (const caller_id_header of ['Contact', 'from', ''])
      expect((await put({ caller_id_header }).expect(400)).body.errors).toMatchObject([
        { code: 'not_a_caller_id_header' },
      ]);
  });

  it('knows the number of the echo test that is set', async () => {
    await put(pbx).expect(200);
    await patch({ sip_user: '1001', sip_secret: secret }).expect(200);
    expect(await settingsOf(agent)).not.toHaveProperty('echo_number');
    expect((await put({ echo_number: '*43' }).expect(200)).body).toMatchObject({ echo_number: '*43' });
    for (const echo_number of ['', '43 ', 'echo', 'sip:43@pbx', '1'.repeat(33)])
      expect((await put({ echo_number }).expect(400)).body.errors).toMatchObject([{ code: 'not_an_extension' }]);
    expect(await settingsOf(agent)).toMatchObject({ echo_number: '*43' });
  });

  it('is given the SIP domain that is set, in place of the host of the address', async () => {
    await put({ ...pbx, sip_domain: 'example.com' }).expect(200);
    await patch({ sip_user: '1001', sip_secret: secret }).expect(200);
    expect(await settingsOf(agent)).toMatchObject({ domain: 'example.com' });
  });
});

describe('the secret of an agent’s SIP account', () => {
  beforeEach(async () => {
    await put(pbx).expect(200);
    await patch({ sip_user: '1001', sip_secret: secret }).expect(200);
  });

  it('is not for a softphone that was replaced', async () => {
    const before = await connectedSoftphone(gateway, agent);
    const replaced = nextEvent(before, 'line', (state) => state === 'replaced');
    const after = await connectedSoftphone(gateway, agent);
    await replaced;
    await expect(before.readSettings()).rejects.toMatchObject({ code: 'session_replaced' });
    expect(await telephonyOf(after)).toMatchObject({ secret });
  });

  it('is not for a tab that was passive from the start', async () => {
    const before = await connectedSoftphone(gateway, agent);
    const { session } = before;
    const replaced = nextEvent(before, 'line', (state) => state === 'replaced');
    await connectedSoftphone(gateway, agent);
    await replaced;
    const told: { replaced?: Promise<unknown> } = {};
    const passive = await sockets.open(gateway.url, { token: agent.token, session }, {}, (socket) => {
      told.replaced = arrival(socket, 'session_replaced');
    });
    await told.replaced;
    expect(await ask(passive, 'read_settings', {})).toMatchObject({ ok: false, error: { code: 'session_replaced' } });
  });

  it('is not for supervisors who watch, nor for the agent’s own admin', async () => {
    const supervisor = await gateway.agent(company, 'super', 'supervisor');
    await connectedSoftphone(gateway, agent);
    for (const token of [supervisor.token, company.adminToken]) {
      const heard: unknown[] = [];
      const watching = await sockets.open(gateway.url, { token, watch: true }, {}, (socket) =>
        socket.onAny((...event: unknown[]) => heard.push(event)),
      );
      expect(await ask(watching, 'read_settings', {})).toMatchObject({ ok: false, error: { code: 'conflict' } });
      expect(JSON.stringify(heard)).not.toContain(secret);
    }
  });

  it('is not for a payload that names somebody else', async () => {
    const own = await sockets.open(gateway.url, { token: colleague.token });
    const refused = await ask(own, 'read_settings', { agent_id: agent.id });
    expect(refused).toMatchObject({ ok: false, error: { code: 'invalid_request' } });
    expect(JSON.stringify(await ask(own, 'read_settings', {}))).not.toContain(secret);
  });

  it('is not for an agent of the same code in another company', async () => {
    const other = await gateway.company({ slug: 'telephony-other', agents: 1 });
    await putTelephony(gateway, other, pbx).expect(200);
    const [stranger] = other.agents;
    if (stranger === undefined) throw new Error('the company has an agent');
    expect(stranger.agentCode).toBe(agent.agentCode);
    expect(await settingsOf(stranger)).toEqual({ mode: 'none', why: 'no_account' });
  });
});

describe('a gateway with the answering machine of the demo', () => {
  const demoCarrier: DemoCarrier = {
    account: (companyId, agentId) => ({
      path: '/demo/sip',
      user: agentId,
      secret: `for ${companyId}`,
      echoNumber: '*43',
      domain: 'demo.invalid',
    }),
  };
  let demo: Gateway;

  beforeAll(async () => {
    demo = await startGateway('memory', { wrap: (services) => ({ ...services, demoCarrier }) });
  });
  afterAll(() => demo.close());

  it('connects agents to it while nothing else is set up, and says so', async () => {
    const newcomers = await demo.company({ slug: 'newcomers', agents: 1 });
    const [newcomer] = newcomers.agents;
    if (newcomer === undefined) throw new Error('the company has an agent');
    const unset = (await demo.as(newcomers).get('/api/telephony').expect(200)).body;
    expect(unset).toMatchObject({ mode: 'none', demo_carrier: true, updated_at: null });
    const softphone = await connectedSoftphone(demo, newcomer);
    expect(await telephonyOf(softphone)).toEqual({
      ...{ mode: 'sip', demo: true, wss_url: '/demo/sip', user: newcomer.id, secret: `for ${newcomers.id}` },
      ...{
        domain: 'demo.invalid',
        display_name: `Agent ${newcomer.agentCode}`,
        ice_servers: [],
        no_answer_seconds: 60,
        echo_number: '*43',
      },
    });
    const set = await putTelephony(demo, newcomers, pbx).expect(200);
    expect(set.body).toMatchObject({ demo_carrier: false });
    expect(await telephonyOf(softphone)).toEqual({ mode: 'none', why: 'no_account' });
  });
});
