import { type JsonObject, objectIn, textIn, textsIn } from './answers.ts';
import type { CrmRecord, Site } from './provider.ts';
import { fullName, recordFrom } from './records.ts';

/** The people in Salesforce, and what is read of them. */

type AtSite = Pick<Site<unknown>, 'facts' | 'options'>;
/** The fact whether the account may read leads. */
export const hasLeads = 'leads';

/** Whom Salesforce knows: fields with numbers, what else is read, and which records count. */
export const people = {
  Contact: { phones: ['Phone', 'MobilePhone', 'HomePhone', 'OtherPhone'], others: ['Title', 'Account.Name'], only: '' },
  Lead: { phones: ['Phone', 'MobilePhone'], others: ['Company', 'Status'], only: ' AND IsConverted=false' },
} as const;
export type ObjectName = keyof typeof people;
export const objectNames = ['Contact', 'Lead'] as const satisfies ObjectName[];

/** Every kind of record has ids of its own, which begin alike in all organizations. */
export function objectOf(id: string): ObjectName {
  return id.startsWith('00Q') ? 'Lead' : 'Contact';
}

/** The kinds of records that the account may read. */
export function objectsAt({ facts }: AtSite): ObjectName[] {
  return objectNames.filter((object) => object !== 'Lead' || facts[hasLeads] !== 'no');
}

function ownFields({ options: { account_number_field, tier_field } }: AtSite): string[] {
  return textsIn(account_number_field, tier_field);
}

/** What is read of a record of a kind, as queries name it. */
export function fieldsOf(object: ObjectName, site: AtSite): string {
  const { phones, others } = people[object];
  return textsIn('Id', 'Name', 'Email', ...phones, ...others, ...(object === 'Contact' ? ownFields(site) : [])).join(
    ',',
  );
}

/**
 * A record as the REST interface shows it; null: it is of another kind. Throws `UnreadableAnswer` where it has no id.
 */
export function recordOf(
  record: JsonObject,
  { options: { account_number_field, tier_field } }: AtSite,
): CrmRecord | null {
  const object = objectNames.find((one) => one === objectIn(record.attributes)?.type);
  if (object === undefined) return null;
  const own = (path: string | undefined) =>
    object === 'Contact' && path
      ? path.split('.').reduce<JsonObject[string]>((value, field) => objectIn(value)?.[field], record)
      : null;
  return recordFrom({
    object,
    id: record.Id,
    name: textIn(record.Name) ?? fullName(record.FirstName, record.LastName),
    email: record.Email,
    phones: people[object].phones.map((field) => record[field]),
    accountNumber: own(account_number_field),
    tier: own(tier_field),
    details: { company: objectIn(record.Account)?.Name ?? record.Company, title: record.Title, status: record.Status },
  });
}
