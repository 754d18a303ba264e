import { randomUUID } from 'node:crypto';
import { newWebhookSecret } from '../../../src/adapters/crypto/issuedSecrets.ts';
import { webhookData, webhookEnvelope, type WebhookEnvelope } from '../../../src/contract/webhooks.ts';
import { signDelivery } from '../../../src/domain/webhookSignature.ts';

const call = {
  call_id: randomUUID(),
  sequence: 3,
  phone: '+15551230001',
  caller: null,
  direction: 'outbound',
  agent: { id: randomUUID(), agent_code: 'a100' },
  external_id: 'C-1001 “Zoë 😀”',
  contact_id: null,
  campaign_id: randomUUID(),
  metadata: { list: [1, 2.5, null], ключ: { deep: true } },
} as const;

const made = '2026-11-02T08:30:00.000Z';
const contact = {
  ...{
    id: randomUUID(),
    name: 'Zoë 😀',
    organisation: null,
    owner: null,
    phones: [{ phone_number: '+15551230001', label: null, primary: true }],
    emails: [],
    tags: [],
  },
  ...{
    tier: null,
    language: null,
    time_zone: null,
    notes: null,
    do_not_call: false,
    external_id: null,
    fields: { plan: 'pro' },
    version: 2,
    created_at: made,
    updated_at: made,
  },
};
const deal = {
  ...{
    id: randomUUID(),
    name: '50 “licences”',
    pipeline_id: randomUUID(),
    stage: { id: randomUUID(), name: 'New', outcome: 'open', probability: 10 },
  },
  ...{
    value: '12500.5',
    currency: 'EUR',
    owner: null,
    contact: { id: contact.id, name: contact.name },
    organisation: null,
    expected_close: '2026-12-18',
  },
  ...{ version: 1, moved_at: made, created_at: made, updated_at: made },
} as const;
const task = {
  ...{
    id: randomUUID(),
    kind: 'callback',
    title: null,
    notes: null,
    contact: null,
    phone_number: '+15551230001',
    due_at: made,
    due_local: '2026-11-02T09:30:00',
  },
  ...{
    time_zone: 'Europe/Berlin',
    assignee: null,
    state: 'open',
    call_id: null,
    fired_at: made,
    skips: [],
    version: 1,
    created_at: made,
    updated_at: made,
  },
} as const;

const data = {
  cti_click_to_dial: call,
  call_started: call,
  call_answered: { ...call, answered_at: '2026-11-21T10:16:00.421Z' },
  call_transferred: {
    ...call,
    answered_at: '2026-11-21T10:16:00.421Z',
    ended_at: '2026-11-21T10:16:04.100Z',
    duration_seconds: 4,
    transferred_to: '1001',
  },
  call_ended: {
    ...call,
    answered_at: null,
    ended_at: '2026-11-21T10:16:04.100Z',
    end_reason: 'no_answer',
    ended_by: 'customer',
    end_detail: null,
    duration_seconds: 0,
    code: null,
    label: null,
    callback_at: null,
  },
  disposition: {
    ...call,
    code: 'callback',
    label: 'Call back',
    notes: 'Wants the new price list.\n\u2028"',
    tags: [
      { code: 'price', label: 'Price' },
      { code: null, label: 'In a hurry' },
    ],
    callback_at: null,
    duration_seconds: 4,
    end_reason: 'completed',
  },
  contact_changed: { contact_id: contact.id, change: 'merged', merged_contact_id: randomUUID(), agent: null, contact },
  deal_moved: {
    deal_id: deal.id,
    from: null,
    to: { id: deal.stage.id, name: deal.stage.name },
    contact_id: contact.id,
    agent: { id: randomUUID(), agent_code: 'a100' },
    deal,
  },
  task_due: { task_id: task.id, task },
  report_ready: {
    view: { id: randomUUID(), name: 'Yesterday' },
    scheduled_for: '2026-11-21T06:00:00.000Z',
    requested_by: null,
    since: '2026-11-19T23:00:00.000Z',
    until: '2026-11-20T23:00:00.000Z',
    time_zone: 'Europe/Berlin',
    group_by: 'day',
    rows: 0,
    csv: 'day,name,calls\r\ntotal,,0\r\n',
    download_url: null,
    download_until: null,
  },
  integration_test: { requested_by: { id: randomUUID(), agent_code: 'admin' } },
} as const;

/** One webhook of each event, as the contract has them. */
export const webhookOfEachEvent = Object.entries(webhookData).map(([event, schema]) => {
  const envelope = webhookEnvelope.parse({
    event,
    company_id: randomUUID(),
    occurred_at: '2026-11-21T10:15:58.463Z',
    crm_provider: 'custom',
    cti_connector: 'none',
    data: schema.parse(data[event as keyof typeof data]),
  });
  return envelope as WebhookEnvelope;
});

/** A request as the gateway sends it. */
export type SignedWebhook = {
  secret: string;
  body: string;
  deliveryId: string;
  /** When it was sent. */
  at: Date;
  headers: Record<string, string>;
};

/** Signs a body, or a webhook, as the gateway does; by default now, with a new secret and none before. */
export function signedWebhook(
  what: WebhookEnvelope | string,
  {
    secret = newWebhookSecret(),
    previousSecret = null,
    at = new Date(),
  }: { secret?: string; previousSecret?: string | null; at?: Date } = {},
): SignedWebhook {
  const body = typeof what === 'string' ? what : JSON.stringify(what);
  const deliveryId = randomUUID();
  const timestampSeconds = Math.floor(at.getTime() / 1000);
  const headers = {
    'content-type': 'application/json',
    'X-Service-Delivery': deliveryId,
    'X-Service-Attempt': '2',
    ...signDelivery({ secret, previousSecret, body, deliveryId, timestampSeconds }),
  };
  return { secret, body, deliveryId, at: new Date(timestampSeconds * 1000), headers };
}
