import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Softphone, SoftphoneOptions } from '../../src/client/softphone.ts';
import { CrashingGateway } from '../support/gateway/crashingGateway.ts';
import { embeddedUrl, postgresOf, spawnGateway } from '../support/gateway/gatewayProcess.ts';
import { inState, nextEvent } from '../support/gateway/softphoneEvents.ts';
import { gate } from '../support/time/gate.ts';
import { eventually } from '../support/time/waiting.ts';
import { deliveryIdOf, type WebhookRoom } from '../support/webhooks/webhookRoom.ts';

const phone_number = '+15551230001';
/**
 * Lets time pass for the deliveries: longer than the first two retries, and than the time for which a delivery is lent
 * to a process that may have died.
 */
const passTenMinutes = `UPDATE webhook_delivery SET due_at = due_at - interval '10 minutes'`;

/** Somebody who cannot go on before the transaction that asks has ended. */
const waitingForUs = 'SELECT FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))';

/** One agent of a company at the moment of the crash. */
type Situation = { room: WebhookRoom; softphone: Softphone; dials: string[] };

/** The gateway is killed once, in the middle of everything; each test looks at what became of one thing. */
describe('a gateway that is killed and started again', () => {
  let world: CrashingGateway;
  let postgresBefore: number | null;
  let waiting: { room: WebhookRoom; clicked: string; ids: string[]; sent: number };
  let sent: { room: WebhookRoom; callId: string };
  let unsettled: { room: WebhookRoom; callId: string };
  let talking: Situation & { callId: string };
  let ready: Situation;
  let eating: Situation;
  let asked: Situation & { answered: Promise<string> };
  let confirmed: Situation & { answered: Promise<string> };
  let repeated: Situation & { click: () => Promise<{ call_id: string }>; first: { call_id: string } };

  const situation = async (options: Partial<SoftphoneOptions> = {}): Promise<Situation> => {
    const room = await world.room();
    const agent = await world.gateway.agent(room.company, 'b200');
    const softphone = await world.gateway.readySoftphone(agent, options);
    const dials: string[] = [];
    softphone.on('dial', ({ call_id }) => dials.push(call_id));
    return { room, softphone, dials };
  };
  const click = (room: WebhookRoom, headers = {}) =>
    world.gateway.click(room.company, { phone_number, agent_code: 'b200' }, headers);
  /** Softphones connect again by themselves. */
  const isBack = (softphone: Softphone) => eventually(() => softphone.line === 'connected');
  const outcomeOf = (clicking: Promise<unknown>) =>
    clicking.then(
      () => 'answered',
      () => 'broken off',
    );

  beforeAll(async () => {
    world = await CrashingGateway.open();

    const failing = await world.room();
    failing.receiver.answerWith(() => 500);
    const clicked = await failing.answeredClick();
    await failing.settled(deliveryIdOf((await failing.arrived(clicked))[0]), 1);
    await failing.settled(deliveryIdOf((await failing.arrived(await failing.call()))[0]), 1);
    const ids = (await failing.list()).deliveries.map(({ id }) => id).toSorted();
    waiting = { room: failing, clicked, ids, sent: 0 };

    const unanswered = await world.room();
    const answer = gate();
    answer.shut();
    unanswered.receiver.answerWith(() => answer.pass(async () => 204));
    const callId = await unanswered.call();
    await unanswered.arrived(callId);
    sent = { room: unanswered, callId };

    const unwritten = await world.room();
    const receipt = gate();
    receipt.shut();
    unwritten.receiver.answerWith(() => receipt.pass(async () => 204));
    const announced = await unwritten.call();
    const announcement = deliveryIdOf((await unwritten.arrived(announced))[0]);
    unsettled = { room: unwritten, callId: announced };

    const inCall = await situation();
    const { body } = await click(inCall.room).expect(201);
    await inCall.softphone.reportProgress(body.call_id, 'connected');
    await inCall.softphone.setNotReady('break');
    talking = { ...inCall, callId: body.call_id };

    ready = await situation();
    eating = await situation();
    await eating.softphone.setNotReady('meal');

    const onceMore = await situation();
    const again = async () => (await click(onceMore.room, { 'Idempotency-Key': 'one' }).expect(201)).body;
    repeated = { ...onceMore, click: again, first: await again() };

    const yes = gate();
    yes.shut();
    const beingAsked = await situation({ acceptOffer: () => yes.pass(async () => true) });

    const unrecorded = await situation();
    const database = new pg.Client({ connectionString: await embeddedUrl(world.dataDir) });
    await database.connect();
    await database.query(`BEGIN; SELECT FROM webhook_delivery WHERE id = '${announcement}' FOR UPDATE`);
    receipt.open();
    await eventually(async () => (await database.query(waitingForUs)).rowCount === 1);
    await database.query('LOCK TABLE call IN SHARE MODE');
    const onCall = inState(unrecorded.softphone, 'on_call');
    confirmed = { ...unrecorded, answered: outcomeOf(click(unrecorded.room)) };
    await onCall;
    // The last of all: a softphone has 2 s to answer.
    const offered = nextEvent(beingAsked.softphone, 'pop');
    asked = { ...beingAsked, answered: outcomeOf(click(beingAsked.room)) };
    await offered;

    postgresBefore = postgresOf(world.dataDir);
    await world.process.kill('SIGKILL');
    waiting.sent = failing.receiver.received.length;
    for (const { softphone } of [talking, ready, eating, repeated, asked, confirmed]) {
      await eventually(() => softphone.line === 'reconnecting');
    }
    // What the dead gateway had asked for must not happen when the table is free again.
    await database.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'readyline'");
    await database.query(`ROLLBACK; ${passTenMinutes}`);
    await database.end();
    answer.open();
    yes.open();
    for (const room of [failing, unanswered]) room.receiver.answerWith(() => 204);
    await world.start();
  });
  afterAll(() => world.close());

  it('takes over the PostgreSQL that outlived it', () => {
    expect(postgresBefore).not.toBeNull();
    expect(postgresOf(world.dataDir)).toBe(postgresBefore);
  });

  it('sends every delivery that waited, under the id it had, the events of a call in sequence', async () => {
    const { room, clicked, ids, sent: before } = waiting;
    const webhooks = (await room.receiver.waitFor(() => true, before + 4)).slice(before);
    expect(webhooks.map(deliveryIdOf).toSorted()).toEqual(ids);
    const ofClick = webhooks.filter(({ body }) => body.data['call_id'] === clicked);
    expect(ofClick.map(({ body }) => body.data['sequence'])).toEqual([1, 2, 3]);
  });

  it('sends again, under the same id, what it had sent without hearing the answer', async () => {
    const { room, callId } = sent;
    const [first, again] = await room.arrived(callId, 2);
    expect(deliveryIdOf(again)).toBe(deliveryIdOf(first));
    // Nobody knows how the one before ended: it does not count.
    expect(again?.headers['x-service-attempt']).toBe('1');
    expect(again?.raw).toBe(first?.raw);
    expect((await room.settled(deliveryIdOf(first), 1)).state).toBe('delivered');
  });

  it('sends again, under the same id, what had arrived and was not written down; the log tells of what it knows', async () => {
    const { room, callId } = unsettled;
    const [first, again] = await room.arrived(callId, 2);
    expect(deliveryIdOf(again)).toBe(deliveryIdOf(first));
    expect(again?.raw).toBe(first?.raw);
    const { state, log } = await room.settled(deliveryIdOf(first), 1);
    expect([state, log.map(({ number, status_code }) => [number, status_code])]).toEqual(['delivered', [[1, 204]]]);
    expect(room.received(callId)).toHaveLength(2);
  });

  it('lets a softphone find its call again, end it and wrap it up, and keeps what was chosen for after it', async () => {
    const { room, softphone, callId, dials } = talking;
    await isBack(softphone);
    expect(softphone.agent).toMatchObject({ state: 'on_call', call_id: callId });
    expect(softphone.call).toMatchObject({ id: callId, state: 'connected' });
    await softphone.reportProgress(callId, 'held');
    await softphone.reportProgress(callId, 'ended', { end_reason: 'completed', ended_by: 'customer' });
    await softphone.submitDisposition(callId, { code: 'resolved' });
    await inState(softphone, 'not_ready');
    expect(softphone.agent?.reason).toBe('break');
    expect(dials).toEqual([callId]);
    await room.receiver.waitFor(({ body }) => body.event === 'disposition');
    // At least once: one may have come twice, and then under one id.
    const webhooks = new Map(room.received(callId).map((webhook) => [deliveryIdOf(webhook), webhook.body]));
    expect([...webhooks.values()].map(({ event, data }) => [event, data['sequence']])).toEqual([
      ['cti_click_to_dial', 1],
      ['call_started', 2],
      ['call_answered', 3],
      ['disposition', 4],
    ]);
  });

  it("has a Ready agent Ready again without anybody's doing, and the next click works", async () => {
    const { room, softphone } = ready;
    await isBack(softphone);
    await inState(softphone, 'ready');
    expect((await click(room)).status).toBe(201);
  });

  it('does not make an agent Ready who was at a meal', async () => {
    const { room, softphone } = eating;
    await isBack(softphone);
    await eventually(() => softphone.agent?.reason === 'meal');
    expect((await click(room)).body).toMatchObject({
      code: 'agent_not_ready',
      agent_state: { state: 'not_ready', reason: 'meal' },
    });
  });

  it.each([
    ['a softphone was being asked', () => asked],
    ['a dial was confirmed and not recorded', () => confirmed],
  ])(
    'has dialed, recorded and announced nothing for a click in which %s, and the agent is Ready again',
    async (_, find) => {
      const { room, softphone, dials, answered } = find();
      expect(await answered).toBe('broken off');
      await isBack(softphone);
      await inState(softphone, 'ready');
      expect(softphone.pop).toBeNull();
      expect(dials).toEqual([]);
      expect((await room.get('/api/calls')).body.calls).toEqual([]);
      expect((await room.list()).deliveries).toEqual([]);
      expect((await click(room)).status).toBe(201);
      expect(dials).toHaveLength(1);
    },
  );

  it('answers a click that is repeated under its Idempotency-Key with the first answer, and does not dial again', async () => {
    const { first, dials, softphone } = repeated;
    await isBack(softphone);
    expect(await repeated.click()).toEqual(first);
    expect(dials).toEqual([first.call_id]);
  });
});

describe('a gateway on embedded storage', () => {
  let world: CrashingGateway;
  let room: WebhookRoom;

  beforeAll(async () => {
    world = await CrashingGateway.open();
    room = await world.room();
  });
  afterAll(() => world.close());

  it('refuses a second gateway on its data directory in one line, and is not disturbed by it', async () => {
    const second = await spawnGateway(world.dataDir);
    const { code, stderr } = await second.ended;
    expect(code).toBe(1);
    expect(stderr).toBe(
      `Readyline cannot start: another gateway (process ${world.process.pid}) already uses the data directory ` +
        `${world.dataDir}; stop it or set another DATA_DIR\n`,
    );
    await room.arrived(await room.call());
  });

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'finishes the attempt in flight on %s, ends with 0 and leaves no PostgreSQL behind',
    async (signal) => {
      room = await world.room();
      const answer = gate();
      answer.shut();
      room.receiver.answerWith(() => answer.pass(async () => 204));
      const callId = await room.call();
      const id = deliveryIdOf((await room.arrived(callId))[0]);
      const ending = world.process.kill(signal);
      // Twice: the terminal sends Ctrl-C, and npm passes it on.
      world.process.child.kill(signal);
      await eventually(() =>
        world.gateway.api.get('/api/health/live').then(
          () => false,
          () => true,
        ),
      );
      answer.open();
      const { code, stderr } = await ending;
      expect([code, stderr]).toEqual([0, '']);
      expect(postgresOf(world.dataDir)).toBeNull();
      await world.start();
      expect(await room.settled(id, 1)).toMatchObject({ state: 'delivered', attempts: 1 });
      expect(room.received(callId)).toHaveLength(1);
    },
  );

  it('that is stopped while it starts leaves no PostgreSQL behind', async () => {
    await world.process.kill('SIGTERM');
    const starting = await world.spawn();
    await eventually(() => postgresOf(world.dataDir) !== null);
    const { code, stderr } = await starting.kill('SIGTERM');
    expect([code, stderr]).toEqual([0, '']);
    expect(postgresOf(world.dataDir)).toBeNull();
    await world.start();
  });

  it('ends with one line when its PostgreSQL dies, and has everything when it is started again', async () => {
    room = await world.room();
    const callId = await room.call();
    await room.arrived(callId);
    const postgres = postgresOf(world.dataDir);
    if (postgres === null) throw new Error('PostgreSQL runs');
    process.kill(postgres, 'SIGKILL');
    const { code, stderr } = await world.process.ended;
    expect(code).toBe(1);
    expect(stderr).toBe('The database stopped: SIGKILL\n');
    await world.start();
    expect((await room.get(`/api/calls/${callId}`)).body.state).toBe('ended');
  });
});
