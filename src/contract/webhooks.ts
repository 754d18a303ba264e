import { z } from 'zod';
import { callTag } from './calls.ts';
import { contactView } from './contacts.ts';
import { dealView } from './deals.ts';
import { crmProvider, ctiConnector } from './integrations.ts';
import { reportGroups } from './reports.ts';
import { taskView } from './tasks.ts';
import { anyFields, timestamp, uuid } from './values.ts';
import {
  defaultWebhookEvents,
  directions,
  endedByParties,
  endReasons,
  type WebhookEvent,
  webhookEvents,
} from './vocabulary.ts';

/** What arrives at a company's webhook_url. */

/** How a contact came to be as it is. */
export const contactChanges = ['created', 'edited', 'merged', 'erased'] as const;

const callEvent = z.object({
  call_id: uuid,
  sequence: z.int().min(1),
  phone: z
    .string()
    .nullable()
    .meta({ description: 'E.164; null where an inbound caller has no number that can be dialed' }),
  caller: z
    .string()
    .nullable()
    .meta({
      description:
        'In place of `phone`: an extension, for example. ' +
        'Null where there is a `phone`, and where the caller withheld it',
    }),
  direction: z.enum(directions),
  agent: z.object({ id: uuid, agent_code: z.string() }),
  external_id: z.string().nullable(),
  contact_id: uuid.nullable(),
  campaign_id: uuid.nullable(),
  metadata: anyFields.nullable(),
  dialed_number: z.string().optional().meta({
    description: 'Of an inbound call, the number that the customer called; left out where it is not told',
  }),
  queue: z.string().optional().meta({
    description:
      'Of an inbound call, where it waited, as the PBX or platform calls that; left out where it is not told',
  }),
  caller_id: z.string().optional().meta({
    description: 'Of an outbound call, the number that the customer is to see; left out where the PBX decides',
  }),
  sip_call_id: z.string().optional().meta({
    description: 'SIP’s `Call-ID` between the softphone and its PBX; left out where it is not told, or not yet',
  }),
  parent_call_id: uuid.optional().meta({
    description:
      'The call of the colleague who hands this one on, or asks about it; ' +
      'left out of calls that begin a conversation',
  }),
  transferred_from: z
    .object({ id: uuid, agent_code: z.string() })
    .optional()
    .meta({ description: 'Who that colleague is' }),
  source: z.string().optional().meta({
    description: 'The telephony platform that has the call, by its connector; left out of calls of softphones',
  }),
  platform_call_id: z.string().optional().meta({
    description:
      'What that platform calls it. One that came back, or whose name is used again, has that of a call before',
  }),
});

const by = z
  .object({ id: uuid, agent_code: z.string() })
  .nullable()
  .meta({ description: 'Null: the company’s own system, by its key' });
const stage = z.object({ id: uuid, name: z.string() });

/** `data` of each event. */
export const webhookData = {
  cti_click_to_dial: callEvent,
  call_started: callEvent,
  call_answered: callEvent.extend({ answered_at: timestamp }),
  call_transferred: callEvent.extend({
    answered_at: timestamp,
    ended_at: timestamp,
    duration_seconds: z.int().meta({ description: 'From answer to transfer' }),
    transferred_to: z.string().nullable().meta({
      description: 'E.164, or as it was dialed where that is no such number, e.g. an extension. Null: not told',
    }),
  }),
  call_ended: callEvent.extend({
    answered_at: timestamp.nullable().meta({ description: 'Null: nobody answered' }),
    ended_at: timestamp,
    end_reason: z.enum(endReasons),
    ended_by: z.enum(endedByParties).nullable().meta({ description: 'Null where that is not known' }),
    end_detail: z
      .string()
      .nullable()
      .meta({ description: 'Why, more closely than `end_reason`, e.g. `softphone_lost`' }),
    transferred_to: z
      .string()
      .optional()
      .meta({
        description:
          'Of `end_reason` `transferred`, or `end_detail` `passed_on` (the agent has named to the network whom to ' +
          'ring instead, and has not answered): to whom, as in `call_transferred`. Absent: to nobody, or not told',
      }),
    duration_seconds: z.int().meta({ description: 'From answer to end; 0 where nobody answered' }),
    code: z.string().nullable().meta({ description: 'Of the disposition; null where the call is not wrapped up yet' }),
    label: z.string().nullable(),
    callback_at: timestamp.nullable(),
  }),
  disposition: callEvent.extend({
    code: z.string(),
    label: z.string(),
    notes: z.string().nullable(),
    tags: z.array(callTag).meta({ description: 'What the agent marked the call with' }),
    callback_at: timestamp.nullable(),
    duration_seconds: z.int(),
    end_reason: z.enum(endReasons).nullable(),
  }),
  contact_changed: z.object({
    contact_id: uuid,
    change: z.enum(contactChanges),
    merged_contact_id: uuid
      .nullable()
      .meta({ description: 'Of `merged`: the contact that went into this one; its id leads here from now on' }),
    agent: by,
    contact: contactView.nullable().meta({
      description: 'As it is after the change; `version` tells which of two is later. Null: the person was erased',
    }),
  }),
  deal_moved: z.object({
    deal_id: uuid,
    from: stage.nullable().meta({ description: 'Null: the deal was made' }),
    to: stage,
    contact_id: uuid.nullable(),
    agent: by,
    deal: dealView.meta({ description: 'As it is after the move; `version` tells which of two is later' }),
  }),
  task_due: z.object({ task_id: uuid, task: taskView }),
  report_ready: z.object({
    view: z.object({ id: uuid, name: z.string() }),
    scheduled_for: timestamp
      .nullable()
      .meta({ description: 'Which run it is, also where it comes late. Null: it was asked for by hand' }),
    requested_by: z
      .object({ id: uuid, agent_code: z.string() })
      .nullable()
      .meta({ description: 'Who asked for it by hand; null: nobody did' }),
    since: timestamp,
    until: timestamp,
    time_zone: z.string(),
    group_by: z.enum(reportGroups),
    rows: z.int().meta({ description: 'Without the headings and the total' }),
    csv: z
      .string()
      .nullable()
      .meta({
        description:
          'The report as `GET /api/reports/calls.csv` has it. ' +
          'Null where it has more than 64 KiB: then it is at `download_url`',
      }),
    download_url: z.string().nullable().meta({
      description:
        'Where anybody who has the link reads the file; null where `csv` has it. Without PUBLIC_URL only the path',
    }),
    download_until: timestamp.nullable(),
  }),
  integration_test: z.object({ requested_by: z.object({ id: uuid, agent_code: z.string() }) }),
} as const satisfies Record<(typeof webhookEvents)[number], z.ZodType>;

type WebhookDataOf = { [E in keyof typeof webhookData]: z.infer<(typeof webhookData)[E]> };

/** Every call event as `{event, data}`, told apart by `event`. */
export type WebhookMessage = { [E in keyof WebhookDataOf]: { event: E; data: WebhookDataOf[E] } }[keyof WebhookDataOf];
export type CallWebhookMessage = Extract<WebhookMessage, { data: { call_id: string } }>;
/** What is sent to those alone who ask for it by name: what happens in the built-in CRM, and reports. */
export type RequestedWebhookMessage = Extract<
  WebhookMessage,
  { event: 'contact_changed' | 'deal_moved' | 'task_due' | 'report_ready' }
>;

/** The body of every webhook. */
export const webhookEnvelope = z
  .object({
    event: z.enum(webhookEvents),
    company_id: uuid,
    occurred_at: timestamp,
    crm_provider: crmProvider,
    cti_connector: ctiConnector,
    data: anyFields,
  })
  .meta({ id: 'WebhookEnvelope' });
export type WebhookEnvelope = Omit<z.infer<typeof webhookEnvelope>, 'event' | 'data'> & WebhookMessage;

/**
 * The events that a company's webhook gets, in the order of the catalog. A test is sent whatever was chosen: an admin
 * asks for it by hand.
 * @param chosen null: nothing was chosen; repetitions count once
 */
export function sentEvents(chosen: readonly WebhookEvent[] | null): WebhookEvent[] {
  const wanted = new Set<WebhookEvent>(chosen ?? defaultWebhookEvents).add('integration_test');
  return webhookEvents.filter((event) => wanted.has(event));
}
