import type { CallWebhookMessage, WebhookEnvelope, WebhookMessage } from '../../contract/webhooks.ts';
import { durationSeconds, type Call } from '../../domain/calls.ts';
import type { AgentCard, CompanySettings } from '../../domain/company.ts';
import { toId, type CompanyId } from '../../domain/ids.ts';
import type { OutboxEvent } from '../../ports/outbox.ts';
import type { Services } from '../services.ts';

/**
 * Appends an event to a call: the call with its next sequence number, and the row for the outbox. Both belong in
 * one transaction.
 */
export function addEvent(
  { newId }: Pick<Services, 'newId'>,
  call: Call,
  event: CallWebhookMessage['event'],
  about: { settings: CompanySettings; agent: AgentCard; at: Date },
): { call: Call; event: OutboxEvent } {
  const next = { ...call, sequence: call.sequence + 1 };
  const body = envelope(about.settings, about.at, messageOf(event, next, about.agent));
  return { call: next, event: { id: toId(newId()), event, callId: next.id, sequence: next.sequence, body } };
}

/** The body of a webhook, as it is signed and sent. */
export function envelope(settings: CompanySettings, at: Date, message: WebhookMessage): string {
  const body: WebhookEnvelope = {
    event: message.event,
    company_id: settings.companyId satisfies CompanyId,
    occurred_at: at.toISOString(),
    crm_provider: settings.crmProvider ?? 'custom',
    cti_connector: settings.ctiConnector ?? 'none',
    data: message.data,
  } as WebhookEnvelope;
  return JSON.stringify(body);
}

function messageOf(event: CallWebhookMessage['event'], call: Call, agent: AgentCard): CallWebhookMessage {
  const data = {
    call_id: call.id,
    sequence: call.sequence,
    phone: call.phone,
    direction: call.direction,
    agent: { id: agent.id, agent_code: agent.agentCode },
    external_id: call.externalId,
    contact_id: call.contactId,
    campaign_id: call.campaignId,
    metadata: call.metadata,
  };
  switch (event) {
    case 'cti_click_to_dial':
    case 'call_started':
      return { event, data };
    case 'call_answered':
      return { event, data: { ...data, answered_at: dated(call.answeredAt).toISOString() } };
    case 'disposition': {
      const { disposition } = call;
      if (disposition === null) throw new Error('a disposition event needs a disposition');
      return {
        event,
        data: {
          ...data,
          code: disposition.code,
          label: disposition.label,
          notes: disposition.notes,
          callback_at: disposition.callbackAt?.toISOString() ?? null,
          duration_seconds: durationSeconds(call) ?? 0,
          end_reason: call.endReason,
        },
      };
    }
  }
}

function dated(date: Date | null): Date {
  if (date === null) throw new Error('an answered call has its time of answer');
  return date;
}
