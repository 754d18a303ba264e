import type { FieldKind } from '../contract/contactFields.ts';
import type { AgentId, CompanyId, ContactId, OrganisationId } from './ids.ts';
import type { PhoneNumber } from './phones/phoneNumbers.ts';

/** Somebody whom the company calls; perhaps known by a phone number alone. */
export type Contact = {
  companyId: CompanyId;
  id: ContactId;
  name: string | null;
  organisation: { id: OrganisationId; name: string } | null;
  /** The agent who looks after it. */
  owner: { id: AgentId; name: string } | null;
  phones: ContactPhone[];
  emails: ContactEmail[];
  tags: string[];
  tier: string | null;
  language: string | null;
  timeZone: string | null;
  notes: string | null;
  doNotCall: boolean;
  externalId: string | null;
  fields: FieldValues;
  version: number;
  createdAt: Date;
  updatedAt: Date;
};

/** In the order in which they were given; at most one is marked as the primary one. */
export type ContactPhone = { phone: PhoneNumber; label: string | null; isPrimary: boolean };

/** The label of a number behind which an extension was written: it is not dialed, and not lost. */
export function withExtension(label: string | null, extension: string | null): string | null {
  return extension === null ? label : [label, `ext. ${extension}`].filter((part) => part !== null).join(', ');
}
/** `email` in lower case. */
export type ContactEmail = { email: string; label: string | null; isPrimary: boolean };

/** Values of the company's own fields, by key. */
export type FieldValues = Record<string, string | number>;

/** A field of contacts that the company has defined. */
export type ContactField = {
  key: string;
  label: string;
  kind: FieldKind;
  choices: string[] | null;
  position: number;
  onPop: boolean;
  version: number;
};

/** One of them as a screen pop has it: the choices of a hundred of them are megabytes, and every ring reads this. */
export type PopField = Pick<ContactField, 'key' | 'kind' | 'label'>;

/** What one change did to one field, as people read it; null: nothing was, or is, there. */
export type FieldEdit = { field: string; before: string | null; after: string | null };

/** What a contact says of itself, without what the gateway adds. */
export type ContactContent = Omit<Contact, 'companyId' | 'id' | 'version' | 'createdAt' | 'updatedAt'>;

/**
 * What differs between two states of a contact, field by field; the company's own fields by `fields.` and their key.
 */
export function editsOf(before: ContactContent, after: ContactContent): FieldEdit[] {
  const [old, now] = [readableFields(before), readableFields(after)];
  const names = new Set([...old.keys(), ...now.keys()]);
  return [...names].flatMap((field) => {
    const edit = { field, before: old.get(field) ?? null, after: now.get(field) ?? null };
    return edit.before === edit.after ? [] : [edit];
  });
}

/** What a contact holds, field by field, as people read it; null: nothing. */
export function readableFields(contact: ContactContent): Map<string, string | null> {
  const listed = (list: { text: string; label: string | null; isPrimary: boolean }[]) =>
    list
      .map(({ text, label, isPrimary }) => `${text}${label === null ? '' : ` (${label})`}${isPrimary ? ' *' : ''}`)
      .join(', ') || null;
  return new Map([
    ['name', contact.name],
    ['organisation', contact.organisation?.name ?? null],
    ['owner', contact.owner?.name ?? null],
    ['phones', listed(contact.phones.map((each) => ({ ...each, text: each.phone })))],
    ['emails', listed(contact.emails.map((each) => ({ ...each, text: each.email })))],
    ['tags', contact.tags.join(', ') || null],
    ['tier', contact.tier],
    ['language', contact.language],
    ['time_zone', contact.timeZone],
    ['notes', contact.notes],
    ['do_not_call', contact.doNotCall ? 'true' : null],
    ['external_id', contact.externalId],
    ...Object.entries(contact.fields).map(([key, value]) => [`fields.${key}`, String(value)] as const),
  ]);
}

/** The one that is dialed or written to: the one that is marked, else the first. */
export function primaryOf<T extends { isPrimary: boolean }>(list: readonly T[]): T | null {
  return list.find(({ isPrimary }) => isPrimary) ?? list[0] ?? null;
}

const money = /^-?\d{1,15}(?:\.\d{1,3})? [A-Z]{3}$/;
const day = /^\d{4}-\d{2}-\d{2}$/;

/** Whether a value is one of a field of this kind. */
export function fitsField({ kind, choices }: Pick<ContactField, 'kind' | 'choices'>, value: string | number): boolean {
  switch (kind) {
    case 'number':
      return typeof value === 'number' && Number.isFinite(value);
    case 'text':
      return typeof value === 'string';
    case 'money':
      return typeof value === 'string' && money.test(value);
    case 'date':
      return (
        typeof value === 'string' &&
        day.test(value) &&
        !Number.isNaN(Date.parse(value)) &&
        new Date(value).toISOString().startsWith(value)
      );
    case 'choice':
      return typeof value === 'string' && choices?.includes(value) === true;
    case 'link':
      return typeof value === 'string' && /^https?:\/\/\S+$/i.test(value) && URL.canParse(value);
  }
}
