import { modes, webhookEventNames, webhookEvents } from '../../../contract/vocabulary.ts';
import { sentEvents } from '../../../contract/webhooks.ts';
import { providers } from '../../../providers/registry.ts';
import {
  crmCatalog,
  crmConnection,
  ctiCatalog,
  ctiConnection,
} from '../../../usecases/integrations/partnerConnections.ts';
import { callId, companyId, deliveryId } from './story.ts';
import { webhookExamples } from './webhooks.ts';

/** The catalog does not depend on where CRM systems are. */
const known = {
  byId: new Map(providers.map((provider) => [provider.id, provider])),
  baseUrls: new Map<string, string>(),
};

const url = 'https://crm.example.com/readyline';
const chosen = sentEvents(['call_started', 'call_answered', 'call_ended', 'disposition', 'cti_click_to_dial']);
const newSecret = 'whsec_wU4/K6hlL4TwyvrqnUT/cjbpsofjlQTKS9sH7H/vC7Y=';

const settings = {
  crm_provider: 'custom',
  cti_connector: 'none',
  webhook_url: url,
  mode: 'push',
  default_country: null,
  bare_digits: 'national',
  api_key_prefix: 'rlk_eRYXP2dk',
  api_key_issued_at: '2026-11-21T09:40:11.027Z',
  webhook_secret_set: true,
  webhook_secret_previous_until: null,
  webhook_enabled: true,
  webhook_max_in_flight: 4,
  webhook_events: sentEvents(null),
  pop_frame_ancestors: [],
  connected_at: '2026-11-21T09:40:11.027Z',
  created_at: '2026-11-21T09:40:11.027Z',
  updated_at: '2026-11-21T09:40:11.027Z',
};

const body = webhookExamples.disposition;
const sentAt = '2026-11-21T10:16:06.530Z';
const delivery = {
  id: deliveryId,
  target: 'webhook',
  event: body.event,
  call_id: callId,
  sequence: 5,
  state: 'delivered',
  attempts: 1,
  next_attempt_at: null,
  last_status_code: 204,
  last_error: null,
  last_error_cause: null,
  created_at: body.occurred_at,
  finished_at: '2026-11-21T10:16:06.581Z',
};

/** Settings, status and the log of webhooks. */
export const integrationExamples = {
  connectCrm: {
    body: { crm_provider: 'custom', webhook_url: url },
    answer: {
      integration: settings,
      api_key: 'rlk_eRYXP2dk_Ld7JzptJJQoR27b1ObZsK8A6rT153MOf',
      webhook_secret: newSecret,
    },
  },
  readIntegration: {
    answer: {
      integration: settings,
      status: {
        connected: true,
        crm: crmConnection('custom', known, null, null),
        cti: ctiConnection('none', []),
        missing: [],
        last_delivery: {
          id: deliveryId,
          event: body.event,
          state: delivery.state,
          status_code: 204,
          error: null,
          error_cause: null,
          at: delivery.finished_at,
        },
        webhook: {
          condition: 'healthy',
          consecutive_failures: 0,
          failing_since: null,
          paused_until: null,
          disabled_at: null,
          disabled_reason: null,
        },
        notices: [],
      },
      providers: crmCatalog(known),
      cti_connectors: ctiCatalog,
      modes,
      webhook_events: webhookEvents.map((id) => ({
        id,
        name: webhookEventNames[id],
        is_default: sentEvents(null).includes(id),
      })),
    },
  },
  updateIntegration: {
    body: {
      default_country: 'DE',
      webhook_secret: 'rotate',
      webhook_max_in_flight: 8,
      webhook_events: chosen,
      pop_frame_ancestors: ['https://desktop.example.com'],
    },
    answer: {
      integration: {
        ...settings,
        default_country: 'DE',
        webhook_secret_previous_until: '2026-11-22T11:02:30.000Z',
        webhook_max_in_flight: 8,
        webhook_events: chosen,
        pop_frame_ancestors: ['https://desktop.example.com'],
        updated_at: '2026-11-21T11:02:30.000Z',
      },
      webhook_secret: newSecret,
    },
  },
  testWebhook: { answer: { outcome: 'success', status_code: 204, latency_ms: 48 } },
  listWebhookDeliveries: { answer: { deliveries: [delivery], next_cursor: deliveryId } },
  readWebhookDelivery: {
    answer: {
      ...delivery,
      body,
      raw_body: JSON.stringify(body),
      log: [
        {
          number: 1,
          started_at: sentAt,
          latency_ms: 48,
          method: 'POST',
          url,
          request_headers: {
            'content-type': 'application/json',
            'user-agent': 'Readyline-Webhooks',
            'X-Service-Event': body.event,
            'X-Service-Company': companyId,
            'X-Service-Delivery': deliveryId,
            'X-Service-Attempt': '1',
            'X-Service-Key-Prefix': settings.api_key_prefix,
          },
          request_body: null,
          status_code: 204,
          response_headers: { date: 'Sat, 21 Nov 2026 10:16:06 GMT' },
          response_body: '',
          error: null,
          error_cause: null,
        },
      ],
    },
  },
  recoverWebhookDeliveries: { body: { since: '2026-11-21T08:00:00Z' }, answer: { redelivering: 12 } },
  redeliverWebhook: {
    answer: {
      ...delivery,
      state: 'pending',
      attempts: 0,
      next_attempt_at: '2026-11-21T11:05:00.000Z',
      finished_at: null,
    },
  },
};
