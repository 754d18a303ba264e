import { contactObject } from '../../contract/callRules.ts';
import type { CrmCandidate, ExactScreenPop } from '../../contract/screenPops.ts';
import { type Contact, type PopField, primaryOf } from '../../domain/contacts.ts';
import type { PhoneNumber } from '../../domain/phones/phoneNumbers.ts';
import { contactPop } from '../contacts/contactViews.ts';
import { choose } from './chosenRecord.ts';

/** A contact to choose from: what tells people apart who share a number. */
function contactCandidate({ id, name, emails, tier }: Contact): CrmCandidate {
  return {
    object: contactObject,
    id,
    name,
    email: primaryOf(emails)?.email ?? null,
    account_number: null,
    vip_tier: tier,
    record_url: null,
  };
}

/**
 * The same once it is chosen: with all that a screen pop shows of it.
 * @param fields those of the company's own that screen pops show
 */
export function completeCandidate(contact: Contact, fields: readonly PopField[]): CrmCandidate {
  return { ...contactCandidate(contact), crm: contactPop(contact, fields).crm?.plain() ?? {} };
}

/**
 * What is shown of contacts that share a number: all of them to choose from,
 * and of the one that is known to be the customer all that is known.
 * @param customer null: nobody knows yet which one it is
 */
export function popOfSharers(
  phone: PhoneNumber,
  contacts: readonly Contact[],
  customer: Contact | null,
  fields: readonly PopField[],
): ExactScreenPop {
  const candidates = contacts.map((contact) =>
    contact === customer ? completeCandidate(contact, fields) : contactCandidate(contact),
  );
  const chosen = candidates.find(({ id }) => id === customer?.id);
  return chosen === undefined ? { phone, candidates } : choose({ phone, candidates }, chosen);
}
