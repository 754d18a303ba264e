import { parseArgs } from 'node:util';
import { baseUrl, commandLine, runCommand, webhookSecret, wholeNumber } from './commandLine.ts';
import { GatewayApi } from './gatewayApi.ts';
import { finishOnSignal } from './stopSignal.ts';
import { startWebhookReceiver, type ReceivedWebhook } from './webhookReceiver.ts';
import { borrowWebhooks } from './webhookTarget.ts';

const usage = `npm run webhook:listen -- [--port 4000] [--secret whsec_…] [--status 204] [--verbose]
                          [--url http://127.0.0.1:3000 --password … --email admin@demo.example]

Prints every webhook that arrives at http://127.0.0.1:<port>/, one line each, and why one is refused.
  --secret   the webhook secret as the gateway showed it: verifies each webhook, refuses others with 401;
             may be given several times, as while a secret is rotated
  --status   what to answer, e.g. 500 to watch the gateway try again
  --verbose  prints headers and body too
  --password an admin's: while it runs, the company's webhooks come here; at its end they go where they went before`;

runCommand(usage, async () => {
  const { values } = parseArgs({
    args: commandLine(),
    options: {
      port: { type: 'string', default: '4000' },
      secret: { type: 'string', multiple: true, default: [] },
      status: { type: 'string', default: '204' },
      verbose: { type: 'boolean', default: false },
      url: { type: 'string', default: 'http://127.0.0.1:3000' },
      email: { type: 'string', default: 'admin@demo.example' },
      password: { type: 'string' },
    },
  });
  const secrets = values.secret.map(webhookSecret);
  const api = new GatewayApi(baseUrl(values.url, 'url'));
  const receiver = await startWebhookReceiver({
    port: wholeNumber(values.port, 'port', 0, 65_535),
    status: wholeNumber(values.status, 'status', 200, 599),
    secrets: () => secrets,
    onWebhook: (webhook) => {
      console.log(lineOf(webhook));
      if (webhook.refusal !== null) console.log(`              ${webhook.refusal}`);
      if (values.verbose) console.log(`${detailsOf(webhook)}\n`);
    },
    onOther: (what) => console.log(`${clock(new Date())}  ${what}`),
  });
  if (values.password !== undefined) {
    const borrowed = await borrowWebhooks(api, { email: values.email, password: values.password }, receiver.url);
    if (borrowed.secret !== null) secrets.push(borrowed.secret);
    finishOnSignal(async () => {
      const url = await borrowed.giveBack();
      console.log(url === null ? 'The company has no webhook URL any more.' : `From now on webhooks go to ${url}`);
    });
  }
  console.log(`Webhooks are welcome at ${receiver.url} (Ctrl-C to stop)`);
  if (secrets.length === 0) console.log('Signatures are not checked; give --secret whsec_… to check them.');
});

/** Time, event, sequence, phone, agent, verdict, delivery, attempt. */
function lineOf({ at, body, deliveryId, attempt, signature }: ReceivedWebhook): string {
  const [event, sequence, phone, agent] = aboutOf(body);
  return [
    clock(at),
    event.padEnd(17),
    sequence.padEnd(3),
    phone.padEnd(16),
    agent.padEnd(12),
    signature === 'verified' || signature === 'not checked' ? signature : `refused (${signature})`,
    `delivery ${deliveryId}`,
    `attempt ${attempt}`,
  ]
    .join('  ')
    .replaceAll(/\p{Cc}/gu, '?');
}

/** Event, sequence, phone, agent. Who sends unsigned things may leave anything out of `data`. */
function aboutOf(body: ReceivedWebhook['body']): [string, string, string, string] {
  const { sequence, phone, caller, agent, requested_by }: Record<string, unknown> = body.data;
  const event = body.event === 'unknown' ? body.event_name : body.event;
  const requester = codeOf(requested_by);
  return [
    event,
    typeof sequence === 'number' ? `#${String(sequence)}` : '',
    textOf(phone) || textOf(caller),
    requester === '' ? codeOf(agent) : `by ${requester}`,
  ];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function codeOf(agent: unknown): string {
  return typeof agent === 'object' && agent !== null && 'agent_code' in agent ? String(agent.agent_code) : '';
}

/** Headers as they came, and the body in lines. */
function detailsOf({ headers, raw }: ReceivedWebhook): string {
  const lines = Object.entries(headers).map(([name, value]) => `  ${name}: ${String(value)}`);
  return [...lines, '', JSON.stringify(JSON.parse(raw), null, 2).replace(/^/gm, '  ')].join('\n');
}

function clock(at: Date): string {
  return at.toISOString().slice(11, 23);
}
