import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { startGateway, type Gateway, type TestCompany } from '../support/gateway.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhookReceiver.ts';
import { AgentAtWork } from './agentAtWork.ts';
import { calls, type InteropCall } from './calls.ts';
import { startPbx, type Pbx, type Peer } from './pbx.ts';

let pbx: Pbx;
let webhooks: WebhookReceiver;
let gateway: Gateway;
let company: TestCompany;
let agents = 0;

beforeAll(async () => {
  [pbx, webhooks, gateway] = await Promise.all([startPbx(), startWebhookReceiver(), startGateway('embedded')]);
  company = await gateway.company({ slug: 'interop', webhookUrl: webhooks.url, wrapUpSeconds: 300 });
  await gateway.api
    .put('/api/telephony')
    .set('authorization', `Bearer ${company.adminToken}`)
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
type Outcome = { end_reason: string; ended_by: string | null; sip_code?: number | null; webhooks: string[] };
type Deeds = (agent: AgentAtWork) => Promise<void>;

const dialed = ['cti_click_to_dial', 'call_started', 'disposition'];
const dialedAndAnswered = ['cti_click_to_dial', 'call_started', 'call_answered', 'disposition'];
const called = ['call_started', 'disposition'];
const calledAndAnswered = ['call_started', 'call_answered', 'disposition'];

/** The agent is told to dial by a click in the CRM. */
const dials = (peer: Peer, deeds: Deeds, outcome: Outcome) => () =>
  play(async (agent) => {
    const customer = await pbx.customer(peer);
    await agent.dialByClick();
    return customer;
  }, deeds, outcome);

/** The customer calls the agent. */
const rings = (peer: Peer, deeds: Deeds, outcome: Outcome) => () =>
  play((agent) => pbx.call(peer, agent.sipUser, '+15551230002'), deeds, outcome);

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
  'that is put on hold and fetched back is held and connected again': dials(
    'isHeld',
    async (agent) => {
      await agent.sees('call-state', 'Connected');
      await agent.press('Hold');
      await agent.sees('call-state', 'On hold');
      await agent.press('Hold');
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
  'to a customer who talks already ends busy': dials(
    'busy',
    async () => undefined,
    { end_reason: 'busy', ended_by: 'customer', sip_code: 486, webhooks: dialed },
  ),
  'to a customer who declines ends rejected': dials(
    'declines',
    async () => undefined,
    { end_reason: 'rejected', ended_by: 'customer', sip_code: 603, webhooks: dialed },
  ),
  'to a number that does not exist ends failed': dials(
    'unknown',
    async () => undefined,
    { end_reason: 'failed', ended_by: null, sip_code: 404, webhooks: dialed },
  ),
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
  'of a customer who hangs up is completed by the customer': rings(
    'callsBriefly',
    (agent) => agent.press('Answer'),
    { end_reason: 'completed', ended_by: 'customer', webhooks: calledAndAnswered },
  ),
  'of a customer who gives up before it is answered ends canceled': rings(
    'givesUp',
    (agent) => agent.page.getByRole('button', { name: 'Answer' }).waitFor(),
    { end_reason: 'canceled', ended_by: 'customer', webhooks: called },
  ),
  'of a customer whom the agent declines ends rejected': rings(
    'isDeclined',
    (agent) => agent.press('Decline'),
    { end_reason: 'rejected', ended_by: 'agent', webhooks: called },
  ),
};

/** Plays both ends of a call and looks at what has become of it everywhere: SIP, page, gateway, webhooks. */
async function play(
  begin: (agent: AgentAtWork) => Promise<{ done: () => Promise<void> }>,
  deeds: Deeds,
  { webhooks: expected, ...end }: Outcome,
): Promise<void> {
  const agent = await AgentAtWork.begin({ gateway, company, webhooks, browser, sipSecret: pbx.secret }, agents++);
  const customer = await begin(agent);
  try {
    await deeds(agent);
  } catch (error) {
    throw new Error(`the PBX said: ${pbx.said()}`, { cause: error });
  }
  await customer.done();
  const { call, webhooks: sent } = await agent.wrapUp();
  expect(call).toMatchObject({ state: 'ended', ...end, disposition: { code: 'follow_up', notes: 'by way of the PBX' } });
  expect(sent).toEqual(expected);
}

describe('a call', () => {
  it.each(calls)('%s', (call) => plays[call]());
});
