import {
  integrationOverview,
  savedIntegration,
  testWebhookAnswer,
  type IntegrationView,
  type SavedIntegration,
} from '../../src/contract/integrations.ts';
import { defaultWebhookEvents, webhookEvents } from '../../src/contract/vocabulary.ts';
import { CommandError } from '../commandLine.ts';
import { RefusedRequest, type Caller, type GatewayApi } from '../gatewayApi.ts';
import { must, type Timeline } from './timeline.ts';

/** Whom the story's CRM is to the gateway, and what its webhooks are signed with. */
export type StoryIntegration = { crm: Caller; secret: string; before: IntegrationView };

const path = '/api/integrations';

/**
 * Points the company's webhooks at the story's own receiver and gets a key. A key that the company has
 * already stays: the story's CRM then comes with the admin's token. Where its webhooks go elsewhere, they are
 * taken only with `mayReplace`.
 */
export async function connectStory(
  api: GatewayApi,
  admin: Caller,
  webhookUrl: string,
  { mayReplace, timeline }: { mayReplace: boolean; timeline: Timeline },
): Promise<StoryIntegration> {
  const { integration: before } = await api.ask({ method: 'GET', path, answer: integrationOverview, as: admin });
  if (before.webhook_url !== null && !mayReplace) throw new CommandError(whatIsReplaced(before.webhook_url));
  const key = before.api_key_prefix === null ? (await connect(api, admin, webhookUrl)).api_key : null;
  const { webhook_secret: secret } = await replace(api, admin, webhookUrl);
  must(key !== undefined && secret !== undefined, 'the webhook secret and a first key were shown');
  // All that can be sent: the end of a call is told only to those who ask for it.
  await api.ask({
    method: 'PUT',
    path,
    answer: savedIntegration,
    as: admin,
    body: { webhook_events: [...webhookEvents] },
  });
  timeline.step(
    key === null
      ? 'webhooks come here, with a new secret; the key that there is stays'
      : 'a CRM is connected: key and webhook secret are shown once',
  );
  return { crm: key === null ? admin : { key }, secret, before };
}

/** Sends the test event. */
export async function testStoryWebhook(api: GatewayApi, admin: Caller): Promise<void> {
  const tested = await api.ask({ method: 'POST', path: `${path}/test-webhook`, answer: testWebhookAnswer, as: admin });
  if (tested.outcome === 'success') return;
  const why = tested.detail ?? 'no reason was given';
  throw new CommandError(
    `The gateway's test webhook did not reach this machine (${why}) The story must run where the gateway runs.`,
  );
}

/** Puts back what can be put back: the webhook URL, and which events go there. */
export async function restoreWebhook(api: GatewayApi, admin: Caller, before: IntegrationView): Promise<void> {
  const { webhook_url, webhook_events: events } = before;
  // The usual ones stay those that are not chosen: whoever asks for all of them later is not held to a list.
  const usual = new Set<string>(defaultWebhookEvents);
  const areUsual = events.length === usual.size && events.every((event) => usual.has(event));
  const body = { webhook_url, webhook_events: areUsual ? null : events };
  await api.ask({ method: 'PUT', path, answer: savedIntegration, as: admin, body });
}

function connect(api: GatewayApi, admin: Caller, webhookUrl: string): Promise<SavedIntegration> {
  const body = { crm_provider: 'custom', cti_connector: 'none', webhook_url: webhookUrl };
  return explained(api.ask({ method: 'POST', path: `${path}/connect`, answer: savedIntegration, as: admin, body }));
}

function replace(api: GatewayApi, admin: Caller, webhookUrl: string): Promise<SavedIntegration> {
  const body = { webhook_url: webhookUrl, webhook_secret: 'rotate' };
  return explained(api.ask({ method: 'PUT', path, answer: savedIntegration, as: admin, body }));
}

async function explained(saving: Promise<SavedIntegration>): Promise<SavedIntegration> {
  try {
    return await saving;
  } catch (error) {
    const faults = error instanceof RefusedRequest ? (error.problem.errors ?? []) : [];
    const refusedUrl = faults.find((fault) => fault.path === 'webhook_url');
    if (refusedUrl === undefined) throw error;
    throw new CommandError(
      `This gateway sends no webhooks to its own machine: ${refusedUrl.message}\n` +
        'Start it so: WEBHOOK_ALLOW_PRIVATE_NETWORKS=loopback npm start',
    );
  }
}

function whatIsReplaced(url: string): string {
  return [
    `The company's webhooks go to ${url}.`,
    'The story has them come to itself while it plays, signed with a new secret; for a day the former one signs along.',
    'At its end it puts the webhook_url back. Run it again with --yes to allow that.',
  ].join('\n');
}
