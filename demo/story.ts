import { parseArgs } from 'node:util';
import { healthAnswer } from '../src/contract/platform.ts';
import type { InboundPush } from '../src/contract/screenPops.ts';
import { baseUrl, commandLine, CommandError, required, runCommand, wholeNumber } from './commandLine.ts';
import { makeCustomers } from './customers.ts';
import { GatewayApi, type Caller } from './gatewayApi.ts';
import { createStoryAgent, dismissAgent, openSoftphone } from './story/agent.ts';
import { playClick, playRing } from './story/calls.ts';
import { createCleanUp, type CleanUp } from './story/cleanUp.ts';
import { pushStoryCustomers } from './story/customers.ts';
import { connectStory, restoreWebhook, testStoryWebhook } from './story/integration.ts';
import { startTimeline, type Timeline } from './story/timeline.ts';
import { receiveWebhooks, type StoryWebhooks } from './story/webhooks.ts';
import { inspectorOf } from './webhookTarget.ts';

const usage = `npm run demo:story -- --email admin@demo.example --password … [--url http://127.0.0.1:3000]
                      [--company demo] [--customers 10000] [--yes]

Plays the main job against a running gateway and prints when each step happened: a CRM pushes customers, a click
pops one on a Ready agent's softphone and dials, the call is talked and wrapped up, another one rings in, and each
step arrives at a webhook, signed. Ends with code 0 only if all of it happened.

It needs an admin. It creates an agent of its own and deactivates it at the end. While it plays, the company's webhooks
come to it, signed with a new secret; for a day the former one signs along, and a key that there is stays. Where
webhooks go elsewhere and others than this machine reach the gateway, --yes allows that. The customers stay.`;

type Story = { api: GatewayApi; admin: Caller; company: string; customers: InboundPush[]; mayReplace: boolean };

runCommand(usage, async () => {
  const { values } = parseArgs({
    args: commandLine(),
    options: {
      url: { type: 'string', default: 'http://127.0.0.1:3000' },
      email: { type: 'string' },
      password: { type: 'string' },
      company: { type: 'string' },
      customers: { type: 'string', default: '10000' },
      yes: { type: 'boolean', default: false },
    },
  });
  const api = new GatewayApi(baseUrl(values.url, 'url'));
  const login = {
    email: required(values.email, 'email'),
    password: required(values.password, 'password'),
    ...(values.company === undefined ? {} : { company_slug: values.company }),
  };
  const customers = makeCustomers(wholeNumber(values.customers, 'customers', 2, 1_000_000));
  const timeline = startTimeline();
  const health = await api.ask({ method: 'GET', path: '/api/health', answer: healthAnswer });
  timeline.step(`the gateway is well (version ${health.version}, ${health.mode})`);
  const { token, agent } = await api.logIn(login);
  if (agent.role !== 'admin') throw new CommandError(`The story needs an admin; ${agent.agent_code} is ${agent.role}.`);
  timeline.step(`${agent.name} of ${agent.company_slug} is logged in`);

  const webhooks = await receiveWebhooks(timeline);
  const cleanUp = createCleanUp();
  cleanUp.add(() => webhooks.close());
  try {
    const mayReplace = values.yes || (await inspectorOf(api)) !== null;
    const story = { api, admin: { token }, company: agent.company_slug, customers, mayReplace };
    await tell(story, webhooks, timeline, cleanUp);
  } finally {
    await cleanUp.run();
  }
  const { steps, ms } = timeline.summary();
  console.log(
    `\nEverything happened: ${String(steps)} steps in ${String(ms)} ms, ` +
      `${String(customers.length)} customers pushed, ` +
      `2 calls, ${String(webhooks.verified())} webhooks, each of them verified.`,
  );
});

/** From connecting the CRM to the last webhook; notes at once what must be put back. */
async function tell(story: Story, webhooks: StoryWebhooks, timeline: Timeline, cleanUp: CleanUp): Promise<void> {
  const { api, admin, company, customers, mayReplace } = story;
  const [clicked, caller] = [customers.at(0), customers.at(-1)];
  if (clicked === undefined || caller === undefined) throw new Error('a story has at least two customers');

  const { crm, secret, before } = await connectStory(api, admin, webhooks.url, { mayReplace, timeline });
  cleanUp.add(async () => {
    await restoreWebhook(api, admin, before);
    timeline.step(`the webhook_url is ${before.webhook_url ?? 'unset'} again`);
  });
  webhooks.useSecret(secret);
  await testStoryWebhook(api, admin);
  await webhooks.expect(['integration_test'], null);
  timeline.step('the test webhook has arrived, signed');

  await pushStoryCustomers(api, crm, customers, timeline);
  const account = await createStoryAgent(api, admin);
  cleanUp.add(async () => {
    await dismissAgent(api, admin, account.view);
    timeline.step('the agent account is deactivated');
  });
  const softphone = await openSoftphone(api, account, company, timeline);
  cleanUp.add(() => softphone.close());
  const agent = { account: account.view, softphone };
  const outbound = await playClick(api, crm, agent, clicked, timeline);
  const inbound = await playRing(agent, caller, timeline);
  await webhooks.expect(['cti_click_to_dial', 'call_started', 'call_answered', 'call_ended', 'disposition'], outbound);
  await webhooks.expect(['call_started', 'call_answered', 'call_ended', 'disposition'], inbound);
  timeline.step('all webhooks of both calls have arrived, in order and signed');
  await softphone.signOut();
  timeline.step('the agent is signed out');
}
