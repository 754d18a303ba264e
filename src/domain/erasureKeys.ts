import type { FieldEdit } from './contacts.ts';

/** What a person is known by. E-mail addresses in lower case, numbers in E.164. */
export type KnownBy = { names: string[]; phones: string[]; emails: string[]; externalIds: string[] };

/** An external id as a key: in a namespace of its own, since one may look like a number or an address. */
export function externalIdKey(externalId: string): string {
  return `x:${externalId}`;
}

/** The keys by which a person is remembered who was erased, so that no import brings them back. */
export function erasureKeys({ phones, emails, externalIds }: Pick<KnownBy, 'phones' | 'emails' | 'externalIds'>): string[] {
  return [...phones, ...emails, ...externalIds.map(externalIdKey)];
}

/** What a contact was once known by, as its edits tell; what it holds now may be among it. */
export function knownByEdits(edits: readonly FieldEdit[]): KnownBy {
  const texts = (field: string) => edits.filter((edit) => edit.field === field).flatMap(({ before, after }) => [before ?? [], after ?? []].flat());
  const once = (list: string[]) => [...new Set(list)];
  return {
    names: once(texts('name')),
    phones: once(texts('phones').flatMap((text) => listed(text, /\+\d{2,15}/))),
    emails: once(texts('emails').flatMap((text) => listed(text, /[^\s,()]+@[^\s,()]+/))),
    externalIds: once(texts('external_id')),
  };
}

/** The items of a list as `readableFields` writes it: `+4930120001 (work) *, +4930120002`. A label may hold anything, a comma too. */
function listed(text: string, item: RegExp): string[] {
  return [...text.matchAll(new RegExp(`(?:^|, )(${item.source})(?=$|, | \\(| \\*)`, 'g'))].flatMap(([, found]) => found ?? []);
}
