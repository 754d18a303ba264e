import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useBrowser } from '../support/browser/browser.ts';
import { startGateway, type Gateway, type TestCompany } from '../support/gateway/gateway.ts';
import { isolated } from '../../web/src/shared/phoneNumbers/direction.ts';
import { numberInSentence } from '../support/web/shownNumber.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhooks/webhookReceiver.ts';
import { AgentAtWork } from './agentAtWork.ts';
import { calls, needOwnNetwork, type InteropCall } from './calls.ts';
import { isInOwnNetwork, moveTo } from './networkOfItsOwn.ts';
import { startPbx, type Customer, type Pbx, type Peer } from './pbx.ts';

let pbx: Pbx;
let webhooks: WebhookReceiver;
let gateway: Gateway;
let company: TestCompany;
let agents = 0;

beforeAll(async () => {
  [pbx, webhooks, gateway] = await Promise.all([startPbx(), startWebhookReceiver(), startGateway('embedded')]);
  company = await gateway.company({ slug: 'interop', webhookUrl: webhooks.url, wrapUpSeconds: 300 });
  await gateway
    .as(company)
    .put('/api/telephony')
    // The least that a company may set, so that nobody waits long for nobody to answer.
    .send({ mode: 'sip', sip_wss_url: pbx.wssUrl, sip_domain: '127.0.0.1', ice_servers: [], no_answer_seconds: 5 })
    .expect(200);
});
afterAll(async () => {
  await gateway.close();
  await webhooks.close();
  await pbx.stop();
});

const browser = useBrowser();

/** What the gateway holds of a call at its end, and the webhooks that it has sent of it, in their order. */
type Outcome = {
  end_reason: string;
  ended_by: string | null;
  sip_code?: number | null;
  end_detail?: string | null;
  webhooks: string[];
};
type Deeds = (agent: AgentAtWork, customer: Customer) => Promise<void>;

const dialed = ['cti_click_to_dial', 'call_started', 'disposition'];
const dialedAndAnswered = ['cti_click_to_dial', 'call_started', 'call_answered', 'disposition'];
/** Of a call that nobody has answered, nobody is asked how it went. */
const called = ['call_started'];
const calledAndAnswered = ['call_started', 'call_answered', 'disposition'];

/** The agent is told to dial by a click in the CRM. */
const dials = (peer: Peer, deeds: Deeds, outcome: Outcome) => () =>
  play(
    async (agent) => {
      const customer = await pbx.customer(peer);
      await agent.dialByClick();
      return customer;
    },
    deeds,
    outcome,
  );

/** The customer calls the agent. */
const rings = (peer: Peer, deeds: Deeds, outcome: Outcome) => () =>
  play((agent) => pbx.call(peer, agent.sipUser, '+15551230002'), deeds, outcome);

const moves = dials(
  'answersAgain',
  async (agent) => {
    await agent.sees('call-state', 'Connected');
    await agent.hasSound();
    await agent.speaksFrom('10.9.0.1');
    await moveTo(2);
    await agent.sees('voice-trouble', 'Reconnecting audio');
    await agent.hasSoundAgain();
    await agent.speaksFrom('10.9.0.2');
    await agent.press('Hang up');
  },
  { end_reason: 'completed', ended_by: 'agent', end_detail: null, webhooks: dialedAndAnswered },
);

const plays: Record<InteropCall, () => Promise<void>> = {
  'to a customer who answers has sound both ways, and is completed by the agent': dials(
    'answers',
    async (agent) => {
      await agent.sees('call-state', 'Connected');
      await agent.hasSound();
      await agent.press('Hang up');
    },
    { end_reason: 'completed', ended_by: 'agent', webhooks: dialedAndAnswered },
  ),
  'whose voice is dropped on its way says so and has sound again by another way': dials(
    'answersAgain',
    async (agent) => {
      await agent.sees('call-state', 'Connected');
      await agent.hasSound();
      const before = await agent.way();
      const goOn = await pbx.dropVoice();
      await agent.sees('voice-trouble', 'Reconnecting audio');
      await agent.agreesOnAnotherWay(before);
      await goOn();
      await agent.hasSoundAgain();
      await agent.press('Hang up');
    },
    { end_reason: 'completed', ended_by: 'agent', end_detail: null, webhooks: dialedAndAnswered },
  ),
  'whose customer vanishes tells the agent that nothing is heard': dials(
    'answers',
    async (agent, customer) => {
      await agent.sees('call-state', 'Connected');
      await agent.hasSound();
      await customer.vanish();
      await agent.sees('voice-trouble', /No audio from the customer for \d+ s/);
      await agent.press('Hang up');
    },
    { end_reason: 'completed', ended_by: 'agent', end_detail: 'voice_lost', webhooks: dialedAndAnswered },
  ),
  'whose agent moves to another address has sound again': async () => {
    // Chromium ends what it is loading once it notices that addresses have changed, up to seconds later.
    browser.allowTrouble(/ERR_NETWORK_CHANGED|Failed to fetch dynamically imported module/);
    await moveTo(1);
    const goOn = await pbx.keepOffLoopback();
    try {
      await moves();
    } finally {
      await goOn();
    }
  },
  'whose media relay dies has sound again by the one after it': dials(
    'answersAgain',
    async (agent) => {
      await agent.sees('call-state', 'Connected');
      await agent.hasSound();
      await pbx.killRelay();
      await agent.sees('voice-trouble', 'Reconnecting audio');
      await agent.hasSoundAgain();
      await agent.press('Hang up');
    },
    { end_reason: 'completed', ended_by: 'agent', end_detail: null, webhooks: dialedAndAnswered },
  ),
  'to a carrier without a free line ends as it was told': dials('unavailable', async () => undefined, {
    end_reason: 'failed',
    ended_by: null,
    sip_code: 503,
    end_detail: 'service_unavailable',
    webhooks: dialed,
  }),
  'that is put on hold and fetched back is held and connected again': dials(
    'isHeld',
    async (agent) => {
      await agent.sees('call-state', 'Connected');
      await agent.press('Hold');
      await agent.sees('call-state', 'On hold');
      await agent.press('Resume');
      await agent.sees('call-state', 'Connected');
      await agent.hasSound();
      await agent.press('Hang up');
    },
    { end_reason: 'completed', ended_by: 'agent', webhooks: dialedAndAnswered },
  ),
  'to a customer who hangs up is completed by the customer': dials(
    'hangsUp',
    (agent) => agent.sees('call-state', 'Connected'),
    { end_reason: 'completed', ended_by: 'customer', webhooks: dialedAndAnswered },
  ),
  'to a customer who talks already ends busy': dials('busy', async () => undefined, {
    end_reason: 'busy',
    ended_by: 'customer',
    sip_code: 486,
    webhooks: dialed,
  }),
  'to a customer who declines ends rejected': dials('declines', async () => undefined, {
    end_reason: 'rejected',
    ended_by: 'customer',
    sip_code: 603,
    webhooks: dialed,
  }),
  'to a number that does not exist ends failed': dials('unknown', async () => undefined, {
    end_reason: 'failed',
    ended_by: null,
    sip_code: 404,
    webhooks: dialed,
  }),
  'to a customer who does not answer in time ends without an answer': dials(
    'rings',
    (agent) => agent.sees('call-state', 'Ringing'),
    { end_reason: 'no_answer', ended_by: 'customer', webhooks: dialed },
  ),
  'to a customer who lets it ring too long is given up by the agent': dials(
    'rings',
    async (agent) => {
      await agent.sees('call-state', 'Ringing');
      await agent.press('Hang up');
    },
    { end_reason: 'canceled', ended_by: 'agent', webhooks: dialed },
  ),
  'that the customer puts on hold, and fetches back by an UPDATE, says so on the page': dials(
    'holds',
    async (agent) => {
      const held = agent.page.getByTestId('held-by-other');
      await held.waitFor();
      await held.waitFor({ state: 'hidden' });
      await agent.sees('call-state', 'Connected');
      await agent.hasSound();
      await agent.press('Hang up');
    },
    { end_reason: 'completed', ended_by: 'agent', webhooks: dialedAndAnswered },
  ),
  'that the customer refers to somebody else goes on with them as the same call': dials(
    'transfers',
    async (agent) => {
      await agent.page.getByText(`you are connected with ${numberInSentence('+15551230003')}`).waitFor();
      await agent.sees('call-state', 'Connected');
      await agent.hasSound();
      await agent.press('Hang up');
    },
    { end_reason: 'completed', ended_by: 'agent', webhooks: dialedAndAnswered },
  ),
  'whose place another telephone takes goes on there as the same call': dials(
    'answers',
    async (agent) => {
      await agent.sees('call-state', 'Connected');
      await agent.hasSound();
      const { callId, localTag, remoteTag } = await agent.sipDialog();
      const replaces = `${callId};to-tag=${localTag};from-tag=${remoteTag}`;
      const other = await pbx.call('takesPlace', agent.sipUser, '+15551230003', { replaces });
      await agent.page.getByText(`you are connected with ${isolated('Grace Hopper')}`).waitFor();
      await agent.sees('call-state', 'Connected');
      await agent.hasSound();
      await agent.press('Hang up');
      await other.done();
    },
    { end_reason: 'completed', ended_by: 'agent', webhooks: dialedAndAnswered },
  ),
  'that a page fetches in vain after a reload is over for the customer, who is not called again': dials(
    'handsNoneOver',
    async (agent) => {
      await agent.sees('call-state', 'Connected');
      await agent.hasSound();
      await agent.reload();
    },
    { end_reason: 'failed', ended_by: null, webhooks: dialedAndAnswered },
  ),
  'of a customer is answered on the page, has sound both ways, and is completed by the agent': rings(
    'calls',
    async (agent) => {
      await agent.press('Answer');
      await agent.sees('call-state', 'Connected');
      await agent.hasSound();
      await agent.press('Hang up');
    },
    { end_reason: 'completed', ended_by: 'agent', webhooks: calledAndAnswered },
  ),
  'of a customer who hangs up is completed by the customer': rings('callsBriefly', (agent) => agent.press('Answer'), {
    end_reason: 'completed',
    ended_by: 'customer',
    webhooks: calledAndAnswered,
  }),
  'of a customer who gives up before it is answered ends canceled': rings(
    'givesUp',
    (agent) => agent.page.getByRole('button', { name: 'Answer' }).waitFor(),
    { end_reason: 'canceled', ended_by: 'customer', webhooks: called },
  ),
  'of a customer whom the agent declines ends rejected': rings('isDeclined', (agent) => agent.press('Decline'), {
    end_reason: 'rejected',
    ended_by: 'agent',
    webhooks: called,
  }),
};

/** Plays both ends of a call and looks at what has become of it everywhere: SIP, page, gateway, webhooks. */
async function play(
  begin: (agent: AgentAtWork) => Promise<Customer>,
  deeds: Deeds,
  { webhooks: expected, ...end }: Outcome,
): Promise<void> {
  const agent = await AgentAtWork.begin({ gateway, company, webhooks, browser, sipSecret: pbx.secret }, agents++);
  const customer = await begin(agent);
  try {
    await deeds(agent, customer);
  } catch (error) {
    // Else it would take the next test's call.
    await customer.vanish();
    throw new Error(`the PBX said: ${pbx.said()}`, { cause: error });
  }
  await customer.done();
  const isAsked = expected.includes('disposition');
  const { call, webhooks: sent } = await (isAsked ? agent.wrapUp() : agent.isNotAsked());
  const disposition = isAsked ? { code: 'follow_up', notes: 'by way of the PBX' } : null;
  expect(call).toMatchObject({ state: 'ended', ...end, disposition });
  expect(sent).toEqual(expected);
}

describe('a call', () => {
  it.for(calls)('%s', (call, { skip }) => {
    skip(needOwnNetwork.includes(call) && !isInOwnNetwork(), 'this is the network of the machine itself');
    return plays[call]();
  });
});
