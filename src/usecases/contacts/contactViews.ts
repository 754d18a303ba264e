import type { ContactActivityView } from '../../contract/contactActivities.ts';
import type { ContactView } from '../../contract/contacts.ts';
import { canonical, JsonText } from '../../contract/jsonText.ts';
import { ownValue } from '../../contract/ownValue.ts';
import type { ExactScreenPop } from '../../contract/screenPops.ts';
import { type Contact, type PopField, primaryOf } from '../../domain/contacts.ts';
import type { ContactActivity, Sharing } from '../../ports/contacts.ts';

const unshared: Sharing = new Map();

/** A contact as the interface shows it. @param sharing with whom it shares its numbers, where that is told */
export function contactView(contact: Contact, sharing: Sharing = unshared): ContactView {
  const [primaryPhone, primaryEmail] = [primaryOf(contact.phones), primaryOf(contact.emails)];
  return {
    id: contact.id,
    name: contact.name,
    organisation: contact.organisation,
    owner: contact.owner,
    phones: contact.phones.map((each) => {
      const others = sharing.get(each.phone);
      return {
        phone_number: each.phone,
        label: each.label,
        primary: each === primaryPhone,
        ...(others === undefined ? {} : { shared_with: others }),
      };
    }),
    emails: contact.emails.map((each) => ({ email: each.email, label: each.label, primary: each === primaryEmail })),
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

/**
 * What an agent sees of a contact when its phone rings, and the company's own fields that are shown there behind it,
 * in their order.
 * @param fields those that screen pops show, in their order
 */
export function contactPop(contact: Contact, fields: readonly PopField[]): ExactScreenPop {
  const email = primaryOf(contact.emails)?.email;
  const own = fields.map(({ key }) => [key, ownValue(contact.fields, key) ?? null] as const);
  const crm = [
    ['organisation', contact.organisation?.name ?? null] as const,
    ['tags', contact.tags.length === 0 ? null : contact.tags] as const,
    ['do_not_call', contact.doNotCall ? true : null] as const,
    ['notes', contact.notes] as const,
    ...own,
  ].filter(([, value]) => value !== null);
  return {
    ...(contact.name === null ? {} : { name: contact.name }),
    ...(email === undefined ? {} : { email }),
    ...(contact.tier === null ? {} : { vip_tier: contact.tier }),
    // As a text: an object would put keys that are numbers first.
    ...(crm.length === 0
      ? {}
      : { crm: new JsonText(canonical.object(new Map(crm.map(([key, value]) => [key, JSON.stringify(value)])))) }),
    contact_id: contact.id,
  };
}

/** An entry of a contact's timeline as the interface shows it. */
export function activityView(activity: ContactActivity): ContactActivityView {
  if (activity.kind !== 'call') {
    const { id, at, kind, by, name, text, edits } = activity;
    return {
      id,
      kind,
      at: at.toISOString(),
      by: by === null ? null : { id: by, name: name ?? '' },
      text,
      edits,
      call: null,
    };
  }
  const { id, call } = activity;
  const {
    direction,
    state,
    phone,
    endReason,
    endDetail,
    createdAt,
    answeredAt,
    endedAt,
    disposition,
    tags,
    agentId,
    agentName,
  } = call;
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
      talk_seconds:
        answeredAt === null || endedAt === null ? null : Math.round((endedAt.getTime() - answeredAt.getTime()) / 1_000),
      disposition:
        disposition === null
          ? null
          : {
              code: disposition.code,
              label: disposition.label,
              notes: disposition.notes,
              callback_at: disposition.callbackAt?.toISOString() ?? null,
            },
      tags: tags.map(({ code, label }) => ({ code, label })),
    },
  };
}
