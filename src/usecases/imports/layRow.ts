import { mostOfContact } from '../../contract/contacts.ts';
import type { ImportMode } from '../../contract/imports.ts';
import type { ContactContent } from '../../domain/contacts.ts';
import type { OrganisationId } from '../../domain/ids.ts';
import type { RowDraft } from './readRow.ts';

type Laying = {
  isNew: boolean;
  owner: ContactContent['owner'];
  organisation: (name: string) => { id: OrganisationId; name: string };
};

/** A row laid over what a contact holds. What is empty in the row changes nothing. */
export function layDraft(
  draft: RowDraft,
  before: ContactContent,
  { isNew, owner, organisation }: Laying,
): ContactContent {
  const mode = (field: string): ImportMode => (isNew ? 'overwrite' : (draft.modes.get(field) ?? 'fill'));
  const lay = <T>(field: string, was: T | null, now: T | null | undefined): T | null => {
    if (now === undefined || now === null || mode(field) === 'keep') return was;
    return was === null || mode(field) === 'overwrite' ? now : was;
  };
  const { scalars } = draft;
  const fields = new Map(Object.entries(before.fields));
  for (const [key, value] of Object.entries(draft.fields)) {
    const laid = lay(`fields.${key}`, fields.get(key) ?? null, value);
    if (laid !== null) fields.set(key, laid);
  }
  const isOrganisationWritten =
    draft.organisation !== null &&
    lay('organisation', before.organisation?.name ?? null, draft.organisation) === draft.organisation;
  const doNotCall = lay('do_not_call', before.doNotCall || null, scalars.doNotCall) ?? false;
  return {
    name: lay('name', before.name, scalars.name),
    organisation:
      isOrganisationWritten && draft.organisation !== null && before.organisation?.name !== draft.organisation
        ? organisation(draft.organisation)
        : before.organisation,
    owner: lay('owner', before.owner, owner),
    phones: layList(before.phones, draft.phones, ({ phone }) => phone, mode('phones')),
    emails: layList(before.emails, draft.emails, ({ email }) => email, mode('emails')),
    tags: mode('tags') === 'keep' ? before.tags : [...new Set([...before.tags, ...draft.tags])],
    tier: lay('tier', before.tier, scalars.tier),
    language: lay('language', before.language, scalars.language),
    timeZone: lay('time_zone', before.timeZone, scalars.timeZone),
    notes: lay('notes', before.notes, scalars.notes),
    doNotCall,
    externalId: lay('external_id', before.externalId, draft.externalId),
    fields: Object.fromEntries(fields),
  };
}

/** What is missing in the list is added at its end; labels as the mode says. */
function layList<T extends { label: string | null }>(
  before: T[],
  given: T[],
  keyOf: (item: T) => string,
  mode: ImportMode,
): T[] {
  if (mode === 'keep') return before;
  const list = before.map((item) => {
    const label = given.find((each) => keyOf(each) === keyOf(item))?.label ?? null;
    return label !== null && (item.label === null || mode === 'overwrite') ? { ...item, label } : item;
  });
  return [...list, ...given.filter((item) => !before.some((each) => keyOf(each) === keyOf(item)))];
}

/** What a row adds to the customer of an earlier one. */
export type More = Pick<ContactContent, 'externalId' | 'name' | 'phones' | 'emails'>;
export const nothing: More = { externalId: null, name: null, phones: [], emails: [] };

export function isNothing({ externalId, name, phones, emails }: More): boolean {
  return externalId === null && name === null && phones.length === 0 && emails.length === 0;
}

/** The same object where it has all of it already, or no room for more. */
export function laidOn(content: ContactContent, more: More): ContactContent {
  const phones = more.phones
    .filter(({ phone }) => content.phones.every((each) => each.phone !== phone))
    .slice(0, mostOfContact.phones - content.phones.length);
  const emails = more.emails
    .filter(({ email }) => content.emails.every((each) => each.email !== email))
    .slice(0, mostOfContact.emails - content.emails.length);
  const name = content.name ?? more.name;
  const externalId = content.externalId ?? more.externalId;
  const isSame = name === content.name && externalId === content.externalId;
  if (isSame && phones.length === 0 && emails.length === 0) return content;
  const unmarked = <T extends { isPrimary: boolean }>(list: T[]) => list.map((each) => ({ ...each, isPrimary: false }));
  return {
    ...content,
    name,
    externalId,
    phones: [...content.phones, ...unmarked(phones)],
    emails: [...content.emails, ...unmarked(emails)],
  };
}
