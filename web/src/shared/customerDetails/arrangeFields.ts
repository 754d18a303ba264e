import type { PopField, PopLayout } from '../../../../src/contract/popLayout.ts';
import { formatOfKind } from '../values/formatOfKind.ts';
import type { HowWritten } from '../values/writeValue.ts';
import { type CustomerField, textOf } from './customerFields.ts';

/** A field with what it is called, and how its values are written. */
export type ArrangedField = CustomerField & { how: HowWritten };

/**
 * Whose fields they are. `object`: the CRM's name for the kind of record; `isContact`: it is one of the built-in CRM.
 */
export type FieldsOf = { object: string | undefined; isContact: boolean };

/**
 * The fields as the company's admin has arranged them: those that are pinned, and the others in the admin's order,
 * then what nobody has arranged in the order in which it came.
 * @param fields with how they are written where the layout says nothing
 */
export function arrangeFields(
  fields: readonly ArrangedField[],
  layout: Pick<PopLayout, 'fields' | 'contact_fields'>,
  of: FieldsOf,
): { pinned: ArrangedField[]; others: ArrangedField[] } {
  const rules = rulesFor(layout.fields, of.object);
  const own = new Map(of.isContact ? layout.contact_fields.map((field) => [field.key, field]) : []);
  const placed = fields.flatMap((field) => {
    const found = rules.get(field.key) ?? rules.get(patternOf(field.key));
    if (found?.rule.hidden === true) return [];
    const contactField = own.get(field.key);
    const label =
      found?.rule.label === undefined
        ? (contactField?.label ?? field.label)
        : found.rule.label + entriesOf(found.rule.key, field.key);
    const usual = contactField === undefined ? field.how : { format: formatOfKind(contactField.kind) };
    return [
      {
        field: { ...field, label, how: howOf(found?.rule, usual, fields) },
        place: found?.place ?? Infinity,
        isPinned: found?.rule.pinned === true,
      },
    ];
  });
  const inOrder = (isPinned: boolean) =>
    placed
      .filter((each) => each.isPinned === isPinned)
      .toSorted((one, other) => (one.place === other.place ? 0 : one.place - other.place));
  return { pinned: inOrder(true).map(({ field }) => field), others: inOrder(false).map(({ field }) => field) };
}

/** What holds for each key: what is said of records of this kind goes before what is said of all. */
function rulesFor(
  fields: readonly PopField[],
  object: string | undefined,
): Map<string, { rule: PopField; place: number }> {
  const rules = new Map<string, { rule: PopField; place: number }>();
  for (const [place, rule] of fields.entries()) {
    if (rule.object !== undefined && rule.object !== object) continue;
    if (rule.object !== undefined || !rules.has(rule.key)) rules.set(rule.key, { rule, place });
  }
  return rules;
}

/** The key with whichever entry of a list: `orders.0.total` is `orders.*.total`. */
export function patternOf(key: string): string {
  return key
    .split('.')
    .map((step, index) => (index > 0 && /^\d+$/.test(step) ? '*' : step))
    .join('.');
}

/** Which entries of lists a field is in, behind the label that all of them have: ` 1`. */
function entriesOf(pattern: string, key: string): string {
  const path = key.split('.');
  return pattern === key
    ? ''
    : pattern
        .split('.')
        .map((step, index) => (step === '*' ? ` ${String(Number(path[index]) + 1)}` : ''))
        .join('');
}

function howOf(rule: PopField | undefined, usual: HowWritten, fields: readonly CustomerField[]): HowWritten {
  if (rule?.format === undefined || rule.format === 'auto') return usual;
  return rule.format === 'money'
    ? { format: 'money', currency: rule.currency ?? currencyIn(fields, rule.currency_key) }
    : { format: rule.format };
}

/** The currency that a field of the record names; null: it names none. */
function currencyIn(fields: readonly CustomerField[], key: string | undefined): string | null {
  const named = fields.find((field) => field.key === key);
  const code = named === undefined ? '' : textOf(named.values).trim().toUpperCase();
  return /^[A-Z]{3}$/.test(code) ? code : null;
}
