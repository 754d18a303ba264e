import { io } from 'socket.io-client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type Softphone, type SoftphoneOptions, SoftphoneRefusal } from '../../src/client/softphone.ts';
import { Watcher } from '../../src/client/watcher.ts';
import type { ListenerJoins } from '../../src/contract/socket.ts';
import { type Gateway, startGateway, type TestAgent, type TestCompany } from '../support/gateway/gateway.ts';
import { type Gateways, type MeddledGateway, startGateways } from '../support/gateway/gateways.ts';
import { createManualClock } from '../support/time/manualClock.ts';
import { eventually, passTime } from '../support/time/waiting.ts';

const customer = '+15551230001';

describe('a supervisor who listens to a call, at another gateway than the agent', () => {
  let gateways: Gateways;
  let one: MeddledGateway;
  let two: MeddledGateway;
  let company: TestCompany;
  let ada: TestAgent;
  let boss: TestAgent;
  let watcher: Watcher;
  /** Who was to be let into Ada's call. */
  let joins: ListenerJoins[];
  /** What else Ada's softphone was told of listeners. */
  let told: unknown[];
  let companies = 0;

  beforeAll(async () => {
    gateways = await startGateways(2);
    [one, two] = [gateways.at(0), gateways.at(1)];
  });
  beforeEach(async () => {
    companies += 1;
    company = await one.company({ slug: `listening-${companies}`, agents: 1, wrapUpSeconds: 600 });
    [ada] = company.agents as [TestAgent];
    boss = await one.agent(company, `boss${companies}`, 'supervisor');
    [joins, told] = [[], []];
    watcher = await watches(boss);
  });
  afterEach(() => {
    watcher.close();
    gateways.endMeddling();
  });
  afterAll(() => gateways.close());

  async function watches(supervisor: TestAgent): Promise<Watcher> {
    const opened = new Watcher({ url: two.url, token: supervisor.token });
    opened.connect();
    await eventually(() => opened.line === 'connected');
    return opened;
  }

  /** Ada, whose page answers who listens. */
  async function adas(options: Partial<SoftphoneOptions> = {}): Promise<Softphone> {
    const admitListener = async (joining: ListenerJoins) => {
      joins.push(joining);
      return 'the offer of her page';
    };
    const softphone = await one.readySoftphone(ada, { admitListener, ...options });
    softphone.on('listenerAnswered', (answered) => void told.push(answered));
    softphone.on('listenerChanged', (changed) => void told.push(changed));
    softphone.on('listenerLeft', (id) => void told.push(id));
    return softphone;
  }

  async function talks(softphone: Softphone): Promise<string> {
    const { id } = await softphone.startCall(customer);
    await softphone.reportProgress(id, 'connected');
    return id;
  }

  /** From now on they see the agents of a team with these in it alone. */
  async function leads(supervisor: TestAgent, agentIds: string[]): Promise<void> {
    const { body } = await two
      .as(company)
      .post('/api/teams')
      .send({ code: `team-${companies}`, name: 'Team', agent_ids: agentIds })
      .expect(201);
    await two
      .as(company)
      .patch(`/api/agents/${supervisor.id}`)
      .send({ led_team_ids: [body.id] })
      .expect(200);
    await eventually(
      async () =>
        (await two.as(supervisor).get(`/api/agents/${ada.id}`)).status === (agentIds.includes(ada.id) ? 200 : 404),
    );
  }

  const set = (listening: 'visible' | 'hidden' | 'off') =>
    two.as(company).patch('/api/company').send({ listening }).expect(200);
  const audit = async (of = company) =>
    (await two.as(of).get('/api/crm/audit?kind=call_listened').expect(200)).body.entries as object[];
  const listens = (callId: string, by = watcher) => by.startListening(ada.id, callId, 'listen');

  it('gets what the agent’s page offers, answers, whispers and leaves; each way is kept in the audit', async () => {
    const call = await talks(await adas());
    const { listen_id: id, ...answer } = await listens(call);
    expect(answer).toMatchObject({ sdp: 'the offer of her page', ice_servers: [], is_visible: true });
    expect(joins).toEqual([
      { listen_id: id, call_id: call, mode: 'listen', by: { id: boss.id, name: expect.any(String) } },
    ]);
    await watcher.answerListening(id, 'an answer');
    await watcher.changeListening(id, 'whisper');
    // Twice is once.
    await watcher.changeListening(id, 'whisper');
    await watcher.changeListening(id, 'barge');
    await watcher.stopListening(id);
    await eventually(() =>
      expect(told).toEqual([
        { listen_id: id, sdp: 'an answer' },
        { listen_id: id, mode: 'whisper' },
        { listen_id: id, mode: 'barge' },
        id,
      ]),
    );
    const of = {
      call: { id: call, agent: { id: ada.id } },
      by: { id: boss.id, name: expect.any(String) },
      contact_id: null,
    };
    const modes = ['barge', 'whisper', 'listen'];
    expect(await audit()).toMatchObject(
      modes.map((mode) => ({ kind: 'call_listened', ...of, call: { ...of.call, mode } })),
    );
    await expect(watcher.changeListening(id, 'listen')).rejects.toMatchObject({ code: 'not_found' });
    expect((await one.as(boss).get(`/api/calls/${call}`).expect(200)).body).toMatchObject({ state: 'connected' });
  });

  it('is not shown to the agent where the company says so', async () => {
    await set('hidden');
    const call = await talks(await adas());
    expect(await listens(call)).toMatchObject({ is_visible: false });
    expect(joins).toMatchObject([{ by: null }]);
  });

  it('is out of the call as soon as the connection is gone, and the call goes on', async () => {
    const softphone = await adas();
    const call = await talks(softphone);
    const { listen_id: id } = await listens(call);
    watcher.close();
    await eventually(() => expect(told).toEqual([id]));
    expect(softphone.call).toMatchObject({ id: call, state: 'connected' });
    expect(softphone.line).toBe('connected');
  });

  it.each<
    [
      string,
      {
        role?: string;
        rule?: 'off';
        foreign?: true;
        otherTeam?: true;
        over?: true;
        ringing?: true;
        code: string;
        cause?: string;
      },
    ]
  >([
    ['where the company does not allow it', { rule: 'off', code: 'role_required', cause: 'listening_off' }],
    ['without the role', { role: 'agent', code: 'role_required' }],
    ['of another company', { foreign: true, code: 'wrong_company' }],
    ['of an agent of other teams than theirs', { otherTeam: true, code: 'unknown_agent' }],
    ['of a call that is over', { over: true, code: 'conflict', cause: 'not_talking' }],
    ['of a call that nobody has answered', { ringing: true, code: 'conflict', cause: 'not_talking' }],
  ])(
    'is refused %s: nobody is asked, and nothing is written',
    async (_what, { role, rule, foreign, otherTeam, over, ringing, code, cause }) => {
      const softphone = await adas();
      const call = ringing === true ? (await softphone.startCall(customer)).id : await talks(softphone);
      if (rule !== undefined) await set(rule);
      if (otherTeam === true) {
        // The connection hears of it, too, before it asks.
        const heard = new Promise<void>((resolve) =>
          watcher.on('agents', (_agents, _serverTime, teamIds) => teamIds !== null && resolve()),
        );
        await leads(boss, []);
        await heard;
      }
      if (over === true) await softphone.reportProgress(call, 'ended');
      const others = foreign === true ? await one.company({ slug: `stranger-${companies}` }) : company;
      const by =
        role !== undefined || foreign === true
          ? await one.agent(others, `listener${companies}`, role ?? 'supervisor')
          : boss;
      const refused = role === undefined ? listens(call, by === boss ? watcher : await watches(by)) : asked(by, call);
      await expect(refused).rejects.toMatchObject({
        code,
        refusal: cause === undefined ? {} : { cause: { code: cause } },
      });
      expect([joins, told, await audit()]).toEqual([[], [], []]);
    },
  );

  /** By a connection with a softphone. */
  async function asked(by: TestAgent, callId: string): Promise<never> {
    const socket = io(two.url, { auth: { token: by.token }, transports: ['websocket'], forceNew: true });
    const answer = await socket
      .timeout(5_000)
      .emitWithAck('start_listening', { agent_id: ada.id, call_id: callId, mode: 'listen' });
    socket.disconnect();
    throw new SoftphoneRefusal(answer.error);
  }

  it('is refused of their own call', async () => {
    const call = await talks(
      await one.readySoftphone(boss, { admitListener: async (joining) => (joins.push(joining), 'an offer') }),
    );
    await expect(watcher.startListening(boss.id, call, 'listen')).rejects.toMatchObject({
      refusal: { cause: { code: 'own_call' } },
    });
    expect([joins, await audit()]).toEqual([[], []]);
  });

  it.each<[string, Partial<SoftphoneOptions>]>([
    ['takes no listeners, as older ones do', { admitListener: undefined } as object],
    ['has nothing to be heard', { admitListener: async () => null }],
    ['fails at it', { admitListener: () => Promise.reject(new Error('no sound')) }],
  ])('is refused where the agent’s page %s', async (_what, options) => {
    const call = await talks(await adas(options));
    await expect(listens(call)).rejects.toMatchObject({
      code: 'conflict',
      refusal: { cause: { code: 'cannot_be_listened_to' } },
    });
    expect(await audit()).toEqual([]);
  });

  it('is told that the page did not answer in time, which is told to forget it', async () => {
    const call = await talks(
      await adas({ admitListener: async (joining) => new Promise(() => void joins.push(joining)) }),
    );
    await expect(listens(call)).rejects.toMatchObject({ code: 'dependency_unavailable' });
    await eventually(() => expect(told).toEqual([joins[0]?.listen_id]));
    expect(await audit()).toEqual([]);
  });

  it('goes no further once the company has switched it off', async () => {
    const call = await talks(await adas());
    const { listen_id: id } = await listens(call);
    await set('off');
    await expect(watcher.changeListening(id, 'barge')).rejects.toMatchObject({ code: 'role_required' });
    expect(told).toEqual([]);
    expect(await audit()).toHaveLength(1);
  });

  it('listens to four calls at most, asked for at once or one after the other', async () => {
    const call = await talks(await adas());
    const answers = await Promise.allSettled([1, 2, 3, 4, 5].map(() => listens(call)));
    const refused = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
    expect(refused).toMatchObject([
      { code: 'conflict', refusal: { cause: { code: 'listens_to_too_many', params: { max: 4 } } } },
    ]);
    expect(joins).toHaveLength(4);
  });
});

describe('a supervisor who may listen no longer', () => {
  it.each<[string, (gateway: Gateway, company: TestCompany, boss: TestAgent) => Promise<unknown>]>([
    [
      'as the company switched it off',
      (gateway, company) => gateway.as(company).patch('/api/company').send({ listening: 'off' }).expect(200),
    ],
    [
      'as the agent is in none of the teams that are left to them',
      async (gateway, company, boss) => {
        const { body } = await gateway
          .as(company)
          .post('/api/teams')
          .send({ code: 'others', name: 'Others', agent_ids: [] })
          .expect(201);
        await gateway
          .as(company)
          .patch(`/api/agents/${boss.id}`)
          .send({ led_team_ids: [body.id] })
          .expect(200);
      },
    ],
  ])('is out of the call within half a minute %s, and the call goes on', async (_why, change) => {
    const clock = createManualClock(Date.now());
    const gateway = await startGateway('memory', { clock });
    onTestFinished(() => gateway.close());
    const company = await gateway.company({ slug: 'listens-no-longer', agents: 1 });
    const [ada] = company.agents as [TestAgent];
    const boss = await gateway.agent(company, 'boss', 'supervisor');
    const softphone = await gateway.readySoftphone(ada, { admitListener: async () => 'the offer of her page' });
    const left: string[] = [];
    softphone.on('listenerLeft', (id) => void left.push(id));
    const { id: call } = await softphone.startCall(customer);
    await softphone.reportProgress(call, 'connected');
    const watcher = new Watcher({ url: gateway.url, token: boss.token });
    onTestFinished(() => watcher.close());
    watcher.connect();
    await eventually(() => watcher.line === 'connected');
    const { listen_id: id } = await watcher.startListening(ada.id, call, 'listen');
    await passTime(clock, 31_000, async () => true);
    expect(left).toEqual([]);
    await change(gateway, company, boss);
    await passTime(clock, 31_000, () => left.length > 0);
    expect(left).toEqual([id]);
    await expect(watcher.changeListening(id, 'whisper')).rejects.toMatchObject({ code: 'not_found' });
    expect(softphone.call).toMatchObject({ id: call, state: 'connected' });
  });
});
