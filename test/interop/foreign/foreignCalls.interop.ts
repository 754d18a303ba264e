import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toneFile } from '../../browser/calls/tones.ts';
import { useBrowser } from '../../support/browser/browser.ts';
import { startGateway, type Gateway, type TestCompany } from '../../support/gateway/gateway.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/webhooks/webhookReceiver.ts';
import { eventually } from '../../support/time/waiting.ts';
import { AgentAtWork } from '../agentAtWork.ts';
import { openWayOut } from '../networkOfItsOwn.ts';
import { startPbx, type Pbx } from '../pbx.ts';
import { agentIsSilent, handOn } from './agentOnTheLine.ts';
import { startBaresip } from './baresip.ts';
import { foreignCalls, type ForeignCall } from './foreignCalls.ts';
import { stands } from './foreignPhone.ts';
import { tones } from './heardSound.ts';
import { startLinphone } from './linphone.ts';
import { bothHear, called, consulted, dialed, joined, type Story } from './stories.ts';

let pbx: Pbx;
let webhooks: WebhookReceiver;
let gateway: Gateway;
let company: TestCompany;
let agents = 0;

beforeAll(async () => {
  await openWayOut();
  // Beside those of the other calls, where these have no network of their own.
  const voice = { first: 23_200, last: 23_399 };
  [pbx, webhooks, gateway] = await Promise.all([startPbx(voice), startWebhookReceiver(), startGateway('embedded')]);
  company = await gateway.company({ slug: 'foreign', webhookUrl: webhooks.url, wrapUpSeconds: 300 });
  await gateway
    .as(company)
    .put('/api/telephony')
    .send({ mode: 'sip', sip_wss_url: pbx.wssUrl, sip_domain: '127.0.0.1', ice_servers: [], no_answer_seconds: 60 })
    .expect(200);
  const told = ['cti_click_to_dial', 'call_started', 'call_answered', 'call_transferred', 'disposition'];
  await gateway.as(company).put('/api/integrations').send({ webhook_events: told }).expect(200);
});
afterAll(async () => {
  await gateway.close();
  await webhooks.close();
  await pbx.stop();
});

const browser = useBrowser({ flags: [`--use-file-for-fake-audio-capture=${toneFile(tones.agent)}`] });

type Outcome = { end_reason: string; ended_by: string | null; transferred_to?: string; webhooks: string[] };
/** baresip, or linphone where the customer's telephone has to know more. */
type Maker = typeof startBaresip;

const completed = (by: 'agent' | 'customer', how: 'called' | 'dialed'): Outcome => ({
  end_reason: 'completed',
  ended_by: by,
  webhooks: [...(how === 'dialed' ? ['cti_click_to_dial'] : []), 'call_started', 'call_answered', 'disposition'],
});
const transferred: Outcome = {
  end_reason: 'transferred',
  ended_by: 'agent',
  transferred_to: '2001',
  webhooks: ['cti_click_to_dial', 'call_started', 'call_answered', 'call_transferred', 'disposition'],
};

const plays: Record<ForeignCall, { customer: Maker; stories: Story[]; outcome: Outcome }> = {
  'of a customer at baresip has sound and keys, is held and fetched back, and is completed by the customer': {
    customer: startBaresip,
    stories: [
      called,
      async (agent, { customer }) => {
        await agent.press('Keypad');
        for (const key of '42') await agent.page.getByRole('button', { name: key, exact: true }).click();
        await eventually(() => customer.keysHeard() === '42');
        await agent.press('Hold');
        await agent.sees('call-state', 'On hold');
        await customer.sound.isSilentWhile(() => agentIsSilent(agent));
        await agent.press('Resume');
        await agent.sees('call-state', 'Connected');
        await bothHear(agent, customer);
        await customer.hangUp();
      },
    ],
    outcome: completed('customer', 'called'),
  },
  'of a customer at linphone who holds it says so on the page, and is heard both ways again': {
    customer: startLinphone,
    stories: [
      called,
      async (agent, { customer }) => {
        const held = agent.page.getByTestId('held-by-other');
        await customer.hold();
        await stands(customer, 'holds');
        await held.waitFor();
        await customer.sound.isSilentWhile(() => agentIsSilent(agent));
        await customer.resume();
        await stands(customer, 'talks');
        await held.waitFor({ state: 'hidden' });
        await bothHear(agent, customer);
        await agent.press('Hang up');
        await stands(customer);
      },
    ],
    outcome: completed('agent', 'called'),
  },
  'to a customer at baresip is handed on to a colleague at linphone, without the agent from then on': {
    customer: startBaresip,
    stories: [
      dialed,
      async (agent, { colleague }) => {
        await handOn(agent, colleague.user, 'Transfer now');
        await stands(colleague, 'rings');
        await colleague.answer();
      },
      joined,
    ],
    outcome: transferred,
  },
  // baresip knows nothing of Replaces (RFC 3891), as the one who calls nor as the one who is called: both are linphone.
  'to a customer at linphone is handed on after a talk with a colleague at linphone, without the agent from then on': {
    customer: startLinphone,
    stories: [dialed, consulted, (agent) => agent.press('Complete the transfer'), joined],
    outcome: transferred,
  },
  'to a customer at baresip is handed on after a talk, though baresip does not know how to take a place': {
    customer: startBaresip,
    stories: [
      dialed,
      consulted,
      async (agent, { colleague }) => {
        await agent.press('Complete the transfer');
        // It calls as if nobody had talked before: the colleague takes it like any second call.
        await stands(colleague, 'talks', 'rings');
        await colleague.answer();
      },
      joined,
    ],
    outcome: transferred,
  },
  'to a customer at baresip goes on after a talk with a colleague at linphone, and one of all three': {
    customer: startBaresip,
    stories: [
      dialed,
      consulted,
      async (agent, { customer, colleague }) => {
        await agent.press('Conference');
        await customer.sound.hears('agent', 'colleague');
        await colleague.sound.hears('agent', 'customer');
        await agent.press('Back to the customer');
        await stands(colleague);
        await bothHear(agent, customer);
        await agent.press('Hang up');
        await stands(customer);
      },
    ],
    outcome: completed('agent', 'dialed'),
  },
  'to a customer at baresip is the agent’s again when the colleague at linphone declines the talk': {
    customer: startBaresip,
    stories: [
      dialed,
      async (agent, { customer, colleague }) => {
        await handOn(agent, colleague.user, 'Call first');
        await stands(colleague, 'rings');
        await colleague.decline();
        await agent.page.getByText('You are with the customer again.').waitFor();
        await bothHear(agent, customer);
        await agent.press('Hang up');
        await stands(customer);
      },
    ],
    outcome: completed('agent', 'dialed'),
  },
  'to a customer at baresip is the agent’s again when the colleague to whom it is handed on declines': {
    customer: startBaresip,
    stories: [
      dialed,
      async (agent, { customer, colleague }) => {
        await handOn(agent, colleague.user, 'Transfer now');
        await stands(colleague, 'rings');
        await colleague.decline();
        await agent.page.getByText('The call is still yours.').waitFor();
        await stands(customer, 'talks');
        await bothHear(agent, customer);
        await agent.press('Hang up');
        await stands(customer);
      },
    ],
    outcome: completed('agent', 'dialed'),
  },
};

/** Plays a call at all its ends, and looks at what the gateway holds and has sent of it. */
async function play({ customer: makeCustomer, stories, outcome }: (typeof plays)[ForeignCall]): Promise<void> {
  const account = { secret: pbx.secret, sipPort: pbx.sipPort };
  const agent = await AgentAtWork.begin({ gateway, company, webhooks, browser, sipSecret: pbx.secret }, agents++);
  const customer = await makeCustomer({ ...account, user: '+15551230007' }, 'customer');
  const colleague = await startLinphone({ ...account, user: '2001' }, 'colleague').catch(async (error: unknown) => {
    await customer.stop();
    throw error;
  });
  try {
    for (const story of stories) await story(agent, { customer, colleague });
    const { webhooks: expected, ...end } = outcome;
    const { call, webhooks: sent } = await agent.wrapUp();
    expect(call).toMatchObject({ state: 'ended', ...end });
    expect(sent).toEqual(expected);
  } catch (error) {
    const said = `customer: ${customer.said()}\ncolleague: ${colleague.said()}\nPBX: ${pbx.said()}`;
    throw new Error(`the telephones said: ${said}`, { cause: error });
  } finally {
    await Promise.all([customer.stop(), colleague.stop()]);
  }
}

describe('a call', () => {
  it.for(foreignCalls)('%s', (call) => play(plays[call]));
});
