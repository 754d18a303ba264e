import { createHash } from 'node:crypto';
import type { Socket } from 'socket.io-client';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Softphone } from '../../src/client/softphone.ts';
import type { AgentStateView } from '../../src/contract/agents.ts';
import { startGateway, type Gateway, type TestAgent, type TestCompany } from '../support/gateway/gateway.ts';
import { arrival, ask, createRawSockets } from '../support/gateway/rawSockets.ts';
import { inState, nextEvent } from '../support/gateway/softphoneEvents.ts';
import { gate } from '../support/time/gate.ts';

const phone_number = '+15551230001';

describe.each(['memory', 'redis'] as const)('an offer (%s)', (storage) => {
  let gateway: Gateway;
  let company: TestCompany;
  let first: TestAgent;
  let second: TestAgent;
  let companies = 0;
  let recording = gate();
  /** What a gateway of another version would remember a click by. */
  let otherHash: string | null = null;

  beforeAll(async () => {
    gateway = await startGateway(storage, {
      wrap: (services) => ({
        ...services,
        calls: { ...services.calls, create: (...args) => recording.pass(() => services.calls.create(...args)) },
        idempotency: {
          ...services.idempotency,
          begin: (id, key, hash, ...times) => services.idempotency.begin(id, key, otherHash ?? hash, ...times),
        },
      }),
    });
  });
  beforeEach(async () => {
    recording = gate();
    otherHash = null;
    companies += 1;
    company = await gateway.company({ slug: `offers-${companies}`, agents: 2, wrapUpSeconds: 0 });
    const [one, two] = company.agents;
    if (one === undefined || two === undefined) throw new Error('the company has two agents');
    [first, second] = [one, two];
  });
  afterAll(() => gateway.close());

  it('that is declined makes the agent Not Ready and goes to the next Ready agent', async () => {
    const declining = await gateway.readySoftphone(first, { acceptOffer: () => false });
    await gateway.readySoftphone(second);
    const closed = nextEvent(declining, 'popClosed');
    const clicked = await gateway.click(company, { phone_number });
    expect(clicked.status).toBe(201);
    expect(clicked.body.agent.id).toBe(second.id);
    expect((await closed)[1]).toBe('rejected');
    await inState(declining, 'not_ready');
    expect(declining.agent?.reason).toBe('rejected');
  });

  it('that came too late for the softphone counts as not delivered, not as declined by the agent', async () => {
    const sockets = createRawSockets();
    const snapshots: Promise<unknown>[] = [];
    const opened = (socket: Socket) => void snapshots.push(arrival(socket, 'state_snapshot'));
    const late = await sockets.open(gateway.url, { token: first.token }, {}, opened);
    await Promise.all(snapshots);
    expect(await ask(late, 'set_state', { state: 'ready' })).toMatchObject({ ok: true });
    const failed = arrival<AgentStateView>(late, 'agent_state_changed', ({ state }) => state === 'not_ready');
    late.onAny((event: string, ...args: unknown[]) => {
      const acknowledge = args.at(-1);
      if (event === 'click_to_dial' && typeof acknowledge === 'function')
        acknowledge({ ok: false, error: { code: 'expired' } });
    });
    await gateway.readySoftphone(second);
    const clicked = await gateway.click(company, { phone_number });
    expect(clicked.body.agent.id).toBe(second.id);
    expect(await failed).toMatchObject({ reason: 'delivery_failed' });
    sockets.closeAll();
  });

  it('that is not acknowledged in time is taken back, and its dial never happens', async () => {
    const answer = gate();
    answer.shut();
    const slow = await gateway.readySoftphone(first, { acceptOffer: () => answer.pass(async () => true) });
    let dials = 0;
    slow.on('dial', () => (dials += 1));
    await gateway.readySoftphone(second);
    const clicked = await gateway.click(company, { phone_number });
    expect(clicked.body.agent.id).toBe(second.id);
    await inState(slow, 'not_ready');
    expect(slow.agent?.reason).toBe('delivery_failed');
    expect(slow.pop).toBeNull();
    answer.open();
    // Whatever the late answer could cause has happened once the gateway answers this softphone again.
    await slow.setReady();
    expect(dials).toBe(0);
  });

  it("to a named agent who declines is refused with that agent's state, without trying anybody else", async () => {
    await gateway.readySoftphone(first, { acceptOffer: () => false });
    const other = await gateway.readySoftphone(second);
    const clicked = await gateway.click(company, { phone_number, agent_code: first.agentCode });
    expect(clicked.status).toBe(503);
    expect(clicked.body).toMatchObject({
      code: 'agent_not_ready',
      detail: 'That agent is Not Ready.',
      agent_state: { state: 'not_ready', reason: 'rejected' },
    });
    expect(Number(clicked.headers['retry-after'])).toBeGreaterThan(0);
    expect(other.agent?.state).toBe('ready');
  });

  it('falls back to any Ready agent when the click says so', async () => {
    await gateway.readySoftphone(second);
    const clicked = await gateway.click(company, { phone_number, agent_id: first.id, fallback: 'any' });
    expect(clicked.status).toBe(201);
    expect(clicked.body.agent.id).toBe(second.id);
  });

  it('whose softphone vanishes meanwhile goes on at once to the next', async () => {
    const vanishing: Softphone = await gateway.readySoftphone(first, {
      acceptOffer: () => {
        vanishing.close();
        return true;
      },
    });
    await gateway.readySoftphone(second);
    const clicked = await gateway.click(company, { phone_number });
    expect(clicked.status).toBe(201);
    expect(clicked.body.agent.id).toBe(second.id);
  });

  it('is confirmed only by the softphone it was made to, not by one that took over', async () => {
    const answer = gate();
    answer.shut();
    const before = await gateway.readySoftphone(first, { acceptOffer: () => answer.pass(async () => true) });
    const offered = nextEvent(before, 'pop');
    const clicking = gateway.click(company, { phone_number, agent_id: first.id }).then((response) => response);
    await offered;
    const after = gateway.softphone(first);
    await after.connect();
    answer.open();
    expect((await clicking).status).toBe(503);
    await inState(after, 'not_ready');
    expect(before.line).toBe('replaced');
  });

  it('is dialed only after the call is recorded, and a click whose record fails dials nothing', async () => {
    const softphone = await gateway.readySoftphone(first);
    let dials = 0;
    softphone.on('dial', () => (dials += 1));
    recording.fail(new Error('the disk is full'));
    const refused = await gateway.click(company, { phone_number });
    expect(refused.status).toBe(503);
    expect(refused.body.code).toBe('dependency_unavailable');
    await inState(softphone, 'ready');
    expect(dials).toBe(0);

    recording = gate();
    recording.shut();
    const clicking = gateway.click(company, { phone_number }).then((response) => response);
    await recording.reached();
    expect(dials).toBe(0);
    const dialing = nextEvent(softphone, 'dial');
    recording.open();
    await dialing;
    expect((await clicking).status).toBe(201);
  });

  it('lets a quick softphone report progress before the dial is recorded', async () => {
    const softphone = await gateway.readySoftphone(first);
    recording.shut();
    const offered = nextEvent(softphone, 'pop');
    const clicking = gateway.click(company, { phone_number }).then((response) => response);
    const [pop] = await offered;
    await recording.reached();
    const reporting = softphone.reportProgress(pop.call_id, 'ringing');
    recording.open();
    expect((await reporting).state).toBe('ringing');
    expect((await clicking).status).toBe(201);
  });

  it('answers the same Idempotency-Key with the first answer, and never dials twice', async () => {
    const softphone = await gateway.readySoftphone(first);
    let dials = 0;
    softphone.on('dial', () => (dials += 1));
    const key = { 'Idempotency-Key': 'click-1' };
    const answers = await Promise.all([1, 2, 3].map(() => gateway.click(company, { phone_number }, key)));
    const dialed = answers.filter((answer) => answer.status === 201);
    const waiting = answers.filter((answer) => answer.status === 409);
    expect(dialed.length + waiting.length).toBe(3);
    expect(waiting.every((answer) => answer.body.code === 'idempotency_in_progress')).toBe(true);
    const again = await gateway.click(company, { phone_number }, key);
    expect(again.status).toBe(201);
    expect(again.headers['idempotent-replay']).toBe('true');
    expect(again.body).toEqual(dialed[0]?.body);
    expect(dials).toBe(1);
    const other = await gateway.click(company, { phone_number: '+15551230002' }, key);
    expect([other.status, other.body.code]).toEqual([422, 'idempotency_mismatch']);
  });

  it('does not give one agent the answer to the Idempotency-Key and body of another', async () => {
    await gateway.readySoftphone(first);
    const dialed: string[] = [];
    (await gateway.readySoftphone(second)).on('dial', (dial) => void dialed.push(dial.call_id));
    const click = (agent: TestAgent) =>
      gateway.api
        .post('/api/integrations/cti/click-to-dial')
        .set({ authorization: `Bearer ${agent.token}`, 'Idempotency-Key': 'click-of-agents' })
        .send({ phone_number });
    const made = await click(first);
    expect(made.status).toBe(201);
    const others = await click(second);
    expect([others.status, others.body.code]).toEqual([422, 'idempotency_mismatch']);
    expect(dialed).toEqual([]);
    const again = await click(first);
    expect([again.headers['idempotent-replay'], again.body]).toEqual(['true', made.body]);
  });

  it.each(['a company', 'an agent'])('finds the answer that a gateway of before remembered for %s', async (who) => {
    await gateway.readySoftphone(first);
    const dialed: string[] = [];
    const body = `{"phone_number":"${phone_number}","metadata":{"rate":1.10,"2":0,"1":1e2}}`;
    const click = (agent: TestAgent | null, text = body) =>
      gateway.api
        .post('/api/integrations/cti/click-to-dial')
        .set(agent === null ? { 'X-Service-Api-Key': company.key } : { authorization: `Bearer ${agent.token}` })
        .set({ 'content-type': 'application/json', 'Idempotency-Key': 'click-of-before' })
        .send(text);
    const clicker = who === 'an agent' ? first : null;
    otherHash = createHash('sha256')
      .update(JSON.stringify(JSON.parse(body)))
      .digest('hex');
    const made = await click(clicker);
    expect(made.status).toBe(201);
    otherHash = null;
    (await gateway.readySoftphone(second)).on('dial', (dial) => void dialed.push(dial.call_id));
    const again = await click(clicker);
    expect([again.status, again.headers['idempotent-replay'], again.body]).toEqual([201, 'true', made.body]);
    for (const other of [await click(second), await click(clicker, body.replace('1.10', '1.20'))]) {
      expect([other.status, other.body.code]).toEqual([422, 'idempotency_mismatch']);
    }
    expect(dialed).toEqual([]);
  });

  it('does not remember a refusal under an Idempotency-Key', async () => {
    const key = { 'Idempotency-Key': 'click-2' };
    const refused = await gateway.click(company, { phone_number }, key);
    expect([refused.status, refused.body.code]).toEqual([503, 'no_ready_agent']);
    await gateway.readySoftphone(first);
    expect((await gateway.click(company, { phone_number }, key)).status).toBe(201);
  });

  it("made with an agent's own token comes from that agent's softphone and from no other", async () => {
    await gateway.readySoftphone(second);
    const click = (body: object) =>
      gateway
        .as(first)
        .post('/api/integrations/cti/click-to-dial')
        .send({ phone_number, ...body });
    expect((await click({})).body.code).toBe('agent_not_ready');
    expect((await click({ agent_code: second.agentCode })).body.code).toBe('role_required');
    expect((await click({ fallback: 'any' })).body.code).toBe('role_required');
    await gateway.readySoftphone(first);
    expect((await click({})).body.agent.id).toBe(first.id);
  });

  it('goes to the agent idle longest', async () => {
    await gateway.readySoftphone(second);
    await gateway.readySoftphone(first);
    expect((await gateway.click(company, { phone_number })).body.agent.id).toBe(second.id);
  });
});
