import type { ContactView } from '../../../../src/contract/contacts.ts';
import type { MergeContactRequest } from '../../../../src/contract/mergeContacts.ts';
import { ownValue } from '../../../../src/contract/ownValue.ts';

/** Which of two contacts is right: the one on the left, or on the right. */
export type Side = 0 | 1;

/** Fields of which one value stays, in the order in which they are shown. */
export const choiceFields = [
  'name',
  'organisation_id',
  'owner_id',
  'tier',
  'language',
  'time_zone',
  'external_id',
  'notes',
] as const;
export type ChoiceField = (typeof choiceFields)[number];

/** A field of both: a fixed one by its name, one of the company's own by its key. */
export type ChoiceRow = { field: ChoiceField | null; key: string; values: [string | null, string | null] };

type Pair = readonly [ContactView, ContactView];

function valueOf(contact: ContactView, field: ChoiceField): string | null {
  switch (field) {
    case 'organisation_id':
      return contact.organisation?.name ?? null;
    case 'owner_id':
      return contact.owner?.name ?? null;
    default:
      return contact[field];
  }
}

/** What either of both says, field by field; what neither does is left out. */
export function rowsOf([left, right]: Pair): ChoiceRow[] {
  const fixed = choiceFields.map((field): ChoiceRow => ({
    field,
    key: field,
    values: [valueOf(left, field), valueOf(right, field)],
  }));
  const keys = [...new Set([...Object.keys(left.fields), ...Object.keys(right.fields)])];
  const text = (contact: ContactView, key: string) => ownValue(contact.fields, key)?.toString() ?? null;
  const own = keys.map((key): ChoiceRow => ({
    field: null,
    key: `fields.${key}`,
    values: [text(left, key), text(right, key)],
  }));
  return [...fixed, ...own].filter(({ values }) => values.some((value) => value !== null));
}

/** Whether there is something to choose. */
export function differs({ values: [left, right] }: ChoiceRow): boolean {
  return left !== null && right !== null && left !== right;
}

/** The one that says more, and of equals the one that was made first: it stays, and is right where nobody chooses. */
export function betterFilled(pair: Pair): Side {
  const [left, right] = pair.map(
    (contact, side) =>
      rowsOf(pair).filter(({ values }) => values[side] !== null).length +
      contact.phones.length +
      contact.emails.length +
      contact.tags.length,
  );
  return (right ?? 0) > (left ?? 0) ? 1 : 0;
}

/**
 * The request that puts both into one as chosen.
 * @param chosen by the key of its row; what is not there is as in the one that stays
 */
export function mergeRequest(pair: Pair, chosen: Readonly<Record<string, Side>>): MergeContactRequest & { id: string } {
  const stays = betterFilled(pair);
  const [kept, other] = stays === 0 ? pair : ([pair[1], pair[0]] as const);
  const taken = rowsOf(pair).filter((row) => differs(row) && (chosen[row.key] ?? stays) !== stays);
  return {
    id: kept.id,
    contact_id: other.id,
    version: kept.version,
    other_version: other.version,
    take: taken.flatMap(({ field }) => field ?? []),
    take_fields: taken.flatMap(({ field, key }) => (field === null ? [key.slice('fields.'.length)] : [])),
  };
}
