import { parseArgs } from 'node:util';
import { integrationOverview, savedIntegration, type SavedIntegration } from '../src/contract/integrations.ts';
import { webhookEvents } from '../src/contract/vocabulary.ts';
import { baseUrl, commandLine, CommandError, required, runCommand } from './commandLine.ts';
import { GatewayApi, type Caller } from './gatewayApi.ts';
import { inspectorOf } from './webhookTarget.ts';

const usage = `npm run demo:connect -- --password … [--email admin@demo.example] [--url http://127.0.0.1:3000]
                        [--webhook http://…]

Connects a CRM of your own, as an admin would: sends the company's webhooks to --webhook, all of them, and prints a new
API key and webhook secret as a line to paste. A key and a secret from before end with that. Without --webhook they go
to the inspector of the page /demo, or, on a gateway that has none, to http://127.0.0.1:4000/, where
npm run webhook:listen is.`;

runCommand(usage, async () => {
  const { values } = parseArgs({
    args: commandLine(),
    options: {
      url: { type: 'string', default: 'http://127.0.0.1:3000' },
      email: { type: 'string', default: 'admin@demo.example' },
      password: { type: 'string' },
      webhook: { type: 'string' },
    },
  });
  const api = new GatewayApi(baseUrl(values.url, 'url'));
  if (values.webhook !== undefined) baseUrl(values.webhook, 'webhook');
  const { token } = await api.logIn({ email: values.email, password: required(values.password, 'password') });
  const webhook = values.webhook ?? (await inspectorOf(api)) ?? 'http://127.0.0.1:4000/';
  const { api_key: key, webhook_secret: secret } = await connect(api, { token }, webhook);
  if (key === undefined || secret === undefined)
    throw new CommandError('The gateway showed no key or no secret: is it an older one?');
  console.log(`Connected. Webhooks go to ${webhook}`);
  console.log('Paste this line into every terminal that you go on in; key and secret are shown this once:');
  console.log(`  KEY=${key} SECRET=${secret}`);
});

/**
 * The first `connect` of a company shows key and secret.
 * Later ones do not, as after the demo page connected it: then both are made anew.
 */
async function connect(api: GatewayApi, as: Caller, webhookUrl: string): Promise<SavedIntegration> {
  const path = '/api/integrations';
  const { integration } = await api.ask({ method: 'GET', path, answer: integrationOverview, as });
  const answer = savedIntegration;
  const body = { crm_provider: 'custom', webhook_url: webhookUrl };
  // The end of a call is told only to those who ask for it.
  const put = (changes: object) => api.ask({ method: 'PUT', path, answer, as, body: changes });
  await put({ webhook_events: [...webhookEvents] });
  if (integration.api_key_prefix === null && !integration.webhook_secret_set) {
    return api.ask({ method: 'POST', path: `${path}/connect`, answer, as, body });
  }
  // A secret that somebody else knows must not sign along.
  await put({ webhook_secret: null });
  return put({ ...body, webhook_secret: 'rotate', rotate_api_key: true });
}
