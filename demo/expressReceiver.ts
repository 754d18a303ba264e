import { parseArgs } from 'node:util';
import express, { type Express } from 'express';
import { verify, type Webhook } from '../src/webhooks/verify.ts'; // elsewhere: from '@readyline/webhooks'
import { commandLine, runCommand, webhookSecret, wholeNumber, wrongOption } from './commandLine.ts';

const usage = `npm run demo:receiver -- --secret whsec_… [--secret whsec_…] [--port 4001]

How a CRM receives webhooks with Express: at http://127.0.0.1:<port>/readyline, verified, each delivery once.
docs/integrating/webhooks.md explains it. Two secrets, while the webhook secret is rotated, are fine.`;

/** Takes webhooks that one of the secrets has signed. */
function createReceiver(secrets: readonly string[]): Express {
  const inbox = new Map<string, Webhook>(); // Yours: a table with the delivery id as primary key, kept for 30 days.
  const app = express();
  app.post('/readyline', express.raw({ type: 'application/json', limit: '2mb' }), (request, response) => {
    const verification = verify(request.body, request.headers, secrets);
    if (verification.kind === 'refused') {
      console.warn(`${verification.reason}: ${verification.detail}`);
      response.sendStatus(401);
      return;
    }
    const { deliveryId, webhook } = verification;
    const isNew = !inbox.has(deliveryId);
    if (isNew) inbox.set(deliveryId, webhook); // Yours: INSERT … ON CONFLICT DO NOTHING.
    response.sendStatus(204); // It is kept, so say so at once: what follows may take its time.
    if (isNew) work(webhook);
  });
  return app;
}

function work(webhook: Webhook): void {
  switch (webhook.event) {
    case 'cti_click_to_dial':
    case 'call_started':
    case 'call_answered': {
      const { call_id: callId, phone, caller } = webhook.data;
      console.log(`${webhook.event}: call ${callId} with ${phone ?? caller ?? 'a withheld number'}`);
      break;
    }
    case 'disposition':
      console.log(`disposition: ${webhook.data.label} after ${String(webhook.data.duration_seconds)} s`);
      break;
    case 'integration_test':
      console.log(`integration_test: asked for by ${webhook.data.requested_by.agent_code}`);
      break;
    case 'unknown': // From a Readyline that is newer than this receiver.
      console.log(`${webhook.event_name} is new`);
      break;
    default:
      console.log(webhook.event);
  }
}

runCommand(usage, async () => {
  const { values } = parseArgs({
    args: commandLine(),
    options: { secret: { type: 'string', multiple: true, default: [] }, port: { type: 'string', default: '4001' } },
  });
  if (values.secret.length === 0) throw wrongOption('--secret is missing.');
  const server = createReceiver(values.secret.map(webhookSecret)).listen(
    wholeNumber(values.port, 'port', 0, 65_535),
    '127.0.0.1',
  );
  await new Promise((resolve, reject) => server.once('listening', resolve).once('error', reject));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the receiver listens on a port');
  console.log(`Webhooks are welcome at http://127.0.0.1:${String(address.port)}/readyline (Ctrl-C to stop)`);
});
