import {
  integrationOverview,
  savedIntegration,
  testWebhookAnswer,
  type IntegrationView,
  type SavedIntegration,
} from '../../src/contract/integrations.ts';
import { webhookEvents } from '../../src/contract/vocabulary.ts';
import { CommandError } from '../commandLine.ts';
import { RefusedRequest, type Caller, type GatewayApi } from '../gatewayApi.ts';
import { must, type Timeline } from './timeline.ts';

/** The company's key and webhook secret, for the time of the story. */
export type StoryIntegration = { key: string; secret: string; before: IntegrationView };

const path = '/api/integrations';

/**
 * Points the company's webhooks at the story's own receiver and gets a key. Where the company already has a key or
 * sends its webhooks elsewhere, that is replaced only with `mayReplace`.
 */
export async function connectStory(
  api: GatewayApi,
  admin: Caller,
  webhookUrl: string,
  { mayReplace, timeline }: { mayReplace: boolean; timeline: Timeline },
): Promise<StoryIntegration> {
  const { integration: before } = await api.ask({ method: 'GET', path, answer: integrationOverview, as: admin });
  const inUse = before.api_key_prefix !== null || before.webhook_url !== null;
  if (inUse && !mayReplace) throw new CommandError(whatIsReplaced(before));
  const saved = inUse ? await replace(api, admin, webhookUrl) : await connect(api, admin, webhookUrl);
  must(saved.api_key !== undefined && saved.webhook_secret !== undefined, 'the key and the webhook secret were shown');
  // All that can be sent: the end of a call is told only to those who ask for it.
  await api.ask({ method: 'PUT', path, answer: savedIntegration, as: admin, body: { webhook_events: [...webhookEvents] } });
  timeline.step(inUse ? 'the key, webhook_url and webhook secret are replaced' : 'a CRM is connected: key and webhook secret are shown once');
  return { key: saved.api_key, secret: saved.webhook_secret, before };
}

/** Sends the test event. */
export async function testStoryWebhook(api: GatewayApi, admin: Caller): Promise<void> {
  const tested = await api.ask({ method: 'POST', path: `${path}/test-webhook`, answer: testWebhookAnswer, as: admin });
  if (tested.outcome === 'success') return;
  const why = tested.detail ?? 'no reason was given';
  throw new CommandError(`The gateway's test webhook did not reach this machine (${why}) The story must run where the gateway runs.`);
}

/** Puts back what can be put back: the webhook URL, and which events go there. */
export async function restoreWebhook(api: GatewayApi, admin: Caller, before: IntegrationView): Promise<void> {
  const body = { webhook_url: before.webhook_url, webhook_events: before.webhook_events };
  await api.ask({ method: 'PUT', path, answer: savedIntegration, as: admin, body });
}

function connect(api: GatewayApi, admin: Caller, webhookUrl: string): Promise<SavedIntegration> {
  const body = { crm_provider: 'custom', cti_connector: 'none', webhook_url: webhookUrl };
  return explained(api.ask({ method: 'POST', path: `${path}/connect`, answer: savedIntegration, as: admin, body }));
}

function replace(api: GatewayApi, admin: Caller, webhookUrl: string): Promise<SavedIntegration> {
  const body = { webhook_url: webhookUrl, webhook_secret: 'rotate', rotate_api_key: true };
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

function whatIsReplaced({ api_key_prefix: key, webhook_url: url }: IntegrationView): string {
  return [
    `The company already has ${[
      ...(key === null ? [] : [`an API key (${key}…)`]),
      ...(url === null ? [] : [`a webhook_url (${url})`]),
    ].join(' and ')}.`,
    'The story replaces the key, the webhook_url and the webhook secret. At its end it puts the webhook_url back,',
    'but the former key and secret are gone for good. Run it again with --yes to allow that.',
  ].join('\n');
}
