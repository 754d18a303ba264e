import type { WebhookEvent } from '../../../contract/vocabulary.ts';
import { contactExamples } from './contacts.ts';
import { dealExamples } from './deals.ts';
import { readyReport } from './reports.ts';
import {
  ada,
  admin,
  answeredAt,
  callBackAt,
  callId,
  campaignId,
  clickedAt,
  companyId,
  endedAt,
  phone,
  wrappedUpAt,
} from './story.ts';
import { taskExamples } from './tasks.ts';

const envelope = (event: WebhookEvent, occurredAt: string, data: object) => ({
  event,
  company_id: companyId,
  occurred_at: occurredAt,
  crm_provider: 'custom',
  cti_connector: 'none',
  data,
});

/** One call for a company that chose every event; `sequence` counts them. */
const ofCall = (event: WebhookEvent, sequence: number, occurredAt: string, more: object = {}) =>
  envelope(event, occurredAt, {
    call_id: callId,
    sequence,
    phone,
    caller: null,
    direction: 'outbound',
    agent: { id: ada.id, agent_code: ada.agent_code },
    external_id: 'C-1001',
    contact_id: null,
    campaign_id: campaignId,
    metadata: { campaign: 'spring' },
    ...more,
  });

const by = { id: ada.id, agent_code: ada.agent_code };
const moved = dealExamples.updateDeal.answer;
const [move] = dealExamples.listDealMoves.answer.moves;

/** What arrives of each event. */
export const webhookExamples = {
  cti_click_to_dial: ofCall('cti_click_to_dial', 1, clickedAt),
  call_started: ofCall('call_started', 2, clickedAt),
  call_answered: ofCall('call_answered', 3, answeredAt, { answered_at: answeredAt }),
  call_transferred: ofCall('call_transferred', 4, endedAt, {
    answered_at: answeredAt,
    ended_at: endedAt,
    duration_seconds: 4,
    transferred_to: '+15551230009',
  }),
  call_ended: ofCall('call_ended', 4, endedAt, {
    answered_at: answeredAt,
    ended_at: endedAt,
    end_reason: 'completed',
    ended_by: 'agent',
    end_detail: null,
    duration_seconds: 4,
    code: null,
    label: null,
    callback_at: null,
  }),
  disposition: ofCall('disposition', 5, wrappedUpAt, {
    code: 'callback',
    label: 'Call back',
    notes: 'Wants the new price list.',
    tags: [{ code: 'price', label: 'Price' }],
    callback_at: callBackAt,
    duration_seconds: 4,
    end_reason: 'completed',
  }),
  contact_changed: envelope('contact_changed', contactExamples.createContact.answer.updated_at, {
    contact_id: contactExamples.createContact.answer.id,
    change: 'created',
    merged_contact_id: null,
    agent: by,
    contact: contactExamples.createContact.answer,
  }),
  deal_moved: envelope('deal_moved', moved.updated_at, {
    deal_id: moved.id,
    from: move?.from,
    to: move?.to,
    contact_id: moved.contact.id,
    agent: by,
    deal: moved,
  }),
  task_due: envelope('task_due', taskExamples.readTask.answer.due_at, {
    task_id: taskExamples.readTask.answer.id,
    task: taskExamples.readTask.answer,
  }),
  report_ready: envelope('report_ready', readyReport.scheduled_for, readyReport),
  integration_test: envelope('integration_test', '2026-11-21T10:16:07.610Z', { requested_by: admin }),
} satisfies Record<WebhookEvent, unknown>;
