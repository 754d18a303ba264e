import jwt from 'jsonwebtoken';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Socket } from 'socket.io-client';
import type { AgentStateView } from '../../src/contract/agents.ts';
import { clientPayloads } from '../../src/contract/socket.ts';
import { startGateway, type Gateway } from '../support/gateway/gateway.ts';
import { bearer, startPopulatedGateway, type PopulatedGateway } from '../support/gateway/populatedGateway.ts';
import { arrival, ask, createRawSockets, type RawOptions } from '../support/gateway/rawSockets.ts';
import { eventually } from '../support/time/waiting.ts';

const sockets = createRawSockets();
afterEach(() => sockets.closeAll());

let world: PopulatedGateway;
beforeAll(async () => {
  world = await startPopulatedGateway();
});
afterAll(() => world.close());

const open = (auth: Record<string, unknown>, options?: RawOptions) => sockets.open(world.gateway.url, auth, options);
/** In the gateway's own words; null when the connection is let in, or never got so far. */
const refusalOf = async (auth: Record<string, unknown>, options?: RawOptions) =>
  (await sockets.whyNot(world.gateway.url, auth, options))?.data ?? null;
/** A token of the same agent (the supervisor) that is good for so many seconds of the gateway's time. */
function shortToken(seconds: number, of = world.supervisor.token): string {
  const claims = jwt.verify(of, world.jwtSecret) as jwt.JwtPayload;
  const iat = Math.floor(world.clock.now() / 1000);
  return jwt.sign({ ...claims, iat, exp: iat + seconds }, world.jwtSecret);
}
/** That a connection still serves its softphone. */
async function expectServed(socket: Socket): Promise<void> {
  expect(await ask(socket, 'set_state', { state: 'not_ready', reason: 'training' })).toMatchObject({
    ok: true,
    agent: { state: 'not_ready', reason: 'training' },
  });
}

describe('a handshake', () => {
  it('needs a token', async () => {
    const refused = { code: 'unauthenticated', detail: expect.any(String) };
    for (const auth of [
      {},
      { token: '' },
      { token: 7 },
      { token: null },
      { token: ['x'] },
      { token: 'x'.repeat(9_000) },
    ]) {
      expect(await refusalOf(auth)).toEqual(refused);
    }
  });

  it('needs a good token', async () => {
    const refused = { code: 'invalid_token', detail: expect.any(String) };
    const claims = jwt.verify(world.agent.token, world.jwtSecret) as jwt.JwtPayload;
    for (const token of ['nonsense', jwt.sign(claims, 'another secret'), jwt.sign(claims, '', { algorithm: 'none' })]) {
      expect(await refusalOf({ token })).toEqual(refused);
    }
    expect(await refusalOf({ token: world.ours.key })).toEqual(refused);
  });

  it('takes the token from auth alone, not from the address or a header', async () => {
    const { token } = world.agent;
    const elsewhere = { query: { token, auth: token }, extraHeaders: bearer(token) };
    expect(await refusalOf({}, elsewhere)).toMatchObject({ code: 'unauthenticated' });
  });

  it('needs a token that has not expired', async () => {
    const token = shortToken(2);
    await world.clock.advance(2_000);
    expect(await refusalOf({ token })).toEqual({ code: 'token_expired', detail: expect.any(String) });
  });

  it('is not for dialers, and watching is for supervisors', async () => {
    const refused = { code: 'role_required', detail: expect.any(String) };
    expect(await refusalOf({ token: world.dialer.token })).toEqual(refused);
    expect(await refusalOf({ token: world.dialer.token, watch: true })).toEqual(refused);
    expect(await refusalOf({ token: world.agent.token, watch: true })).toEqual(refused);
  });

  it('takes no session that is no UUID', async () => {
    const { token } = world.agent;
    for (const session of ['17', 17, {}])
      expect(await refusalOf({ token, session })).toMatchObject({ code: 'unauthenticated' });
  });

  it('takes null for a session and a wish to watch that it does not have', async () => {
    await expectServed(await open({ token: world.agent.token, session: null, watch: null }));
    sockets.closeAll();
  });

  it.each(['/admin', '/socket.io', '/constructor', '/agents-1'])('finds no other namespace: %s', async (namespace) => {
    const { url } = world.gateway;
    await expect(sockets.open(url + namespace, { token: world.agent.token })).rejects.toThrow('Invalid namespace');
  });

  it('works over polling, too', async () => {
    for (const transports of [['polling'], ['polling', 'websocket']]) {
      const socket = await open({ token: world.agent.token }, { transports });
      await expectServed(socket);
      sockets.closeAll();
    }
    expect(await refusalOf({ token: 'nonsense' }, { transports: ['polling'] })).toMatchObject({
      code: 'invalid_token',
    });
  });
});

describe('the first that a softphone hears', () => {
  it.each([
    ['after a log-in', null],
    ['after a take-over', 'open'],
    ['when it resumes its session', 'lost'],
  ])('%s is how everything stands', async (_when, other) => {
    const agent = await world.gateway.agent(world.ours, `first-${other ?? 'login'}`);
    const hear = async (auth: Record<string, unknown>) => {
      const heard: string[] = [];
      const first: { snapshot?: Promise<{ session: string }> } = {};
      const socket = await sockets.open(world.gateway.url, { token: agent.token, ...auth }, {}, (one) => {
        one.onAny((event: string) => void heard.push(event));
        first.snapshot = arrival(one, 'state_snapshot');
      });
      const { session } = (await first.snapshot) ?? { session: '' };
      return { socket, session, heard };
    };
    const before = other === null ? null : await hear({});
    if (other === 'lost') before?.socket.disconnect();
    const { socket, heard } = await hear(other === 'lost' ? { session: before?.session } : {});
    await expectServed(socket);
    await eventually(() => heard.includes('agent_state_changed'));
    expect(heard[0]).toBe('state_snapshot');
  });
});

describe('the origin of a page', () => {
  let elsewhere: Gateway;
  let everywhere: Gateway;
  beforeAll(async () => {
    [elsewhere, everywhere] = await Promise.all([
      startGateway('memory', {
        config: { corsOrigins: ['https://crm.example'], publicUrl: 'https://gateway.example' },
      }),
      startGateway('memory', { config: { corsOrigins: ['*'] } }),
    ]);
  });
  afterAll(async () => {
    await elsewhere.close();
    await everywhere.close();
  });

  /** Whoever is asked for a token has been let in by origin. */
  const letsIn = async (gateway: Gateway, origin: string, transport: 'websocket' | 'polling'): Promise<boolean> => {
    const options = { transports: [transport], extraHeaders: { origin } };
    return (await sockets.whyNot(gateway.url, {}, options))?.data?.code === 'unauthenticated';
  };
  const foreign = [
    'https://evil.example',
    'null',
    'https://crm.example.evil.example',
    'https://crm.example:8443',
    'file://',
  ];

  it.each(['websocket', 'polling'] as const)(
    'decides over %s: the own and those configured are let in',
    async (transport) => {
      for (const origin of foreign) {
        expect([origin, await letsIn(world.gateway, origin, transport)]).toEqual([origin, false]);
        expect([origin, await letsIn(elsewhere, origin, transport)]).toEqual([origin, false]);
      }
      expect(await letsIn(world.gateway, world.gateway.url, transport)).toBe(true);
      expect(await letsIn(world.gateway, 'https://crm.example', transport)).toBe(false);
      for (const origin of ['https://crm.example', 'https://gateway.example', elsewhere.url]) {
        expect([origin, await letsIn(elsewhere, origin, transport)]).toEqual([origin, true]);
      }
      expect(await letsIn(everywhere, 'https://anybody.example', transport)).toBe(true);
    },
  );

  it('is told apart for pages that poll, as browsers want it', async () => {
    const poll = (gateway: Gateway, origin: string) =>
      gateway.api.get('/socket.io/?EIO=4&transport=polling').set('origin', origin);
    const allowed = await poll(elsewhere, 'https://crm.example').expect(200);
    expect(allowed.headers['access-control-allow-origin']).toBe('https://crm.example');
    expect(allowed.headers['access-control-allow-credentials']).toBeUndefined();
    const refused = await poll(elsewhere, 'https://evil.example').expect(403);
    expect(refused.headers['access-control-allow-origin']).toBeUndefined();
    const anybody = await poll(everywhere, 'https://anybody.example').expect(200);
    expect(anybody.headers['access-control-allow-origin']).toBe('*');
  });
});

describe('an event', () => {
  let socket: Socket;
  const events = Object.keys(clientPayloads);
  // Where the code alone says too little, the cause says more.
  const refused = (code: string) => {
    const isVague = ['invalid_request', 'invalid_phone', 'conflict'].includes(code);
    const error = {
      code,
      detail: expect.any(String),
      ...(isVague ? { cause: expect.objectContaining({ code: expect.any(String) }) } : {}),
    };
    return { ok: false, error: isVague ? expect.objectContaining(error) : error };
  };
  const state = async () => {
    const path = `/api/agents/${world.agent.id}/state`;
    return (await world.gateway.api.get(path).set(bearer(world.agent.token)).expect(200)).body as AgentStateView;
  };
  const connect = async () => {
    socket = await open({ token: world.agent.token });
    await expectServed(socket);
  };

  it.each(['no_such_event', '', 'constructor', '__proto__', 'toString', 'state_snapshot', 'x'.repeat(1_000)])(
    'that does not exist is refused as not_found: %.20s',
    async (event) => {
      await connect();
      expect(await ask(socket, event, {})).toEqual(refused('not_found'));
      await expectServed(socket);
    },
  );

  it.each(events)('needs its payload, of its shape and nothing more: %s', async (event) => {
    await connect();
    const before = await state();
    const payloads = [
      [],
      [null],
      ['text'],
      [7],
      [[]],
      [{ unknown: 1 }],
      [Buffer.from('x')],
      [{ state: Buffer.from('ready') }],
    ];
    // Just right for those that say nothing.
    const tooLittle = event === 'read_settings' || event === 'read_time' ? [] : [[{}]];
    for (const args of [...payloads, ...tooLittle])
      expect(await ask(socket, event, ...args)).toEqual(refused('invalid_request'));
    expect(await state()).toEqual(before);
    await expectServed(socket);
  });

  it.each([
    ['set_state', { state: 'ready', colour: 'red' }],
    ['set_state', { state: 'on_call' }],
    ['set_state', { state: 'ready', reason: 'break' }],
    ['set_state', { state: 'not_ready', reason: 'no_such_reason' }],
    ['set_state', JSON.parse('{"state":"ready","__proto__":{"polluted":true}}')],
    ['incoming_call', { phone_number: '+15551230001', display_name: 'two\nlines' }],
    ['incoming_call', { phone_number: '+15551230001', display_name: '\ud83d' }],
    ['caller_turned_away', { phone_number: '+15551230001', display_name: 'two\nlines' }],
    ['caller_changed', { call_id: '17', phone_number: '+15551230001' }],
    [
      'caller_changed',
      { call_id: '00000000-0000-4000-8000-000000000000', phone_number: '+15551230001', display_name: 'two\nlines' },
    ],
    ['call_progress', { call_id: '17', state: 'ended' }],
    ['call_progress', { call_id: '00000000-0000-4000-8000-000000000000', state: 'dialing' }],
    ['call_progress', { call_id: '00000000-0000-4000-8000-000000000000', state: 'ended', sip_code: 99 }],
    ['submit_disposition', { call_id: '00000000-0000-4000-8000-000000000000', code: 'resolved', notes: 'a\u0000b' }],
    ['submit_disposition', { call_id: '00000000-0000-4000-8000-000000000000', code: 'no_such_code' }],
    ['renew_token', { token: 'x'.repeat(9_000) }],
    ['read_settings', undefined],
    ['read_time', { at: 0 }],
    ['read_settings', { agent_id: '00000000-0000-4000-8000-000000000000' }],
  ])('of a wrong payload changes nothing: %s %j', async (event, payload) => {
    await connect();
    const before = await state();
    expect(await ask(socket, event, payload)).toEqual(refused('invalid_request'));
    expect(await state()).toEqual(before);
    expect('polluted' in {}).toBe(false);
  });

  it.each([
    ['start_call', { phone_number: 'call me' }, 'invalid_phone'],
    ['caller_changed', { call_id: '00000000-0000-4000-8000-000000000000', phone_number: '+15551230001' }, 'not_found'],
    ['call_progress', { call_id: '00000000-0000-4000-8000-000000000000', state: 'ended' }, 'not_found'],
    ['submit_disposition', { call_id: '00000000-0000-4000-8000-000000000000', code: 'resolved' }, 'not_found'],
    ['choose_record', { call_id: '00000000-0000-4000-8000-000000000000', object: 'Contact', id: '1' }, 'not_found'],
    ['renew_token', { token: 'nonsense' }, 'invalid_token'],
  ])('that fits and cannot be done is refused in words of the error table: %s %j', async (event, payload, code) => {
    await connect();
    const before = await state();
    expect(await ask(socket, event, payload)).toEqual(refused(code));
    expect(await state()).toEqual(before);
  });

  it('takes one payload, not two', async () => {
    await connect();
    expect(await ask(socket, 'set_state', { state: 'ready' }, { state: 'offline' })).toEqual(
      refused('invalid_request'),
    );
    expect((await state()).state).toBe('not_ready');
  });

  it('is done without an acknowledgement, when nobody wants one', async () => {
    await connect();
    const changed = arrival<AgentStateView>(socket, 'agent_state_changed', (agent) => agent.reason === 'meal');
    socket.emit('set_state', { state: 'not_ready', reason: 'meal' });
    expect(await changed).toMatchObject({ state: 'not_ready', reason: 'meal' });
    socket.emit('set_state');
    socket.emit('no_such_event');
    await expectServed(socket);
  });

  it('is handled after those sent before it', async () => {
    await connect();
    const wishes = ['break', 'meal', null, 'meeting', 'training', null, 'break'];
    const seen: (string | null)[] = [];
    socket.on('agent_state_changed', (agent: AgentStateView) => seen.push(agent.reason));
    const acks = await Promise.all(
      wishes.map((reason) =>
        ask(socket, 'set_state', reason === null ? { state: 'ready' } : { state: 'not_ready', reason }),
      ),
    );
    const agents = acks.map((ack) => (ack.ok ? (ack['agent'] as AgentStateView) : null));
    expect(agents.map((agent) => agent?.reason)).toEqual(wishes);
    const versions = agents.map((agent) => agent?.version ?? 0);
    expect(versions).toEqual([...versions].sort((one, other) => one - other));
    expect(new Set(versions).size).toBe(wishes.length);
    await eventually(() => seen.length >= wishes.length);
    expect(seen).toEqual(wishes);
  });

  it('may come in a call before the answer to the one before has come', async () => {
    await connect();
    const started = ask(socket, 'start_call', { phone_number: '+15551230088' });
    const late = ask(socket, 'set_state', { state: 'not_ready', reason: 'meal' });
    const call = await started;
    const callId = call.ok ? (call['call'] as { id: string }).id : '';
    expect(await late).toMatchObject({ ok: true, agent: { state: 'on_call', pending_state: 'not_ready' } });
    const [ringing, connected, ended, disposed] = await Promise.all([
      ask(socket, 'call_progress', { call_id: callId, state: 'ringing' }),
      ask(socket, 'call_progress', { call_id: callId, state: 'connected' }),
      ask(socket, 'call_progress', { call_id: callId, state: 'ended' }),
      ask(socket, 'submit_disposition', { call_id: callId, code: 'resolved' }),
    ]);
    expect([ringing, connected, ended].map((ack) => ack.ok && (ack['call'] as { state: string }).state)).toEqual([
      ...['ringing', 'connected', 'ended'],
    ]);
    expect(disposed).toMatchObject({ ok: true, call: { disposition: { code: 'resolved' } } });
    expect(await state()).toMatchObject({ state: 'not_ready', reason: 'meal' });
  });

  it('of a flood is refused as rate_limited, and the connection goes on', async () => {
    await connect();
    const acks = await Promise.all(
      Array.from({ length: 200 }, () => ask(socket, 'set_state', { state: 'not_ready', reason: 'training' })),
    );
    const refusals = acks.filter((ack) => !ack.ok);
    expect(refusals.length).toBeGreaterThan(0);
    expect(refusals.length).toBeLessThan(200);
    for (const ack of refusals) expect(ack).toEqual(refused('rate_limited'));
    expect(socket.connected).toBe(true);
    await expectServed(socket);
  });

  it('that is too large ends that connection alone', async () => {
    await connect();
    const other = await open({ token: world.colleague.token });
    await expectServed(other);
    const gone = arrival<string>(socket, 'disconnect');
    socket.emit('set_state', { state: 'not_ready', reason: 'x'.repeat(70 * 1024) });
    await gone;
    await expectServed(other);
    await connect();
  });

  it('that is no message of the protocol ends that connection alone', async () => {
    const other = await open({ token: world.colleague.token });
    const awaitingBytes = ['451-["set_state",{"_placeholder":true,"num":0}]', '42["set_state",{}]'];
    for (const packets of [['4nonsense'], ['42["set_state"'], ['42{}'], ['42["disconnect"]'], ['49'], awaitingBytes]) {
      await connect();
      const gone = arrival<string>(socket, 'disconnect');
      // They go out as they are, past the client's own encoder.
      const { ws } = (socket.io.engine as unknown as { transport: { ws: { send(text: string): void } } }).transport;
      for (const packet of packets) ws.send(packet);
      await gone;
    }
    await expectServed(other);
  });
});

describe('a softphone that was replaced', () => {
  it('changes nothing any more, but may renew its token', async () => {
    const { agent } = world;
    const before = await open({ token: agent.token });
    await expectServed(before);
    const replaced = arrival(before, 'session_replaced');
    const after = await open({ token: agent.token });
    await replaced;
    const call_id = world.callId;
    for (const [event, payload] of [
      ['set_state', { state: 'ready' }],
      ['start_call', { phone_number: '+15551230001' }],
      ['incoming_call', { phone_number: '+15551230001' }],
      ['caller_turned_away', { phone_number: '+15551230001' }],
      ['caller_changed', { call_id, phone_number: '+15551230002' }],
      ['call_progress', { call_id, state: 'ended' }],
      ['submit_disposition', { call_id, code: 'resolved' }],
      ['choose_record', { call_id, object: 'Contact', id: '1' }],
      ['read_settings', {}],
    ] as const) {
      expect([event, await ask(before, event, payload)]).toMatchObject([
        event,
        { error: { code: 'session_replaced' } },
      ]);
    }
    expect(await ask(before, 'renew_token', { token: agent.token })).toMatchObject({ ok: true });
    await expectServed(after);
  });
});

describe('a token', () => {
  it('that expires ends its connection, watching or not, unless it was renewed', async () => {
    const { supervisor, agent, clock } = world;
    const [expiring, renewed, watching, watchingOn] = await Promise.all([
      open({ token: shortToken(60, agent.token) }),
      open({ token: shortToken(60) }),
      open({ token: shortToken(60), watch: true }),
      open({ token: shortToken(60), watch: true }),
    ]);
    const gone = [arrival<string>(expiring, 'disconnect'), arrival<string>(watching, 'disconnect')];
    for (const socket of [renewed, watchingOn]) {
      expect(await ask(socket, 'renew_token', { token: world.agent.token })).toMatchObject({
        error: { code: 'invalid_token' },
      });
      const { exp } = jwt.decode(supervisor.token) as { exp: number };
      expect(await ask(socket, 'renew_token', { token: supervisor.token })).toEqual({
        ok: true,
        expires_at: new Date(exp * 1000).toISOString(),
      });
    }
    await clock.advance(60_000);
    expect(await Promise.all(gone)).toEqual(['io server disconnect', 'io server disconnect']);
    await expectServed(renewed);
    expect(watchingOn.connected).toBe(true);
  });

  it('of an agent who is deactivated ends the connection at once, and lets nobody in again', async () => {
    const { gateway, ours } = world;
    const leaving = await gateway.agent(ours, 'leaving');
    const socket = await open({ token: leaving.token });
    await expectServed(socket);
    const gone = arrival<string>(socket, 'disconnect');
    await gateway.api
      .patch(`/api/agents/${leaving.id}`)
      .set(bearer(ours.adminToken))
      .send({ active: false })
      .expect(200);
    await gone;
    expect(await refusalOf({ token: leaving.token })).toMatchObject({ code: 'invalid_token' });
  });
});

describe('a supervisor who watches', () => {
  it('sees the agents of the own company as they are and as they change', async () => {
    const { gateway, strangers, supervisor, colleague } = world;
    const outsider = await gateway.agent(strangers, 'b200');
    const own = await open({ token: colleague.token });
    await expectServed(own);
    let snapshot: Promise<{ agents: AgentStateView[] }> | undefined;
    const listen = (opening: Socket) => void (snapshot = arrival(opening, 'agents_snapshot'));
    const socket = await sockets.open(gateway.url, { token: supervisor.token, watch: true }, {}, listen);
    const agents = (await snapshot)?.agents ?? [];
    expect(agents.find(({ agent_id }) => agent_id === colleague.id)).toMatchObject({
      state: 'not_ready',
      reason: 'training',
    });
    const seen: AgentStateView[] = [];
    socket.on('agent_state_changed', (agent: AgentStateView) => seen.push(agent));
    const foreign = await open({ token: outsider.token });
    await expectServed(foreign);
    await ask(own, 'set_state', { state: 'ready' });
    await eventually(() => seen.some(({ agent_id, state }) => agent_id === colleague.id && state === 'ready'));
    await ask(own, 'set_state', { state: 'offline' });
    await eventually(() => seen.some(({ agent_id, state }) => agent_id === colleague.id && state === 'offline'));
    for (const view of [...agents, ...seen]) expect(view.agent_id).not.toBe(outsider.id);
  });

  it('takes no softphone over, and has none', async () => {
    const { supervisor } = world;
    const softphone = await open({ token: supervisor.token });
    await expectServed(softphone);
    let told = 0;
    softphone.on('session_replaced', () => (told += 1));
    const watcher = await open({ token: supervisor.token, watch: true });
    let snapshots = 0;
    watcher.on('state_snapshot', () => (snapshots += 1));
    for (const [event, payload] of [
      ['set_state', { state: 'ready' }],
      ['start_call', { phone_number: '+15551230001' }],
    ] as const) {
      expect(await ask(watcher, event, payload)).toMatchObject({ ok: false, error: { code: 'conflict' } });
    }
    await expectServed(softphone);
    expect([told, snapshots]).toEqual([0, 0]);
  });

  it('may do so from many screens', async () => {
    const { supervisor, ours } = world;
    const watchers = await Promise.all([
      ...Array.from({ length: 3 }, () => open({ token: supervisor.token, watch: true })),
      open({ token: ours.adminToken, watch: true }),
    ]);
    const changed = watchers.map((socket) =>
      arrival<AgentStateView>(socket, 'agent_state_changed', ({ reason }) => reason === 'meeting'),
    );
    const softphone = await open({ token: world.agent.token });
    await ask(softphone, 'set_state', { state: 'not_ready', reason: 'meeting' });
    for (const agent of await Promise.all(changed)) expect(agent.agent_id).toBe(world.agent.id);
  });
});
