import { foldText } from './searchText.ts';

/** What tells people with one number apart. */
export type Identity = { name: string | null; externalId: string | null };

/** The words of a name as they are compared, in one order: “Hopper, Grace” is Grace Hopper. */
export function nameWords(name: string | null): string[] {
  return name === null
    ? []
    : foldText(name)
        .split(' ')
        .filter((word) => word !== '')
        .toSorted();
}

/** The name as two are compared; empty: there is none. */
export function nameKey(name: string | null): string {
  return nameWords(name).join(' ');
}

/** Two with different external ids are two people. */
export function differsById(one: Pick<Identity, 'externalId'>, other: Pick<Identity, 'externalId'>): boolean {
  return one.externalId !== null && other.externalId !== null && one.externalId !== other.externalId;
}

/**
 * Whether two with one number are one person as far as anybody can tell: by their external id, else by their name,
 * which one of them may lack. People share numbers, so that the number alone says nothing of two with different names.
 */
export function isSamePerson(one: Identity, other: Identity): boolean {
  if (differsById(one, other)) return false;
  if (one.externalId !== null && one.externalId === other.externalId) return true;
  const [name, another] = [nameKey(one.name), nameKey(other.name)];
  return name === another || name === '' || another === '';
}
