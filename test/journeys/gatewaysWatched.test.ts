import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestAgent, TestCompany } from '../support/gateway/gateway.ts';
import { startGateways, type Gateways, type MeddledGateway } from '../support/gateway/gateways.ts';
import { createRawSockets } from '../support/gateway/rawSockets.ts';
import { channelsSentTo } from '../support/gateway/traffic.ts';
import { inState, nextEvent } from '../support/gateway/softphoneEvents.ts';
import { eventually } from '../support/time/waiting.ts';
import { Watcher } from '../support/gateway/watcher.ts';

const phone_number = '+15551230001';

describe('supervisors at several gateways', () => {
  const sockets = createRawSockets();
  let gateways: Gateways;
  let one: MeddledGateway;
  let two: MeddledGateway;
  let three: MeddledGateway;
  let company: TestCompany;
  let first: TestAgent;
  let second: TestAgent;
  let companies = 0;

  beforeAll(async () => {
    gateways = await startGateways(3);
    [one, two, three] = [gateways.at(0), gateways.at(1), gateways.at(2)];
  });
  beforeEach(async () => {
    companies += 1;
    company = await one.company({ slug: `watched-${companies}`, agents: 2, wrapUpSeconds: 0 });
    const [longest, other] = company.agents;
    if (longest === undefined || other === undefined) throw new Error('the company has two agents');
    [first, second] = [longest, other];
  });
  afterEach(() => {
    gateways.endMeddling();
    sockets.closeAll();
  });
  afterAll(() => gateways.close());

  const watch = (gateway: MeddledGateway, of = company) => Watcher.open(sockets, gateway.url, of.adminToken);

  /** Whether anything is sent to the company's supervisors meanwhile, at whichever gateway they would be. */
  const areTold = async (action: () => Promise<unknown>) =>
    (await channelsSentTo(gateways.redis, action)).some((channel) => channel.includes(`supervisors:${company.id}`));

  it('are shown all agents of the company, wherever their softphones are', async () => {
    await two.readySoftphone(first);
    await three.softphone(second).connect();
    for (const gateway of [one, two, three]) {
      const { snapshot } = await watch(gateway);
      const shown = Object.fromEntries((snapshot ?? []).map(({ agent_id, state }) => [agent_id, state]));
      expect(shown).toMatchObject({ [first.id]: 'ready', [second.id]: 'not_ready' });
    }
  });

  it('see each change once, in order by its version, from the log-in to the end of a call', async () => {
    const watchers = await Promise.all([one, two, three].map((gateway) => watch(gateway)));
    const softphone = await two.readySoftphone(first);
    const dialing = nextEvent(softphone, 'dial');
    const { body } = await one.click(company, { phone_number }).expect(201);
    await dialing;
    await softphone.reportProgress(body.call_id, 'ended');
    await inState(softphone, 'ready');
    await three.as(company).put(`/api/agents/${first.id}/state`).send({ state: 'not_ready' }).expect(200);
    await inState(softphone, 'not_ready');
    await softphone.signOut();
    for (const watcher of watchers) {
      await watcher.sees(first.id, ({ state }) => state === 'offline');
      const last = Math.max(...watcher.of(first.id).map(({ version }) => version));
      await eventually(() => watcher.of(first.id).length >= last);
      // Each gateway tells what it has changed; which of two gateways is heard first is left to the network.
      const seen = watcher.of(first.id).toSorted((one, other) => one.version - other.version);
      const expected = ['not_ready', 'ready', 'reserved', 'on_call', 'ready', 'not_ready', 'offline'];
      // Changes that leave the state as it is (the call is known to be recorded) come too.
      expect(seen.map(({ state }) => state).filter((state, at, all) => state !== all[at - 1])).toEqual(expected);
      expect(seen.map(({ version }) => version)).toEqual(seen.map((_, at) => at + 1));
    }
  });

  it('see the changes of many agents at once, none missing', async () => {
    const watchers = await Promise.all([one, three].map((gateway) => watch(gateway)));
    const [atTwo, atThree] = [await two.readySoftphone(first), await three.readySoftphone(second)];
    const changing = [atTwo, atThree].map(async (softphone) => {
      for (let round = 0; round < 5; round++) {
        await softphone.setNotReady('break');
        await softphone.setReady();
      }
    });
    await Promise.all(changing);
    for (const [agent, softphone] of [
      [first, atTwo],
      [second, atThree],
    ] as const) {
      const last = softphone.agent?.version ?? 0;
      for (const watcher of watchers) {
        await watcher.sees(agent.id, ({ version }) => version === last);
        const versions = watcher.of(agent.id).map(({ version }) => version);
        expect(versions).toEqual(Array.from({ length: last }, (_, at) => at + 1));
      }
    }
  });

  it('see nothing of another company', async () => {
    const other = await two.company({ slug: `others-${companies}`, agents: 1, wrapUpSeconds: 0 });
    const [stranger] = other.agents;
    if (stranger === undefined) throw new Error('the other company has one agent');
    const ours = await Promise.all([one, two].map((gateway) => watch(gateway)));
    const theirs = await watch(one, other);
    await two.readySoftphone(stranger);
    await theirs.sees(stranger.id, ({ state }) => state === 'ready');
    await two.readySoftphone(first);
    for (const watcher of ours) {
      await watcher.sees(first.id, ({ state }) => state === 'ready');
      expect(watcher.changes.every(({ agent_id }) => agent_id === first.id)).toBe(true);
      expect(watcher.snapshot?.some(({ agent_id }) => agent_id === stranger.id)).toBe(false);
    }
    expect(theirs.of(first.id)).toEqual([]);
  });

  it('miss no change that is made while they sign in', async () => {
    const softphone = await two.readySoftphone(first);
    let [rounds, isOver] = [0, false];
    const changing = (async () => {
      for (; !isOver; rounds += 1) {
        await softphone.setNotReady('break');
        await softphone.setReady();
      }
    })();
    const anotherRound = () => {
      const begun = rounds;
      return eventually(() => rounds > begun + 1);
    };
    const watchers: Watcher[] = [];
    try {
      for (const gateway of [one, two, three, one, two, three]) {
        await eventually(async () => !(await areTold(anotherRound)));
        const watcher = await watch(gateway);
        const begun = watcher.shownAt(first.id);
        await watcher.sees(first.id, ({ version }) => version > begun + 5);
        watcher.socket.disconnect();
        watchers.push(watcher);
      }
    } finally {
      isOver = true;
      await changing;
    }
    for (const watcher of watchers) {
      const begun = watcher.shownAt(first.id);
      const seen = watcher.of(first.id).filter(({ version }) => version > begun);
      expect(seen.map(({ version }) => version)).toEqual(seen.map((_, at) => begun + 1 + at));
    }
  });

  it('cost a gateway where nobody watches nothing', async () => {
    const channel = `*supervisors:${company.id}*`;
    const listening = () => gateways.redis.call('PUBSUB', 'SHARDCHANNELS', channel) as Promise<string[]>;
    expect(await listening()).toEqual([]);
    const softphone = await two.readySoftphone(first);
    const change = async () => {
      await softphone.setNotReady('break');
      await softphone.setReady();
    };
    // Redis says of the first message that nobody got it.
    await eventually(async () => !(await areTold(change)));
    const watcher = await watch(three);
    await eventually(() => areTold(change));
    await eventually(async () => (await listening()).length === 1);
    const [name] = await listening();
    expect(await gateways.redis.call('PUBSUB', 'SHARDNUMSUB', name ?? '')).toEqual([name, 1]);
    watcher.socket.disconnect();
    await eventually(async () => (await listening()).length === 0);
    await eventually(async () => !(await areTold(change)));
  });
});
