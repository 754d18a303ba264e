import { parseArgs } from 'node:util';
import { commandLine, runCommand, wholeNumber } from './commandLine.ts';
import { startWebhookReceiver, type ReceivedWebhook } from './webhookReceiver.ts';

const usage = `npm run webhook:listen -- [--port 4000] [--secret whsec_…] [--status 204]

Prints every webhook that arrives at http://127.0.0.1:<port>/, one line each.
  --secret   the webhook secret as the gateway showed it: checks both signatures, refuses wrong ones with 401
  --status   what to answer, e.g. 500 to watch the gateway try again`;

runCommand(usage, async () => {
  const { values } = parseArgs({
    args: commandLine(),
    options: {
      port: { type: 'string', default: '4000' },
      secret: { type: 'string' },
      status: { type: 'string', default: '204' },
    },
  });
  const secret = values.secret ?? null;
  const receiver = await startWebhookReceiver({
    port: wholeNumber(values.port, 'port', 0, 65_535),
    status: wholeNumber(values.status, 'status', 200, 599),
    secret: () => secret,
    onWebhook: (webhook) => console.log(lineOf(webhook)),
    onOther: (what) => console.log(`${clock(new Date())}  ${what}`),
  });
  console.log(`Webhooks are welcome at ${receiver.url} (Ctrl-C to stop)`);
  if (secret === null) console.log('Signatures are not checked; give --secret whsec_… to check them.');
});

/** Time, event, sequence, phone, agent, signature, delivery, attempt. */
function lineOf({ at, body, deliveryId, attempt, signature }: ReceivedWebhook): string {
  const about =
    body.event === 'integration_test'
      ? ['', '', `by ${body.data.requested_by.agent_code}`]
      : [`#${String(body.data.sequence)}`, body.data.phone, body.data.agent.agent_code];
  const [sequence = '', phone = '', agent = ''] = about;
  return [
    clock(at),
    body.event.padEnd(17),
    sequence.padEnd(3),
    phone.padEnd(16),
    agent.padEnd(12),
    `signature ${signature}`,
    `delivery ${deliveryId}`,
    `attempt ${attempt}`,
  ].join('  ');
}

function clock(at: Date): string {
  return at.toISOString().slice(11, 23);
}
