import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AgentTimeline } from '../../src/contract/live.ts';
import type { Softphone } from '../../src/client/softphone.ts';
import { openBreakableLine } from '../support/gateway/breakableLine.ts';
import { startGateway, type Gateway, type TestAgent, type TestCompany } from '../support/gateway/gateway.ts';
import { createManualClock, type ManualClock } from '../support/time/manualClock.ts';
import { createDatabase, type TestDatabase } from '../support/stores/postgres.ts';
import { inState, nextEvent } from '../support/gateway/softphoneEvents.ts';
import { eventually, passTime } from '../support/time/waiting.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const secrets = { jwtSecret: Buffer.alloc(32, 1), encryptionKey: Buffer.alloc(32, 2) };

describe('the timeline of an agent', () => {
  let database: TestDatabase;
  let clock: ManualClock;
  let gateway: Gateway;
  let company: TestCompany;
  let agent: TestAgent;
  let softphone: Softphone;
  let begin: number;
  let companies = 0;

  beforeAll(async () => {
    database = await createDatabase();
    clock = createManualClock(Date.parse('2026-11-21T09:00:00.000Z'));
    gateway = await startGateway('memory', { clock, config: { ...secrets, databaseUrl: database.url } });
  });
  beforeEach(async () => {
    companies += 1;
    company = await gateway.company({ slug: `timeline-${companies}`, agents: 1, wrapUpSeconds: 600 });
    const [only] = company.agents;
    if (only === undefined) throw new Error('the company has one agent');
    agent = only;
    softphone = gateway.softphone(agent);
    begin = clock.now();
  });
  afterAll(async () => {
    await gateway.close();
    await database.drop();
  });

  const at = (minutes: number) => new Date(begin + minutes * minute).toISOString();
  const read = (query: Record<string, string> = {}) =>
    gateway.as(company).get(`/api/agents/${agent.id}/timeline`).query(query);
  /** As soon as so many entries are written. */
  async function entries(count: number, query: Record<string, string> = {}): Promise<AgentTimeline['entries']> {
    let timeline: AgentTimeline | undefined;
    await passTime(clock, 0, async () => {
      timeline = (await read(query).expect(200)).body as AgentTimeline;
      return timeline.entries.length === count;
    });
    return timeline?.entries ?? [];
  }
  async function withDatabase(use: (client: pg.Client) => Promise<unknown>): Promise<void> {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await use(client);
    await client.end();
  }
  /** Ready after a minute, on a break after two, offline after three. */
  async function work(): Promise<void> {
    await softphone.connect();
    await clock.advance(minute);
    await softphone.setReady();
    await clock.advance(minute);
    await softphone.setNotReady('break');
    await clock.advance(minute);
    await softphone.signOut();
  }

  it('begins with the first log-in', async () => {
    expect((await read().expect(200)).body).toEqual({ agent_id: agent.id, entries: [], truncated: false });
    await softphone.connect();
    expect(await entries(1)).toEqual([
      { state: 'not_ready', reason: 'login', call_id: null, since: at(0), until: null },
    ]);
  });

  it('tells one state after the other, without a gap, up to the one that lasts', async () => {
    await work();
    expect(await entries(4)).toEqual([
      { state: 'not_ready', reason: 'login', call_id: null, since: at(0), until: at(1) },
      { state: 'ready', reason: null, call_id: null, since: at(1), until: at(2) },
      { state: 'not_ready', reason: 'break', call_id: null, since: at(2), until: at(3) },
      { state: 'offline', reason: null, call_id: null, since: at(3), until: null },
    ]);
  });

  it('is cut to the time asked for, with the state that reaches into it', async () => {
    await work();
    await entries(4);
    const shown = await entries(2, { since: at(1.5), until: at(2.5) });
    expect(shown.map(({ state, since, until }) => [state, since, until])).toEqual([
      ['ready', at(1.5), at(2)],
      ['not_ready', at(2), at(2.5)],
    ]);
    await clock.advance(minute);
    const lasting = await entries(1, { since: at(3.5), until: at(100) });
    expect(lasting).toEqual([{ state: 'offline', reason: null, call_id: null, since: at(3.5), until: null }]);
  });

  it('names the call of a claim, a call and a wrap-up', async () => {
    await softphone.connect();
    await softphone.setReady();
    await clock.advance(minute);
    const dialing = nextEvent(softphone, 'dial');
    const { body } = await gateway.click(company, { phone_number: '+15551230001' }).expect(201);
    await dialing;
    await clock.advance(minute);
    await softphone.reportProgress(body.call_id, 'ended');
    await inState(softphone, 'wrap_up');
    const all = await entries(5);
    expect(all.map(({ state, call_id }) => [state, call_id])).toEqual([
      ['not_ready', null],
      ['ready', null],
      ['reserved', body.call_id],
      ['on_call', body.call_id],
      ['wrap_up', body.call_id],
    ]);
  });

  it('does not break a state in two when the line is lost for a moment', async () => {
    await softphone.connect();
    await softphone.setReady();
    const { session } = softphone;
    if (session === undefined) throw new Error('there is a session');
    await clock.advance(minute);
    softphone.close();
    const state = async () => (await gateway.as(company).get(`/api/agents/${agent.id}/state`)).body;
    await eventually(async () => (await state()).connection === 'reconnecting');
    const back = gateway.softphone(agent, { session });
    await back.connect();
    await clock.advance(minute);
    await back.setNotReady('meal');
    expect((await entries(3)).map((entry) => entry.state)).toEqual(['not_ready', 'ready', 'not_ready']);
  });

  it('tells what a supervisor has set, and the agent who was logged out for being away', async () => {
    await softphone.connect();
    await clock.advance(minute);
    await gateway
      .as(company)
      .put(`/api/agents/${agent.id}/state`)
      .send({ state: 'not_ready', reason: 'meeting' })
      .expect(200);
    softphone.close();
    await eventually(async () => (await entries(2)).length === 2);
    await clock.advance(6 * minute);
    const all = await entries(4);
    expect(all.map(({ state, reason }) => [state, reason])).toEqual([
      ['not_ready', 'login'],
      ['not_ready', 'meeting'],
      ['not_ready', 'connection_lost'],
      ['offline', null],
    ]);
  });

  it.each([
    ['ends before it begins', () => ({ since: at(2), until: at(1) })],
    ['has not begun', () => ({ since: at(1) })],
    ['has neither begun nor ended', () => ({ since: at(1), until: at(2) })],
  ])('is refused for a time that %s', async (_name, query) => {
    const { body } = await read(query()).expect(400);
    expect(body).toMatchObject({ code: 'invalid_request', errors: [{ path: 'since' }] });
  });

  it('is the latest 1,000 states at most, and says so', async () => {
    await withDatabase((client) =>
      client.query(
        `INSERT INTO agent_state_change (company_id, agent_id, at, version, state)
        SELECT $1, $2, $3::timestamptz + n * interval '1 second', n, CASE n % 2 WHEN 0 THEN 'ready' ELSE 'not_ready' END
        FROM generate_series(1, 1200) AS n`,
        [company.id, agent.id, at(-60)],
      ),
    );
    const { body } = await read({ since: at(-61), until: at(-1) }).expect(200);
    expect([body.truncated, body.entries.length]).toEqual([true, 1_000]);
    expect(body.entries.at(-1)).toMatchObject({ state: 'ready', since: at(-40), until: at(-1) });
    expect(body.entries[0].since).toBe(new Date(Date.parse(at(-40)) - 999_000).toISOString());
    const whole = await read({ since: at(-61), until: at(-50) }).expect(200);
    expect([whole.body.truncated, whole.body.entries.length]).toEqual([false, 599]);
  });

  it('ends for everybody when a gateway that is alone ends, or starts after one that was killed', async () => {
    const itsClock = createManualClock(begin);
    const start = () => startGateway('memory', { clock: itsClock, config: { ...secrets, databaseUrl: database.url } });
    const before = await start();
    await before.readySoftphone(agent);
    await itsClock.advance(minute);
    await before.close();
    await withDatabase((client) =>
      client.query(
        "INSERT INTO agent_state_change (company_id, agent_id, at, version, state) VALUES ($1, $2, $3, 1, 'ready')",
        [company.id, agent.id, at(2)],
      ),
    );
    await itsClock.advance(2 * minute);
    const after = await start();
    const { body } = await after.as(company).get(`/api/agents/${agent.id}/timeline`).expect(200);
    await after.close();
    const ends = body.entries.map(({ state, since, until }: AgentTimeline['entries'][number]) => [state, since, until]);
    expect(ends.slice(-4)).toEqual([
      ['ready', at(0), at(1)],
      ['offline', at(1), at(2)],
      ['ready', at(2), at(3)],
      ['offline', at(3), null],
    ]);
  });

  it('goes on when a second start fails at the port that is taken', async () => {
    await softphone.connect();
    await softphone.setReady();
    await clock.advance(minute);
    const { port } = new URL(gateway.url);
    const config = { ...secrets, databaseUrl: database.url, port: Number(port) };
    await expect(startGateway('memory', { clock, config })).rejects.toThrow('EADDRINUSE');
    expect((await entries(2)).at(-1)).toMatchObject({ state: 'ready', since: at(0), until: null });
  });

  it('is forgotten after 30 days, and the clicks after 13 months', async () => {
    await work();
    await entries(4);
    await gateway.click(company, { phone_number: '+15551230001' }).expect(503);
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const kept = async () => {
      const found = await client.query(
        `SELECT (SELECT count(*)::int FROM agent_state_change WHERE agent_id = $1) AS changes,
          (SELECT count(*)::int FROM click_tally WHERE company_id = $2) AS quarters`,
        [agent.id, company.id],
      );
      return Object.values(found.rows[0]);
    };
    /** The round before may still be under way, and the next comes an hour after it. */
    const isLeft = (left: string) =>
      passTime(clock, 2 * minute, async () => {
        const isSo = (await kept()).join() === left;
        if (!isSo) await clock.leap(minute);
        return isSo;
      });
    await passTime(clock, 0, async () => (await kept()).join() === '4,1');
    await clock.leap(29 * day);
    await passTime(clock, 2 * minute, async () => true);
    expect(await kept()).toEqual([4, 1]);
    await clock.leap(day + 60 * minute);
    await isLeft('0,1');
    await clock.leap(370 * day);
    await isLeft('0,0');
    await client.end();
  });
});

describe('what agents do while the database is away', () => {
  it('is in the timeline afterwards, at the time when they did it', async () => {
    const database = await createDatabase();
    const line = await openBreakableLine(database.url);
    const clock = createManualClock(Date.parse('2026-11-21T09:00:00.000Z'));
    const through = `${line.url.replace('http:', 'postgresql:')}${new URL(database.url).pathname}`;
    const url = new URL(through);
    [url.username, url.password] = [new URL(database.url).username, new URL(database.url).password];
    const gateway = await startGateway('memory', { clock, config: { ...secrets, databaseUrl: url.href } });
    const company = await gateway.company({ slug: 'away', agents: 1 });
    const [agent] = company.agents;
    if (agent === undefined) throw new Error('the company has one agent');
    const softphone = await gateway.readySoftphone(agent);
    const begun = clock.now();
    line.cut();
    await clock.advance(1_000);
    await softphone.setNotReady('break');
    await clock.advance(1_000);
    await softphone.setReady();
    line.mend();
    let entries: AgentTimeline['entries'] = [];
    await passTime(clock, 60_000, async () => {
      const answer = await gateway.as(company).get(`/api/agents/${agent.id}/timeline`);
      entries = answer.body.entries ?? [];
      return entries.length === 4;
    });
    expect(entries.map(({ state, since }) => [state, Date.parse(since) - begun])).toEqual([
      ['not_ready', 0],
      ['ready', 0],
      ['not_ready', 1_000],
      ['ready', 2_000],
    ]);
    await gateway.close();
    await line.close();
    await database.drop();
  });
});
