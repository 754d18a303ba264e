import { erasureKeys } from '../../domain/erasureKeys.ts';
import type { Contact, ContactContent } from '../../domain/contacts.ts';
import { nameKey } from '../../domain/samePerson.ts';
import type { RowDraft } from './readRow.ts';

/**
 * The customer whom an earlier row of the same check or run has come to, by the first row that came to it;
 * with its external id, and its name as `nameKey` has it.
 */
export type Customer = { row: number; externalId: string | null; name: string };

export const contactKey = ({ id }: Pick<Contact, 'id'>): string => `c:${id}`;
export const externalKeys = ({ externalId }: Pick<RowDraft, 'externalId'>): string[] =>
  externalId === null ? [] : [`x:${externalId}`];
/** Of a row that is known by nothing else. */
export const aloneKeys = (addresses: readonly string[]): string[] => addresses.map((address) => `a:${address}`);
/**
 * Whose addresses count where nothing else does: besides the first row that has one, the first without an external id,
 * who can be anybody.
 */
export const emailKeys = ({ emails }: Pick<RowDraft, 'emails'>): string[] =>
  emails.flatMap(({ email }) => [`e:${email}`, `u:${email}`]);

export function reachOf({ phones, emails }: Pick<ContactContent, 'phones' | 'emails'>): string[] {
  return [...phones.map(({ phone }) => phone as string), ...emails.map(({ email }) => email)];
}

/**
 * By what a customer is known; of a number or address besides the first that has it the first other one,
 * and the first without an external id, and of numbers and addresses the first of each name, and whether
 * another one has that name, too.
 */
export function customerKeys(one: Pick<RowDraft, 'externalId' | 'phones' | 'emails'>, name: string): string[] {
  return [
    ...externalKeys(one),
    ...one.phones.flatMap(({ phone }) => [`p:${phone}`, `u:${phone}`]),
    ...emailKeys(one),
    ...reachOf(one).flatMap((key) => [`s:${key}`, `n:${key}|${name}`, `t:${key}|${name}`]),
  ];
}

/** Likewise of a customer with whom nobody shares any of it. */
export function newCustomerKeys(one: Pick<RowDraft, 'externalId' | 'phones' | 'emails'>, name: string): string[] {
  return [...firstKeys(one), ...reachOf(one).map((key) => `n:${key}|${name}`)];
}

/**
 * What the customer has whom a row came to first: these numbers and addresses (empty: that it was not refused),
 * and a name and an external id, if it has them.
 */
export function contentKeys(row: number, reach: readonly string[], name: string, externalId: string | null): string[] {
  return [
    ...reach.map((key) => `q:${row}:${key}`),
    ...(name === '' ? [] : [`w:${row}`]),
    ...(externalId === null ? [] : [`i:${row}`]),
  ];
}

/** The key of whoever had a number or address first: without it nobody has any other key of that. */
export const firstKeyOf = (reach: string): string => `${reach.includes('@') ? 'e' : 'p'}:${reach}`;

/** By these a row is first looked up. */
export function firstKeys(one: Pick<RowDraft, 'externalId' | 'phones' | 'emails'>): string[] {
  return [...externalKeys(one), ...reachOf(one).map(firstKeyOf)];
}

/** The customer's name, and what the row calls it: whoever an id or address has told to be this one is so by either. */
export function namesOf(draft: RowDraft, name: string): string[] {
  return [...new Set([name, nameKeyOf(draft) || name])];
}

/** What a contact is known by and was not before, as `erasureKeys` has it. */
export function addedTo(before: Reached | null, after: Reached): string[] {
  const had = new Set(before === null ? [] : reachedBy(before));
  return reachedBy(after).filter((key) => !had.has(key));
}

type Reached = Pick<ContactContent, 'name' | 'phones' | 'emails' | 'externalId'>;
function reachedBy({ name, phones, emails, externalId }: Reached): string[] {
  const numbers = phones.map(({ phone }) => phone as string);
  return erasureKeys({
    names: name === null ? [] : [name],
    phones: numbers,
    shared: numbers,
    emails: emails.map(({ email }) => email),
    externalIds: externalId === null ? [] : [externalId],
  });
}

/** What a row is known by, as `erasureKeys` has it. */
export const reachedByRow = onceEach((draft) => reachedBy({ ...draft, name: nameOf(draft) }));

/** What a row calls the customer, as `nameKey` has it. */
export const nameKeyOf = onceEach((draft) => nameKey(nameOf(draft)));

/** Of a row that is asked about again and again. */
function onceEach<T>(read: (draft: RowDraft) => T): (draft: RowDraft) => T {
  const known = new WeakMap<RowDraft, { is: T }>();
  return (draft) => {
    const found = known.get(draft) ?? { is: read(draft) };
    known.set(draft, found);
    return found.is;
  };
}

/** What a row calls the customer; null: nothing. */
export function nameOf({ scalars }: RowDraft): string | null {
  return scalars.name ?? null;
}
