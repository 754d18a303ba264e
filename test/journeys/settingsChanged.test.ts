import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Softphone } from '../../src/client/softphone.ts';
import type { TestAgent, TestCompany } from '../support/gateway/gateway.ts';
import { startGateways, type Gateways, type MeddledGateway } from '../support/gateway/gateways.ts';
import { nextEvent } from '../support/gateway/softphoneEvents.ts';
import { eventually } from '../support/time/waiting.ts';
import { WatchedWallboard } from '../support/gateway/watchedWallboard.ts';
import { connectedSoftphone, patchAgent, pbx, putTelephony } from '../support/gateway/telephony.ts';

describe('softphones whose settings change', () => {
  let gateways: Gateways;
  let one: MeddledGateway;
  let two: MeddledGateway;
  let company: TestCompany;
  let others: TestCompany;
  /** At the gateway that the admin speaks to, and at the other one. */
  let here: Softphone;
  let there: Softphone;
  let hereAgent: TestAgent;
  let thereAgent: TestAgent;

  beforeAll(async () => {
    gateways = await startGateways(2);
    [one, two] = [gateways.at(0), gateways.at(1)];
    company = await one.company({ slug: 'changing', agents: 2 });
    others = await one.company({ slug: 'others' });
    const [first, second] = company.agents;
    if (first === undefined || second === undefined) throw new Error('the company has two agents');
    [hereAgent, thereAgent] = [first, second];
  });
  beforeEach(async () => {
    [here, there] = await Promise.all([connectedSoftphone(one, hereAgent), connectedSoftphone(two, thereAgent)]);
  });
  afterEach(() => gateways.endMeddling());
  afterAll(() => gateways.close());

  const told = () => Promise.all([here, there].map((softphone) => nextEvent(softphone, 'settingsChanged')));
  /** The company telephones through its PBX, and both softphones have heard of it. */
  async function useSip(): Promise<void> {
    for (const change of [{ mode: 'desk_phone' } as const, pbx]) {
      const telling = told();
      await putTelephony(one, company, change).expect(200);
      await telling;
    }
  }
  /** How often a softphone is told from now on. */
  function counted(softphone: Softphone): () => number {
    let times = 0;
    softphone.on('settingsChanged', () => (times += 1));
    return () => times;
  }

  it('hear of it wherever they are connected, and find the new ones at once', async () => {
    // Remembered by both gateways.
    await Promise.all([here.readSettings(), there.readSettings()]);
    const changes: [string, () => PromiseLike<unknown>, object][] = [
      [
        'the company’s own words',
        () =>
          one
            .as(company)
            .patch('/api/company')
            .send({ dispositions: [{ code: 'sold', label: 'Sold' }] })
            .expect(200),
        { dispositions: [{ code: 'sold', label: 'Sold' }] },
      ],
      [
        'the time for wrap-up',
        () => one.as(company).patch('/api/company').send({ wrap_up_seconds: 11 }).expect(200),
        { wrap_up_seconds: 11 },
      ],
      [
        'the country of its numbers',
        () => one.as(company).put('/api/integrations').send({ default_country: 'FR' }).expect(200),
        { default_country: 'FR' },
      ],
      [
        'its telephones',
        () => putTelephony(one, company, { mode: 'desk_phone' }).expect(200),
        { telephony: { mode: 'desk_phone' } },
      ],
      [
        'how its screen pops show their fields',
        () =>
          one
            .as(company)
            .put('/api/integrations/pop-layout')
            .send({ fields: [{ key: 'plan', pinned: true }] })
            .expect(200),
        { pop: { version: 1, fields: [{ key: 'plan', pinned: true }] } },
      ],
    ];
    for (const [what, change, found] of changes) {
      const telling = told();
      await change();
      await telling;
      for (const softphone of [here, there]) {
        expect({ what, ...(await softphone.readSettings()) }).toMatchObject({ what, ...found });
      }
    }
  });

  it('are told once, as are those who watch the company, wherever they do, and nobody else', async () => {
    const boss = await one.agent(company, 'boss', 'supervisor');
    const ofBoss = counted(await connectedSoftphone(one, boss));
    const watched = [
      [one, company],
      [two, company],
      [two, others],
    ] as const;
    const wallboards = await Promise.all(
      watched.map(([{ url }, { adminToken }]) => WatchedWallboard.open(url, adminToken)),
    );
    const times = wallboards.map(() => 0);
    wallboards.forEach(({ watcher }, index) => watcher.on('settingsChanged', () => (times[index]! += 1)));
    try {
      const telling = told();
      await one.as(company).patch('/api/company').send({ wrap_up_seconds: 12 }).expect(200);
      await telling;
      await putTelephony(one, others, { mode: 'desk_phone' }).expect(200);
      await eventually(() => times.every((count) => count > 0));
      expect([...times, ofBoss()]).toEqual([1, 1, 1, 1]);
    } finally {
      for (const { watcher } of wallboards) watcher.close();
    }
  });

  it('hear of nothing of another company, and of no change that they do not show', async () => {
    const times = counted(there);
    await one.as(company).patch('/api/company').send({ name: 'Renamed' }).expect(200);
    await putTelephony(one, others, { mode: 'desk_phone' }).expect(200);
    await putTelephony(one, company, { mode: 'sip' }).expect(400);
    const telling = nextEvent(there, 'settingsChanged');
    await putTelephony(one, company, pbx).expect(200);
    await telling;
    expect(times()).toBe(1);
  });

  it('hear of the SIP account of their own agent alone, wherever they are connected', async () => {
    await useSip();
    for (const [agent, softphone, other] of [
      [hereAgent, here, there],
      [thereAgent, there, here],
    ] as const) {
      const times = counted(other);
      for (const change of [{ sip_user: '1001', sip_secret: 'one' }, { sip_secret: 'two' }]) {
        const telling = nextEvent(softphone, 'settingsChanged');
        await patchAgent(one, company, agent, change).expect(200);
        await telling;
      }
      expect((await softphone.readSettings()).telephony).toMatchObject({ user: '1001', secret: 'two' });
      // What was told before the answer has arrived before it.
      await other.readSettings();
      expect(times()).toBe(0);
    }
  });

  it('show the agent’s new name to those who are called', async () => {
    await useSip();
    const learning = nextEvent(there, 'settingsChanged');
    await patchAgent(one, company, thereAgent, { sip_user: '1001', sip_secret: 'three' }).expect(200);
    await learning;
    const telling = nextEvent(there, 'settingsChanged');
    await patchAgent(one, company, thereAgent, { name: 'Ada Lovelace' }).expect(200);
    await telling;
    expect((await there.readSettings()).telephony).toMatchObject({ display_name: 'Ada Lovelace' });
  });
});
