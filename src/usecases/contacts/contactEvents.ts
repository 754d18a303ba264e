import type { contactChanges } from '../../contract/webhooks.ts';
import type { Contact } from '../../domain/contacts.ts';
import type { ContactId } from '../../domain/ids.ts';
import type { ContactChange } from '../../ports/contacts.ts';
import type { OutboxEvent } from '../../ports/outbox.ts';
import type { Services } from '../services.ts';
import { eventOnRequest } from '../webhooks/envelope.ts';
import { contactView } from './contactViews.ts';

/**
 * What a webhook tells of a contact that is made, changed, merged or erased, for those who ask for it.
 * Notes and imports are none.
 * @param contact as it is after the change
 * @param merged the contact that went into it
 */
export function contactEvents(
  services: Pick<Services, 'agentCard' | 'newId' | 'companyOf'>,
  contact: Contact,
  { at, by, kind }: Pick<ContactChange, 'at' | 'by'> & { kind: (typeof contactChanges)[number] },
  merged: ContactId | null = null,
): Promise<OutboxEvent[]> {
  return eventOnRequest(services, contact.companyId, 'contact_changed', { at, by }, (agent) => ({
    event: 'contact_changed',
    data: {
      contact_id: contact.id,
      change: kind,
      merged_contact_id: merged,
      agent,
      contact: kind === 'erased' ? null : contactView(contact),
    },
  }));
}
