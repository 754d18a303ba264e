import { z } from 'zod';
import { says } from './fieldErrors.ts';

/** Pieces that several schemas share. */

/** Every control character, DEL too, for a class of characters: as the patterns of other languages take it. */
export const controls = String.raw`\x00-\x1f\x7f-\x9f`;

export const uuid = z.uuid().meta({ description: 'UUID' });

/** Phone numbers are accepted in several spellings and parsed by the domain; here only the size is bounded. */
export const phoneInput = z
  .string()
  .min(1)
  .max(64)
  .meta({
    description:
      'Phone number: E.164, with spaces, dots, dashes or parentheses, an exit code as `00`, national form, ' +
      'with an extension, or in a `tel:` or `sip:` address',
    examples: ['+15551230001'],
  });

/**
 * What the telephone network told of who is calling: a number in any spelling, an extension, `anonymous`, or nothing.
 */
export const callerInput = z.string().max(256);

export const e164 = z
  .string()
  .regex(/^\+[1-9]\d{1,14}$/)
  .meta({ description: 'Phone number in E.164', examples: ['+15551230001'] });

/** What SIP calls a call (`Call-ID`, RFC 3261, 25.1): printable ASCII without spaces. */
export const sipCallId = z
  .string()
  .regex(/^[!-~]{1,255}$/, says('not_a_sip_call_id', 'must be 1 to 255 printable ASCII characters, without spaces'))
  .meta({ description: 'SIP’s `Call-ID` of a call', examples: ['a84b4c76e66710@pbx.example.com'] });

/** The same in a query, where a plus that is not escaped is read as a space. */
export const sipCallIdInQuery = z
  .preprocess((text) => (typeof text === 'string' ? text.replaceAll(' ', '+') : text), sipCallId)
  .meta({ description: 'SIP’s `Call-ID` of a call' });

export const timestamp = z.iso.datetime().meta({ description: 'ISO 8601, UTC, with milliseconds' });

/**
 * A field that may be left out, and for which null says the same: many programs write null where they have nothing.
 * Not for a field that null clears.
 */
export function optional<T extends z.ZodType>(schema: T): z.ZodOptional<T> {
  // Typed as what it is to those who write and read such a field: null is no value that is passed on.
  // Not by `transform`, which takes five times as long for each field.
  return schema.nullish().overwrite((value) => value ?? undefined) as unknown as z.ZodOptional<T>;
}

/** The same, with a value that stands for what was left out. */
export function withDefault<T extends z.ZodType>(schema: T, fallback: z.output<T>): z.ZodDefault<T> {
  return schema.nullish().transform((value) => value ?? fallback) as unknown as z.ZodDefault<T>;
}

/** A moment as callers write it, in UTC or with any offset; read as UTC with milliseconds, from year 1 to 9999. */
export const moment = z.iso
  .datetime({ offset: true })
  .transform((text) => new Date(text).toISOString())
  // PostgreSQL counts from year 1; an offset may lead out of the four digits at both ends.
  .refine((text) => /^(?!0000)\d{4}-/.test(text), says('year_out_of_range', 'must be in the years 1 to 9999'))
  .meta({ description: 'ISO 8601 with any offset, such as `2026-11-21T10:00:00+01:00`; kept in UTC' });

/** The same in a query string, where a plus sign that nobody encoded arrives as a space. */
export const momentInQuery = z
  .preprocess((text) => (typeof text === 'string' ? text.replace(/ (?=\d\d:\d\d$)/, '+') : text), moment)
  .meta({ description: 'ISO 8601 with any offset' });

/** A password that is to be set. */
export const newPassword = z.string().min(8).max(1024);

/** An e-mail address, which is compared without case and surrounding spaces. */
export const emailInput = z.string().trim().max(254).check(z.email());

/**
 * A URL that is kept as it was written. What the URL parser would drop without a word (line breaks, tabs, spaces
 * around) or read as something else (backslashes) is refused: another URL than the one that was given would be called.
 */
export const webUrl = z
  .string()
  .max(2048)
  .regex(new RegExp(`^[Hh][Tt][Tt][Pp][Ss]?://[^\\s${controls}\\\\]+$`), {
    error: says('not_a_url', 'must be a URL such as "https://crm.example.com/hook", without white space'),
    abort: true,
  })
  .refine((text) => URL.canParse(text), says('not_a_url', 'must be a valid URL'))
  .meta({ format: 'uri' });

/** For `refine`: an object has so many entries at most. */
export function mostEntries(most: number): [isFit: (given: object) => boolean, message: string] {
  return [(given) => Object.keys(given).length <= most, says('invalid', `must have at most ${most} entries`)];
}

/** A free-form JSON object in an answer: any fields, as they came. What requests may bring is in freeForm.ts. */
export const anyFields = z.record(z.string(), z.unknown());

/** Without control characters. */
export const singleLine = new RegExp(`^[^${controls}]*$`);

/** A short single-line text without control characters. */
export const shortText = z
  .string()
  .min(1)
  .max(200)
  .regex(singleLine, says('control_characters', 'must not hold control characters'));

export const code = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9_]{0,39}$/,
    says('not_a_code', 'must be lower-case letters, digits and underscores, at most 40'),
  );

export const codeWithLabel = z.strictObject({ code, label: shortText });
export type CodeWithLabel = z.infer<typeof codeWithLabel>;

/** What became of a call, as a company names it. */
const callbackFlag =
  'Whether a call is wrapped up so only with `callback_at`. Where nobody has said: true for the code `callback`';
export const dispositionEntry = codeWithLabel.extend({
  requires_callback_at: optional(z.boolean()).meta({ description: callbackFlag }),
});
export const dispositionOption = z
  .object({ code, label: shortText, requires_callback_at: z.boolean().meta({ description: callbackFlag }) })
  .meta({ id: 'DispositionOption' });
export type DispositionOption = z.infer<typeof dispositionOption>;

/** A disposition with its flag set: where nobody has said, only `callback` needs a time. */
export function toDispositionOption({
  code,
  label,
  requires_callback_at = code === 'callback',
}: z.output<typeof dispositionEntry>): DispositionOption {
  return { code, label, requires_callback_at };
}

export const cursorQuery = {
  cursor: z.uuid().optional().meta({ description: 'The `next_cursor` of the page before' }),
  limit: z.coerce.number().int().min(1).max(200).default(50),
};
