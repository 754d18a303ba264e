import { afterAll, beforeAll, expect, it } from 'vitest';
import { startGateways, type Gateways } from '../support/gateway/gateways.ts';
import { inState, nextEvent } from '../support/gateway/softphoneEvents.ts';
import { trafficOf, type Traffic } from '../support/gateway/traffic.ts';
import { createManualClock } from '../support/time/manualClock.ts';
import { eventually } from '../support/time/waiting.ts';
import { deliveryIdOf, WebhookRoom } from '../support/webhooks/webhookRoom.ts';

let gateways: Gateways;
// It stands still: nothing is done but for the call.
const clock = createManualClock(Date.now());
beforeAll(async () => void (gateways = await startGateways(2, { clock })));
afterAll(() => gateways.close());

/**
 * Each step of the second call that a click begins at a gateway, of an agent who is connected to the first one.
 * The first call finds less in memory.
 */
async function stepsOfACall(at: number): Promise<Record<string, Traffic>> {
  const [first, clicked] = [gateways.at(0), gateways.at(at)];
  const company = await first.company({ slug: `costs-${String(at)}`, agents: 1, wrapUpSeconds: 3_600 });
  const softphone = await first.readySoftphone(company.agents[0]!);
  const taken: Record<string, Traffic> = {};
  let callId = '';
  const steps = {
    click: async () => {
      const dialing = nextEvent(softphone, 'dial');
      callId = (await clicked.click(company, { phone_number: '+15551230001', screen_pop: { name: 'Ada' } }).expect(201))
        .body.call_id;
      await dialing;
      await inState(softphone, 'on_call');
    },
    ringing: () => softphone.reportProgress(callId, 'ringing'),
    connected: () => softphone.reportProgress(callId, 'connected'),
    ended: () => softphone.reportProgress(callId, 'ended').then(() => inState(softphone, 'wrap_up')),
    'wrapped up': () =>
      softphone.submitDisposition(callId, { code: 'resolved' }).then(() => inState(softphone, 'ready')),
  };
  for (const isCounted of [false, true]) {
    for (const [name, step] of Object.entries(steps)) {
      const traffic = await trafficOf(gateways.redis, step);
      if (isCounted) taken[name] = traffic;
    }
  }
  return taken;
}

const same = {
  click: {
    statements: ['find_screen_pop', 'create_call_2_events'],
    // To claim the agent, to see that the claim holds where it is shown, to confirm it.
    commands: ['claim', 'hgetall', 'commit', 'zadd'],
    scripted: 16,
    frames: ['agent_state_changed', 'crm_screen_pop', 'click_to_dial', 'agent_state_changed', 'call_state_changed'],
  },
  // Each report is seen to be of the agent's present softphone, and changes the call as it was written last.
  ringing: { statements: ['commit_call'], commands: ['hgetall'], scripted: 0, frames: ['call_state_changed', 'ack'] },
  connected: {
    statements: ['commit_call_1_events'],
    commands: ['hgetall'],
    scripted: 0,
    frames: ['call_state_changed', 'ack'],
  },
  ended: {
    statements: ['commit_call_log'],
    commands: ['hgetall', 'commit', 'zadd'],
    scripted: 9,
    frames: ['call_state_changed', 'agent_state_changed', 'ack'],
  },
  // Here the call is looked up: what its agent has noted meanwhile counts.
  'wrapped up': {
    statements: ['find_call', 'commit_call_1_events_log'],
    commands: ['hgetall', 'commit', 'zadd'],
    scripted: 9,
    frames: ['call_state_changed', 'agent_state_changed', 'ack'],
  },
};

// Counts do not depend on the machine; docs/performance.md tells what they were.
it.each([
  { at: 0, where: 'the gateway of its agent', takes: same },
  // The softphone's gateway has not written the call before, and looks it up once;
  // who of two gateways has the softphone is looked up for each message.
  {
    at: 1,
    where: 'another gateway',
    takes: {
      ...same,
      click: { ...same.click, commands: ['claim', 'hgetall', 'commit', 'zadd', 'hgetall'] },
      ringing: { ...same.ringing, statements: ['find_call', 'commit_call'] },
    },
  },
])(
  'a call that is clicked at $where takes these statements, commands and frames, and no more',
  async ({ at, takes }) => {
    const steps = await stepsOfACall(at);
    const counted = Object.entries(steps).map(
      ([name, { statements, commands, scripted, frames }]) =>
        [name, { statements, commands, scripted: scripted.length, frames }] as const,
    );
    expect(Object.fromEntries(counted)).toEqual(takes);
  },
);

it('a look-up takes one statement, and asks Redis for nothing', async () => {
  const gateway = gateways.at(0);
  const { key } = await gateway.company({ slug: 'looked-up', agents: 1 });
  const lookUp = () =>
    gateway.api.get('/api/integrations/lookup?phone=%2B15551230001').set('X-Service-Api-Key', key).expect(404);
  // Word of the new company, whose keys are looked up anew behind it, may still be on its way.
  await eventually(async () => (await trafficOf(gateways.redis, lookUp)).statements.length === 1);
  expect(await trafficOf(gateways.redis, lookUp)).toEqual({
    statements: ['find_screen_pop'],
    commands: [],
    scripted: [],
    frames: [],
  });
});

it('a webhook takes three statements beside its call: who serves its endpoint, what is due there, and how it went', async () => {
  const room = await WebhookRoom.open(gateways.at(0), clock, 'delivered');
  const deliver = async () => {
    const [webhook] = await room.arrived(await room.call());
    await room.settled(deliveryIdOf(webhook), 1);
  };
  // The first one finds less in memory.
  await deliver();
  const { statements, commands } = await trafficOf(gateways.redis, deliver);
  const ofCall = ['commit_call_log', 'create_call_1_events', 'find_screen_pop'];
  const ofWebhook = ['lease_endpoints', 'read_due_deliveries', 'settle_deliveries'];
  // But for those by which the test sees that it is settled.
  const counted = statements.filter((statement) => !statement.startsWith('SELECT'));
  expect(counted.toSorted()).toEqual([...ofCall, ...ofWebhook].toSorted());
  expect(commands, 'all of them the call’s').toEqual(['hgetall', 'commit', 'zadd', 'hgetall', 'commit', 'zadd']);
  await room.close();
});
