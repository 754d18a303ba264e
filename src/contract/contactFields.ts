import { z } from 'zod';
import { says } from './fieldErrors.ts';
import { code, optional, shortText, withDefault } from './values.ts';

/** What a company's own field holds. */
export const fieldKinds = ['text', 'number', 'money', 'date', 'choice', 'link'] as const;
export type FieldKind = (typeof fieldKinds)[number];

const choices = z.array(shortText).min(1).max(200).refine((list) => new Set(list).size === list.length, says('not_unique', 'must be unique')).meta({ uniqueItems: true });
const position = z.int().min(0).max(1_000).meta({ description: 'The order; equal ones by key' });
const onPop = z.boolean().meta({ description: 'Whether the screen pop shows it' });

export const createFieldRequest = z
  .strictObject({
    key: code,
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
  .strictObject({ label: optional(shortText), choices: optional(choices), position: optional(position), on_pop: optional(onPop) })
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
  })
  .meta({ id: 'Field' });
export type FieldView = z.infer<typeof fieldView>;
export const fieldList = z.object({ fields: z.array(fieldView) }).meta({ id: 'FieldList' });
