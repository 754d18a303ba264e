import { writeJson } from '../../contract/jsonText.ts';
import type { RequestedWebhookMessage, WebhookEnvelope, WebhookMessage } from '../../contract/webhooks.ts';
import type { Company } from '../../domain/company.ts';
import { type AgentId, type CompanyId, type DeliveryId, toId } from '../../domain/ids.ts';
import type { OutboxEvent } from '../../ports/outbox.ts';
import type { Services } from '../services.ts';

/** The body of a webhook, as it is signed and sent. */
export function envelope(company: Company, at: Date, message: WebhookMessage): string {
  const body: WebhookEnvelope = {
    event: message.event,
    company_id: company.id satisfies CompanyId,
    occurred_at: at.toISOString(),
    crm_provider: company.crmProvider ?? 'custom',
    cti_connector: company.ctiConnector ?? 'none',
    data: message.data,
  } as WebhookEnvelope;
  return writeJson(body);
}

/** Who did it, as webhooks name agents. */
export type ChangedByAgent = { id: AgentId; agent_code: string } | null;

/**
 * An event that is sent on request, such as of a change in the built-in CRM, for the transaction of that change.
 * None, and nothing is read or worded, where the company has not asked for it by name.
 * @param by null: the company's own system, by its key
 */
export async function eventOnRequest(
  { agentCard, companyOf, newId }: Pick<Services, 'agentCard' | 'newId' | 'companyOf'>,
  companyId: CompanyId,
  event: RequestedWebhookMessage['event'],
  { at, by }: { at: Date; by: AgentId | null },
  messageOf: (agent: ChangedByAgent) => RequestedWebhookMessage,
): Promise<OutboxEvent[]> {
  const company = await companyOf(companyId);
  if (!company.webhookEvents.includes(event)) return [];
  const card = by === null ? null : await agentCard(companyId, by);
  const agent = card === null ? null : { id: card.id, agent_code: card.agentCode };
  return [
    {
      id: toId<DeliveryId>(newId()),
      event,
      callId: null,
      sequence: null,
      body: envelope(company, at, messageOf(agent)),
    },
  ];
}
