import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { gate, type Gate } from '../support/time/gate.ts';
import type { TestAgent, TestCompany } from '../support/gateway/gateway.ts';
import { startGateways, type Gateways, type MeddledGateway } from '../support/gateway/gateways.ts';
import { nextEvent } from '../support/gateway/softphoneEvents.ts';
import { eventually } from '../support/time/waiting.ts';

const phone_number = '+15551230001';

describe('a click under which the presence store loses all its data', () => {
  let gateways: Gateways;
  let one: MeddledGateway;
  let two: MeddledGateway;
  let company: TestCompany;
  let agent: TestAgent;
  let companies = 0;

  beforeAll(async () => {
    gateways = await startGateways(2);
    [one, two] = [gateways.at(0), gateways.at(1)];
  });
  beforeEach(async () => {
    companies += 1;
    company = await one.company({ slug: `loss-${companies}`, agents: 1, wrapUpSeconds: 0 });
    const [only] = company.agents;
    if (only === undefined) throw new Error('the company has one agent');
    agent = only;
  });
  afterEach(() => gateways.endMeddling());
  afterAll(() => gateways.close());

  const shut = (): Gate => {
    const closed = gate();
    closed.shut();
    return closed;
  };
  /** Where the click is held up at the gateway that it came to. */
  const before = (step: 'claim' | 'offer' | 'commit' | 'recordCall') => () => (one.meddling.gates[step] = shut());

  it.each([
    ['before it claims', before('claim')],
    ['between claim and offer', before('offer')],
    ['before the other gateway has looked at the claim', () => (two.meddling.gates.find = shut())],
    ['between acknowledgement and confirmation', before('commit')],
    ['between confirmation and record', before('recordCall')],
  ])('%s is dialed once or refused without a dial, and its agent is what it then should be', async (_, holdUp) => {
    const dials: string[] = [];
    const softphone = await two.readySoftphone(agent);
    softphone.on('dial', ({ call_id }) => dials.push(call_id));
    const held = holdUp();
    const clicking = one.click(company, { phone_number }).then((answer) => answer);
    await held.reached();
    await gateways.redis.flushdb();
    held.open();
    const { status, body } = await clicking;
    gateways.endMeddling();
    const present = () => gateways.presenceOf(company, agent);
    if (status === 201) {
      await eventually(() => dials.length > 0);
      expect(dials).toEqual([body.call_id]);
      expect(await present()).toMatchObject({ state: 'on_call', callId: body.call_id, connection: 'connected' });
      await softphone.reportProgress(body.call_id, 'ended');
    } else {
      expect(status).toBe(503);
      expect(dials).toEqual([]);
    }
    // An agent who could not be offered the click counts as reconnecting until the softphone is heard again.
    await eventually(async () => {
      const presence = await gateways.findPresence(company, agent);
      return presence?.connection === 'connected' && ['ready', 'not_ready'].includes(presence.state);
    });
    expect(await present()).toMatchObject({ callId: null, claimId: null });
    await softphone.setReady();
    expect(softphone.agent).toMatchObject({ state: 'ready', call_id: null });
    const dialing = nextEvent(softphone, 'dial');
    const again = await one.click(company, { phone_number }).expect(201);
    await dialing;
    expect(dials.filter((callId) => callId === again.body.call_id)).toHaveLength(1);
    expect(dials).toHaveLength(status === 201 ? 2 : 1);
  });
});
