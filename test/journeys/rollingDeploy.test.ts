import { afterEach, describe, expect, it } from 'vitest';
import type { Softphone, SoftphoneOptions } from '../../src/client/softphone.ts';
import type { AgentStateView } from '../../src/contract/agents.ts';
import type { ClickToDialOffer } from '../../src/contract/socket.ts';
import { startGateway, type Gateway, type TestAgent, type TestCompany } from '../support/gateway/gateway.ts';
import { createDatabase, type TestDatabase } from '../support/stores/postgres.ts';
import { bearer } from '../support/gateway/populatedGateway.ts';
import { createRawSockets } from '../support/gateway/rawSockets.ts';
import { redisUrl } from '../support/stores/redis.ts';
import { inState, nextEvent } from '../support/gateway/softphoneEvents.ts';
import { openSwitchboard, type Switchboard } from '../support/gateway/switchboard.ts';
import { eventually } from '../support/time/waiting.ts';

describe('a gateway that is replaced while another one serves', () => {
  const sockets = createRawSockets();
  let database: TestDatabase;
  let leaving: Gateway;
  let staying: Gateway;
  let balancer: Switchboard;
  let company: TestCompany;
  let agent: TestAgent;
  let softphone: Softphone;
  let lines: string[];
  /** How supervisors saw the agent's connection, from change to change. */
  let connections: (string | null)[];

  /** @param drainSeconds how long the one that leaves waits for the balancer */
  async function begin(drainSeconds: number): Promise<void> {
    database = await createDatabase();
    const secrets = { jwtSecret: Buffer.alloc(32, 1), encryptionKey: Buffer.alloc(32, 2) };
    const shared = { ...secrets, databaseUrl: database.url, redisUrl: await redisUrl() };
    leaving = await startGateway('redis', { config: { ...shared, drainSeconds } });
    staying = await startGateway('redis', { config: shared });
    balancer = await openSwitchboard(leaving.url);
    company = await staying.company({ slug: 'rolling', agents: 1, wrapUpSeconds: 0 });
    [agent] = company.agents as [TestAgent];
  }
  afterEach(async () => {
    sockets.closeAll();
    softphone.close();
    await balancer.close();
    await leaving.close();
    await staying.close();
    await database.drop();
  });

  async function connect(options: Partial<SoftphoneOptions> = {}): Promise<void> {
    softphone = leaving.softphone(agent, { url: balancer.url, ...options });
    await softphone.connect();
    await softphone.setReady();
    lines = [];
    softphone.on('line', (state) => lines.push(state));
    connections = [];
    await new Promise<void>((resolve, reject) => {
      const opening = sockets.open(staying.url, { token: company.adminToken, watch: true }, {}, (socket) => {
        socket.once('agents_snapshot', () => resolve());
        socket.on('agent_state_changed', ({ agent_id, connection }: AgentStateView) => {
          if (agent_id === agent.id) connections.push(connection);
        });
      });
      opening.catch(reject);
    });
  }
  /** What the supervisors' view says when everything is over. */
  const seen = async () => {
    const { body } = await staying.api.get(`/api/agents/${agent.id}/state`).set(bearer(company.adminToken)).expect(200);
    return body as AgentStateView;
  };
  const isGone = () =>
    leaving.api.get('/api/health/live').then(
      () => false,
      () => true,
    );

  it('says so to the balancer, serves meanwhile, hands its softphone over without a gap, and goes', async () => {
    await begin(1);
    await connect();
    const idleSince = (await seen()).since;
    const closing = leaving.app.close();
    await eventually(async () => (await leaving.api.get('/api/health')).status === 503);
    const health = await leaving.api.get('/api/health').set('connection', 'keep-alive');
    expect(health).toMatchObject({
      body: { status: 'draining', checks: { database: 'ok' } },
      headers: { connection: 'close' },
    });
    expect((await leaving.api.get('/api/health/live')).status).toBe(200);
    expect((await leaving.api.get('/api/me').set(bearer(agent.token))).status).toBe(200);

    balancer.leadTo(staying.url);
    await nextEvent(softphone, 'snapshot');
    await closing;
    expect(await isGone()).toBe(true);
    expect([softphone.line, lines]).toEqual(['connected', []]);
    expect(connections.filter((connection) => connection !== 'connected')).toEqual([]);
    expect(await seen()).toMatchObject({ state: 'ready', since: idleSince, connection: 'connected' });

    const dialing = nextEvent(softphone, 'dial');
    const { body } = await staying.click(company, { phone_number: '+15551230001' }).expect(201);
    await dialing;
    await softphone.reportProgress(body.call_id, 'ended');
    await inState(softphone, 'ready');
  });

  it('lets an offer that is under way be accepted, and the dial comes once', async () => {
    await begin(0);
    const offers: ClickToDialOffer[] = [];
    let accept: (accepted: boolean) => void = () => {};
    const acceptOffer = (offer: ClickToDialOffer) => {
      offers.push(offer);
      return new Promise<boolean>((decide) => (accept = decide));
    };
    await connect({ acceptOffer });
    const dials: string[] = [];
    softphone.on('dial', ({ call_id }) => dials.push(call_id));
    const clicked = staying.click(company, { phone_number: '+15551230001' }).then((answer) => answer);
    await eventually(() => offers.length === 1);
    balancer.leadTo(staying.url);
    const closing = leaving.app.close();
    // The softphone has found the other gateway, and waits with the move for its agent.
    await eventually(() => balancer.connections === 2);
    accept(true);
    const { status, body } = await clicked;
    expect([status, body.call_id]).toEqual([201, offers[0]?.call_id]);
    await closing;
    await inState(softphone, 'on_call');
    await eventually(() => dials.length > 0);
    expect([dials, lines, offers.length]).toEqual([[body.call_id], [], 1]);
    await softphone.reportProgress(body.call_id, 'connected');
    await softphone.reportProgress(body.call_id, 'ended');
    await inState(softphone, 'ready');
    expect(connections.filter((connection) => connection !== 'connected')).toEqual([]);
  });
});
