import { z } from 'zod';
import { says } from './fieldErrors.ts';
import { code, optional, shortText, withDefault } from './values.ts';

/** What a company's own field holds. */
export const fieldKinds = ['text', 'number', 'money', 'date', 'choice', 'link'] as const;
export type FieldKind = (typeof fieldKinds)[number];

const choices = z
  .array(shortText)
  .min(1)
  .max(200)
  .refine((list) => new Set(list).size === list.length, says('not_unique', 'must be unique'))
  .meta({ uniqueItems: true });
const position = z.int().min(0).max(1_000).meta({ description: 'The order; equal ones by key' });
const onPop = z.boolean().meta({ description: 'Whether the screen pop shows it' });

/** What every contact has, by the names that it has on the wire and on the screen pop. */
export const standardFieldKeys = [
  'id',
  'name',
  'phone',
  'phones',
  'email',
  'emails',
  'organisation',
  'owner',
  'tags',
  'tier',
  'vip_tier',
  'language',
  'time_zone',
  'notes',
  'do_not_call',
  'external_id',
  'contact_id',
] as const;

/**
 * Whether it is the name of something that every contact has;
 * a field of that key would stand in its place on the screen pop.
 */
export function isStandardKey(key: string): boolean {
  return (standardFieldKeys as readonly string[]).includes(key);
}

/** Keys that are numbers come before all others wherever JSON is read, whatever their order was. */
const fieldKey = code
  .regex(/[a-z]/, says('no_letter', 'must have a letter'))
  .refine((key) => !isStandardKey(key), says('standard_field', 'is the name of something that every contact has'))
  .meta({ description: 'The name for programs; it stays', not: { enum: standardFieldKeys } });

export const createFieldRequest = z
  .strictObject({
    key: fieldKey,
    label: shortText,
    kind: z.enum(fieldKinds),
    choices: optional(choices),
    position: withDefault(position, 0),
    on_pop: withDefault(onPop, true),
  })
  .refine(({ kind, choices }) => (kind === 'choice') === (choices !== undefined), {
    path: ['choices'],
    message: says('choices_of_choice', 'are needed for a choice, and for nothing else'),
  })
  .meta({
    id: 'CreateField',
    anyOf: [
      { properties: { kind: { const: 'choice' }, choices: { type: 'array' } }, required: ['choices'] },
      { properties: { kind: { enum: fieldKinds.filter((kind) => kind !== 'choice') }, choices: { type: 'null' } } },
    ],
  });
export type CreateFieldRequest = z.infer<typeof createFieldRequest>;
/** The kind stays: values of another kind are another field. */
export const updateFieldRequest = z
  .strictObject({
    label: optional(shortText),
    choices: optional(choices),
    position: optional(position),
    on_pop: optional(onPop),
    version: optional(z.int().min(1)).meta({
      description: 'The version that was read; another one now is refused. Also as `If-Match`',
    }),
  })
  .meta({ id: 'UpdateField' });
export type UpdateFieldRequest = z.infer<typeof updateFieldRequest>;
export const fieldView = z
  .object({
    key: code,
    label: z.string(),
    kind: z.enum(fieldKinds),
    choices: z.array(z.string()).nullable(),
    position: z.int(),
    on_pop: z.boolean(),
    version: z.int(),
  })
  .meta({ id: 'Field' });
export type FieldView = z.infer<typeof fieldView>;
export const fieldList = z.object({ fields: z.array(fieldView) }).meta({ id: 'FieldList' });
