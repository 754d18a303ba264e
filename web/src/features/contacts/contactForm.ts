import type { FieldView } from '../../../../src/contract/contactFields.ts';
import type { ContactView } from '../../../../src/contract/contacts.ts';
import { ownValue } from '../../../../src/contract/ownValue.ts';
import { differences } from '../../shared/form/diff.ts';

type Listed = { value: string; label: string; primary: boolean };

/** What is typed about a contact; empty: nothing is there. */
export type ContactValues = {
  name: string;
  organisation: { id: string; name: string } | null;
  owner_id: string;
  phones: Listed[];
  emails: Listed[];
  tags: string[];
  tier: string;
  language: string;
  time_zone: string;
  notes: string;
  do_not_call: boolean;
  external_id: string;
  /** The company's own fields, by their keys. */
  fields: Record<string, string>;
};

/** A form that nothing has been typed into. */
export function emptyValues(phone = ''): ContactValues {
  const phones = [{ value: phone, label: '', primary: false }];
  return {
    name: '',
    organisation: null,
    owner_id: '',
    phones,
    emails: [],
    tags: [],
    tier: '',
    language: '',
    time_zone: '',
    notes: '',
    do_not_call: false,
    external_id: '',
    fields: {},
  };
}

/** A contact as its form shows it. */
export function valuesOf(contact: ContactView): ContactValues {
  return {
    name: contact.name ?? '',
    organisation: contact.organisation,
    owner_id: contact.owner?.id ?? '',
    phones: contact.phones.map(({ phone_number, label, primary }) => ({
      value: phone_number,
      label: label ?? '',
      primary,
    })),
    emails: contact.emails.map(({ email, label, primary }) => ({ value: email, label: label ?? '', primary })),
    tags: contact.tags,
    tier: contact.tier ?? '',
    language: contact.language ?? '',
    time_zone: contact.time_zone ?? '',
    notes: contact.notes ?? '',
    do_not_call: contact.do_not_call,
    external_id: contact.external_id ?? '',
    fields: Object.fromEntries(Object.entries(contact.fields).map(([key, value]) => [key, String(value)])),
  };
}

/** The same as the gateway takes it. Lists leave out what is empty; own fields are null where they are. */
export function bodyOf(values: ContactValues, fields: readonly FieldView[]) {
  const { organisation, phones, emails, tags, do_not_call, fields: own, ...texts } = values;
  const orNull = (text: string) => (text.trim() === '' ? null : text.trim());
  const listed = (list: readonly Listed[]) => list.filter(({ value }) => value.trim() !== '');
  return {
    ...(Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, orNull(text)])) as Record<
      keyof typeof texts,
      string | null
    >),
    organisation_id: organisation?.id ?? null,
    phones: listed(phones).map(({ value, label, primary }) => ({
      phone_number: value.trim(),
      label: orNull(label),
      primary,
    })),
    emails: listed(emails).map(({ value, label, primary }) => ({ email: value.trim(), label: orNull(label), primary })),
    tags,
    do_not_call,
    fields: Object.fromEntries(fields.map(({ key, kind }) => [key, fieldValue(kind, ownValue(own, key) ?? '')])),
  };
}

function fieldValue(kind: FieldView['kind'], text: string): string | number | null {
  if (text.trim() === '') return null;
  // What is no number is sent as it was typed, and refused at its field.
  const number = kind === 'number' ? Number(text) : Number.NaN;
  return Number.isNaN(number) ? text.trim() : number;
}

/** What a form holds that differs from what it began with, as the gateway takes it. */
export function changesOf(
  values: ContactValues,
  base: ContactValues,
  fields: readonly FieldView[],
): Record<string, unknown> {
  const [now, before] = [bodyOf(values, fields), bodyOf(base, fields)];
  const own = differences(now.fields, before.fields);
  const { fields: _now, ...rest } = now;
  const { fields: _before, ...restBefore } = before;
  return { ...differences(rest, restBefore), ...(Object.keys(own).length === 0 ? {} : { fields: own }) };
}

/**
 * Where the gateway says something of `phones.0.phone_number`, the form has `phones.0.value`;
 * of an own field, `fields.plan`.
 */
export function formPath(path: string): string {
  if (path === 'organisation_id') return 'organisation';
  return path.replace(/^(phones|emails)\.(\d+)\.(?:phone_number|email)$/, '$1.$2.value');
}
