import type { ContactActivityView } from '../../contract/contactActivities.ts';
import type { ContactView } from '../../contract/contacts.ts';
import { JsonText } from '../../contract/jsonText.ts';
import type { ExactScreenPop } from '../../contract/screenPops.ts';
import { type Contact, type ContactField, type FieldValues, primaryOf } from '../../domain/contacts.ts';
import type { ContactActivity } from '../../ports/contacts.ts';

/** A contact as the interface shows it. */
export function contactView(contact: Contact): ContactView {
  return {
    id: contact.id,
    name: contact.name,
    organisation: contact.organisation,
    owner: contact.owner,
    phones: contact.phones.map(({ phone, label, isPrimary }) => ({ phone_number: phone, label, primary: isPrimary })),
    emails: contact.emails.map(({ email, label, isPrimary }) => ({ email, label, primary: isPrimary })),
    tags: contact.tags,
    tier: contact.tier,
    language: contact.language,
    time_zone: contact.timeZone,
    notes: contact.notes,
    do_not_call: contact.doNotCall,
    external_id: contact.externalId,
    fields: contact.fields,
    version: contact.version,
    created_at: contact.createdAt.toISOString(),
    updated_at: contact.updatedAt.toISOString(),
  };
}

/** What an agent sees of a contact when its phone rings; `fields`: those that the company shows there, in order. */
export function contactPop(contact: Contact, fields: readonly ContactField[]): ExactScreenPop {
  const email = primaryOf(contact.emails)?.email;
  const own = fields.filter(({ onPop }) => onPop).flatMap(({ key }) => (contact.fields[key] === undefined ? [] : [[key, contact.fields[key]]]));
  const crm = {
    ...(contact.organisation === null ? {} : { organisation: contact.organisation.name }),
    ...(contact.tags.length === 0 ? {} : { tags: contact.tags }),
    ...(contact.doNotCall ? { do_not_call: true } : {}),
    ...(contact.notes === null ? {} : { notes: contact.notes }),
    ...(Object.fromEntries(own) as FieldValues),
  };
  return {
    ...(contact.name === null ? {} : { name: contact.name }),
    ...(email === undefined ? {} : { email }),
    ...(contact.tier === null ? {} : { vip_tier: contact.tier }),
    ...(Object.keys(crm).length === 0 ? {} : { crm: new JsonText(JSON.stringify(crm)) }),
    contact_id: contact.id,
  };
}

/** An entry of a contact's timeline as the interface shows it. */
export function activityView(activity: ContactActivity): ContactActivityView {
  if (activity.kind !== 'call') {
    const { id, at, kind, by, name, text, edits } = activity;
    return { id, kind, at: at.toISOString(), by: by === null ? null : { id: by, name: name ?? '' }, text, edits, call: null };
  }
  const { id, call } = activity;
  const { direction, state, phone, endReason, endDetail, createdAt, answeredAt, endedAt, disposition, agentId, agentName } = call;
  return {
    id,
    kind: 'call',
    at: createdAt.toISOString(),
    by: { id: agentId, name: agentName },
    text: null,
    edits: [],
    call: {
      direction,
      state,
      phone_number: phone,
      end_reason: endReason,
      end_detail: endDetail,
      answered_at: answeredAt?.toISOString() ?? null,
      ended_at: endedAt?.toISOString() ?? null,
      talk_seconds: answeredAt === null || endedAt === null ? null : Math.round((endedAt.getTime() - answeredAt.getTime()) / 1_000),
      disposition:
        disposition === null
          ? null
          : { code: disposition.code, label: disposition.label, notes: disposition.notes, callback_at: disposition.callbackAt?.toISOString() ?? null },
    },
  };
}
