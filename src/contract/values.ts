import { z } from 'zod';

/** Pieces that several schemas share. */

export const uuid = z.uuid().meta({ description: 'UUID' });

/** Phone numbers are accepted in several spellings and parsed by the domain; here only the size is bounded. */
export const phoneInput = z.string().min(1).max(64).meta({
  description: 'Phone number: E.164, with spaces, dots, dashes or parentheses, `00` prefix, or national form',
  examples: ['+15551230001'],
});

export const e164 = z
  .string()
  .regex(/^\+[1-9]\d{1,14}$/)
  .meta({ description: 'Phone number in E.164', examples: ['+15551230001'] });

export const timestamp = z.iso.datetime().meta({ description: 'ISO 8601, UTC, with milliseconds' });

/** Free-form JSON object: any keys, any values. */
export const freeForm = z.record(z.string(), z.unknown());

/** A short single-line text without control characters. */
export const shortText = z
  .string()
  .min(1)
  .max(200)
  // \p{Cc} covers every control character, DEL too.
  .refine((text) => !/\p{Cc}/u.test(text), 'must not hold control characters');

export const code = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_]{0,39}$/, 'must be lower-case letters, digits and underscores, at most 40');

export const codeWithLabel = z.strictObject({ code, label: shortText });
export type CodeWithLabel = z.infer<typeof codeWithLabel>;

export const cursorQuery = {
  cursor: z.uuid().optional().meta({ description: 'The `next_cursor` of the page before' }),
  limit: z.coerce.number().int().min(1).max(200).default(50),
};
