import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Softphone } from '../../src/client/softphone.ts';
import { type Gateway, startGateway, type TestAgent, type TestCompany } from '../support/gateway/gateway.ts';
import { spawnGateway } from '../support/gateway/gatewayProcess.ts';
import { type Gateways, startGateways } from '../support/gateway/gateways.ts';
import { openSwitchboard } from '../support/gateway/switchboard.ts';
import { createLeapingClock } from '../support/time/leapingClock.ts';
import { eventually, passTime } from '../support/time/waiting.ts';

/** What a softphone is told, in order. */
function listen(softphone: Softphone): string[] {
  const told: string[] = [];
  softphone.on('message', ({ text }) => told.push(text));
  softphone.on('messageClosed', () => told.push('closed'));
  return told;
}

const minute = 60_000;

describe('a message of a supervisor', () => {
  const clock = createLeapingClock();
  let gateway: Gateway;
  let company: TestCompany;
  let ada: TestAgent;
  let grace: TestAgent;
  let alan: TestAgent;
  let boss: TestAgent;
  let companies = 0;

  beforeAll(async () => {
    gateway = await startGateway('memory', { clock });
  });
  beforeEach(async () => {
    companies += 1;
    company = await gateway.company({ slug: `told-${companies}`, agents: 3 });
    [ada, grace, alan] = [company.agents[0]!, company.agents[1]!, company.agents[2]!];
    boss = await gateway.agent(company, 'boss', 'supervisor');
  });
  afterAll(() => gateway.close());

  const write = async (text: string, to: unknown, more: object = {}) =>
    (
      await gateway
        .as(boss)
        .post('/api/messages')
        .send({ text, to, ...more })
        .expect(201)
    ).body;
  const list = async () => (await gateway.as(boss).get('/api/messages').expect(200)).body.messages;
  const readers = async (id: string, query = '') =>
    (await gateway.as(boss).get(`/api/messages/${id}/readers${query}`).expect(200)).body.readers.map(
      ({ agent_code }: { agent_code: string }) => agent_code,
    );

  async function signIn(agent: TestAgent, session?: string): Promise<{ softphone: Softphone; told: string[] }> {
    const softphone = gateway.softphone(agent, { session });
    const told = listen(softphone);
    await softphone.connect();
    return { softphone, told };
  }

  it('arrives at whom it is for: an agent, a team or everybody, and at nobody of another company', async () => {
    const { body: team } = await gateway
      .as(company)
      .post('/api/teams')
      .send({ code: 'sales', name: 'Sales', agent_ids: [ada.id, grace.id] })
      .expect(201);
    const strangers = await gateway.company({ slug: `strangers-${companies}`, agents: 1 });
    const [one, two, three, own, stranger] = await Promise.all(
      [ada, grace, alan, boss, strangers.agents[0]!].map((agent) => signIn(agent)),
    );
    const toAda = await write('Well done!', { agent_id: ada.id });
    expect(toAda).toMatchObject({
      from: { id: boss.id, name: 'Agent boss' },
      to: { kind: 'agent', id: ada.id, name: 'Agent a100' },
      readers: 1,
      read: 0,
      taken_back_at: null,
    });
    expect(Date.parse(toAda.expires_at) - Date.parse(toAda.created_at)).toBe(12 * 60 * minute);
    await eventually(() => expect(one!.told).toEqual(['Well done!']));
    expect(await write('Price list\nfrom noon on', { team_id: team.id })).toMatchObject({
      to: { kind: 'team', id: team.id, name: 'Sales' },
      readers: 2,
    });
    // The three agents and the admin; not who writes it.
    expect(await write('The fire alarm is a test.', 'everybody')).toMatchObject({
      to: { kind: 'everybody', id: null, name: null },
      readers: 4,
    });
    await eventually(() => {
      expect(one!.told).toEqual(['Well done!', 'Price list\nfrom noon on', 'The fire alarm is a test.']);
      expect(two!.told).toEqual(['Price list\nfrom noon on', 'The fire alarm is a test.']);
      expect(three!.told).toEqual(['The fire alarm is a test.']);
    });
    expect(one!.softphone.unreadMessages[0]).toEqual({
      id: toAda.id,
      from: toAda.from,
      to: toAda.to,
      text: 'Well done!',
      created_at: toAda.created_at,
      expires_at: toAda.expires_at,
    });
    await gateway.as(strangers).post('/api/messages').send({ text: 'Theirs', to: 'everybody' }).expect(201);
    await eventually(() => expect(stranger!.told).toEqual(['Theirs']));
    expect([own!.told, one!.told.length]).toEqual([[], 3]);
    expect((await list()).map(({ text }: { text: string }) => text)).toEqual([
      'The fire alarm is a test.',
      'Price list\nfrom noon on',
      'Well done!',
    ]);
  });

  it('is shown until it is read, over a reload and in the tab that takes over, and never again', async () => {
    const { id } = await write('See me, please', { agent_id: ada.id });
    const first = await signIn(ada);
    await eventually(() => expect(first.told).toEqual(['See me, please']));
    first.softphone.close();
    const reloaded = await signIn(ada, first.softphone.session);
    await eventually(() => expect(reloaded.told).toEqual(['See me, please']));
    const secondTab = await signIn(ada);
    await eventually(() => expect(secondTab.told).toEqual(['See me, please']));
    await expect(reloaded.softphone.acknowledgeMessage(id)).rejects.toMatchObject({ code: 'session_replaced' });
    expect(await readers(id, '?read=false')).toEqual(['a100']);
    await secondTab.softphone.acknowledgeMessage(id);
    await secondTab.softphone.acknowledgeMessage(id);
    expect(secondTab.told).toEqual(['See me, please', 'closed']);
    expect(await list()).toMatchObject([{ readers: 1, read: 1 }]);
    secondTab.softphone.close();
    const later = await signIn(ada);
    await write('And now?', { agent_id: ada.id });
    await eventually(() => expect(later.told).toEqual(['And now?']));
  });

  it('tells who writes how many have read it, and who has not; who left is missed by nobody', async () => {
    const { id } = await write('New shifts', 'everybody');
    const { softphone, told } = await signIn(grace);
    await eventually(() => expect(told).toEqual(['New shifts']));
    await softphone.acknowledgeMessage(id);
    expect(await list()).toMatchObject([{ id, readers: 4, read: 1 }]);
    expect(await readers(id, '?read=true')).toEqual(['a101']);
    await gateway.as(company).patch(`/api/agents/${alan.id}`).send({ active: false }).expect(200);
    await gateway.as(company).patch(`/api/agents/${grace.id}`).send({ active: false }).expect(200);
    expect(await list()).toMatchObject([{ id, readers: 3, read: 1 }]);
    expect((await readers(id)).toSorted()).toEqual(['a100', 'a101', 'admin']);
    const page = (await gateway.as(boss).get(`/api/messages/${id}/readers?limit=2`).expect(200)).body;
    const rest = (
      await gateway.as(boss).get(`/api/messages/${id}/readers?limit=2&cursor=${page.next_cursor}`).expect(200)
    ).body;
    expect([page.readers.length, rest.readers.length, rest.next_cursor]).toEqual([2, 1, null]);
  });

  it('waits for those who are away, and is shown to nobody when its time is over', async () => {
    await write('Lunch is ready', { agent_id: ada.id }, { valid_minutes: 30 });
    await write('Team meeting at six', { agent_id: ada.id }, { valid_minutes: 600 });
    clock.jump(31 * minute);
    const { told } = await signIn(ada);
    await eventually(() => expect(told).toEqual(['Team meeting at six']));
  });

  it('leaves the screens when it is taken back, and is not shown to those who come later', async () => {
    const { softphone, told } = await signIn(ada);
    const { id } = await write('Everybody gets a raise', 'everybody');
    await eventually(() => expect(told).toEqual(['Everybody gets a raise']));
    await gateway.as(company).delete(`/api/messages/${id}`).expect(204);
    await gateway.as(boss).delete(`/api/messages/${id}`).expect(204);
    await eventually(() => expect(told).toEqual(['Everybody gets a raise', 'closed']));
    expect(softphone.unreadMessages).toEqual([]);
    const [{ taken_back_at: takenBack }] = await list();
    expect(Date.parse(takenBack)).toBeGreaterThan(0);
    const later = await signIn(grace);
    await write('Sorry', { agent_id: grace.id });
    await eventually(() => expect(later.told).toEqual(['Sorry']));
  });

  it('is written once under one Idempotency-Key, however often it is sent', async () => {
    const { told } = await signIn(ada);
    const send = () =>
      gateway.as(boss).post('/api/messages').set('Idempotency-Key', 'one').send({ text: 'Once', to: 'everybody' });
    const first = await send().expect(201);
    const again = await send().expect(201);
    expect([again.body, again.headers['idempotent-replay']]).toEqual([first.body, 'true']);
    await write('Last', { agent_id: ada.id });
    await eventually(() => expect(told).toEqual(['Once', 'Last']));
    expect(await list()).toHaveLength(2);
  });

  it('that is refused was written for nobody', async () => {
    const { told } = await signIn(ada);
    const strangers = await gateway.company({ slug: `others-${companies}`, agents: 1 });
    const { body: theirs } = await gateway
      .as(strangers)
      .post('/api/messages')
      .send({ text: 'Theirs', to: 'everybody' })
      .expect(201);
    const post = (body: object, who: TestAgent | TestCompany = boss) =>
      gateway.as(who).post('/api/messages').send(body);
    await post({ text: 'From an agent', to: 'everybody' }, grace).expect(403);
    await gateway.as(ada).get('/api/messages').expect(403);
    expect(
      (await post({ text: 'To a stranger', to: { agent_id: strangers.agents[0]!.id } }).expect(403)).body.code,
    ).toBe('wrong_company');
    expect((await post({ text: 'To myself', to: { agent_id: boss.id } }).expect(409)).body.cause).toEqual({
      code: 'no_readers',
    });
    expect((await post({ text: 'To a bore', to: 'somebody' }).expect(400)).body.errors).toMatchObject([
      { path: 'to', code: 'not_a_recipient' },
    ]);
    await post({ text: 'é'.repeat(1_001), to: 'everybody' }).expect(400);
    await post({ text: ' \n ', to: 'everybody' }).expect(400);
    await gateway.as(boss).delete(`/api/messages/${theirs.id}`).expect(404);
    await gateway.as(boss).get(`/api/messages/${theirs.id}/readers`).expect(404);
    const { softphone: stranger } = await signIn(strangers.agents[0]!);
    const { id } = await write('Last', { agent_id: ada.id });
    await expect(stranger.acknowledgeMessage(id)).rejects.toMatchObject({ code: 'not_found' });
    await eventually(() => expect(told).toEqual(['Last']));
    expect(await list()).toHaveLength(1);
    expect((await gateway.as(strangers).get('/api/messages').expect(200)).body.messages).toMatchObject([
      { id: theirs.id, taken_back_at: null },
    ]);
  });

  it('can be written only so often in a minute', async () => {
    const busy = await gateway.company({ slug: `busy-${companies}`, agents: 1 });
    const post = () => gateway.as(busy).post('/api/messages').send({ text: 'Hurry up', to: 'everybody' });
    for (let count = 0; count < 60; count += 1) await post().expect(201);
    const refused = await post().expect(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  });
});

describe('a message among several gateways', () => {
  const clock = createLeapingClock();
  let gateways: Gateways;
  let company: TestCompany;
  let ada: TestAgent;
  let companies = 0;

  beforeAll(async () => {
    gateways = await startGateways(2, { clock });
  });
  beforeEach(async () => {
    companies += 1;
    company = await gateways.at(0).company({ slug: `far-${companies}`, agents: 1 });
    ada = company.agents[0]!;
  });
  afterEach(() => gateways.endMeddling());
  afterAll(() => gateways.close());

  const write = async (text: string) =>
    (
      await gateways
        .at(0)
        .as(company)
        .post('/api/messages')
        .send({ text, to: { agent_id: ada.id } })
        .expect(201)
    ).body;

  it('arrives at a softphone that is connected to another one', async () => {
    const softphone = gateways.at(1).softphone(ada);
    const told = listen(softphone);
    await softphone.connect();
    const { id } = await write('From afar');
    await eventually(() => expect(told).toEqual(['From afar']));
    await gateways.at(0).as(company).delete(`/api/messages/${id}`).expect(204);
    await eventually(() => expect(told).toEqual(['From afar', 'closed']));
  });

  it('arrives once, a little later, where the gateway that wrote it told nobody, and where it told all', async () => {
    const softphone = gateways.at(1).softphone(ada);
    const told = listen(softphone);
    await softphone.connect();
    gateways.at(0).meddling.lost.add('messagesChanged');
    await write('Nobody was told');
    await passTime(clock, 15_000, () => told.length > 0);
    gateways.at(0).meddling.lost.clear();
    await write('All were told');
    await eventually(() => expect(told).toEqual(['Nobody was told', 'All were told']));
    await clock.advance(45_000);
    expect(told).toEqual(['Nobody was told', 'All were told']);
  });
});

describe('a message for a softphone whose gateway is killed', () => {
  it('is shown once, and waits for whoever is on the way to another one', async () => {
    const gateways = await startGateways(1);
    onTestFinished(() => gateways.close());
    const gateway = gateways.at(0);
    const company = await gateway.company({ slug: 'bereft', agents: 1 });
    const write = async (text: string) =>
      (await gateway.as(company).post('/api/messages').send({ text, to: 'everybody' }).expect(201)).body;
    const dataDir = await mkdtemp(join(tmpdir(), 'readyline-messages-'));
    onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
    const dying = await spawnGateway(dataDir, { env: gateways.environment });
    const balancer = await openSwitchboard(await dying.url());
    onTestFinished(() => balancer.close());
    const softphone = gateway.softphone(company.agents[0]!, { url: balancer.url });
    const told = listen(softphone);
    await softphone.connect();
    const first = await write('Before');
    await eventually(() => expect(told).toEqual(['Before']));
    balancer.leadTo(null);
    await dying.kill('SIGKILL');
    await eventually(() => softphone.line === 'reconnecting');
    const second = await write('Meanwhile');
    balancer.leadTo(gateway.url);
    await eventually(() => expect(told).toEqual(['Before', 'Meanwhile']));
    await softphone.acknowledgeMessage(first.id);
    await softphone.acknowledgeMessage(second.id);
    const { messages } = (await gateway.as(company).get('/api/messages').expect(200)).body;
    expect(messages.map(({ read }: { read: number }) => read)).toEqual([1, 1]);
  });
});
