import type { FieldEdit } from './contacts.ts';
import { nameKey } from './samePerson.ts';

/**
 * What a person is known by. E-mail addresses in lower case, numbers in E.164; `shared`: numbers that others have too.
 */
export type KnownBy = { names: string[]; phones: string[]; shared: string[]; emails: string[]; externalIds: string[] };

/** An external id as a key: in a namespace of its own, since one may look like a number or an address. */
export function externalIdKey(externalId: string): string {
  return `x:${externalId}`;
}

/** The key of whoever has a number that others have too: the number under a name. Null: without one it is of nobody. */
export function sharedNumberKey(phone: string, name: string | null): string | null {
  const key = nameKey(name);
  return key === '' ? null : `n:${phone} ${key}`;
}

/**
 * The keys by which a person is remembered who was erased, so that no import brings them back. A number that others
 * have is theirs as well, and stays allowed: such a person is remembered by it and the name together.
 */
export function erasureKeys({ names, phones, shared, emails, externalIds }: KnownBy): string[] {
  const named = shared.flatMap((phone) => names.flatMap((name) => sharedNumberKey(phone, name) ?? []));
  return [...phones, ...named, ...emails, ...externalIds.map(externalIdKey)];
}

/** What a contact was once known by, as its edits tell; what it holds now may be among it. */
export function knownByEdits(edits: readonly FieldEdit[]): Omit<KnownBy, 'shared'> {
  const texts = (field: string) =>
    edits.filter((edit) => edit.field === field).flatMap(({ before, after }) => [before ?? [], after ?? []].flat());
  const once = (list: string[]) => [...new Set(list)];
  return {
    names: once(texts('name')),
    phones: once(texts('phones').flatMap((text) => listed(text, /\+\d{2,15}/))),
    emails: once(texts('emails').flatMap((text) => listed(text, /[^\s,()]+@[^\s,()]+/))),
    externalIds: once(texts('external_id')),
  };
}

/**
 * The items of a list as `readableFields` writes it: `+4930120001 (work) *, +4930120002`.
 * A label may hold anything, a comma too.
 */
function listed(text: string, item: RegExp): string[] {
  return [...text.matchAll(new RegExp(`(?:^|, )(${item.source})(?=$|, | \\(| \\*)`, 'g'))].flatMap(
    ([, found]) => found ?? [],
  );
}
