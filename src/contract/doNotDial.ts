import { z } from 'zod';
import { requestCause } from './causes.ts';
import { cursorQuery, optional, shortText, timestamp, uuid } from './values.ts';

/** The do-not-dial list of a company: numbers that none of its agents dials. */

const listedNumber = z
  .string()
  .regex(/^\+[1-9]\d{0,14}\*?$/)
  .meta({
    description: 'A number in E.164; or how numbers begin, with an asterisk behind it',
    examples: ['+15551230001', '+49900*'],
  });

export const addDoNotDialRequest = z
  .strictObject({
    number: z
      .string()
      .min(1)
      .max(64)
      .meta({
        description: 'In any spelling; with an asterisk behind it, every number that begins so',
        examples: ['+15551230001', '+49 900*'],
      }),
    note: optional(shortText).meta({ description: 'Why it is on the list' }),
  })
  .meta({ id: 'AddDoNotDial' });
export type AddDoNotDialRequest = z.infer<typeof addDoNotDialRequest>;

export const doNotDialEntry = z
  .object({
    id: uuid,
    number: listedNumber,
    note: z.string().nullable(),
    added_by: z
      .object({ id: uuid, name: z.string() })
      .nullable()
      .meta({ description: 'Null: the company’s own system, by its key' }),
    created_at: timestamp,
  })
  .meta({ id: 'DoNotDialEntry' });
export type DoNotDialEntry = z.infer<typeof doNotDialEntry>;

export const listDoNotDialQuery = z.strictObject({
  ...cursorQuery,
  cursor: z.string().min(1).max(400).optional().meta({ description: 'The `next_cursor` of the page before' }),
  q: z
    .string()
    .max(64)
    .optional()
    .meta({
      description:
        'Digits of a number, in any spelling: entries that begin so, and those that cover it. ' +
        'Of a whole number that is all that keeps it from being dialed',
      examples: ['+49 900 1'],
    }),
});
export type ListDoNotDialQuery = z.infer<typeof listDoNotDialQuery>;
export const doNotDialList = z
  .object({ entries: z.array(doNotDialEntry), next_cursor: z.string().nullable() })
  .meta({ id: 'DoNotDialList' });

/** How many rows that were refused are told one by one. */
export const maxRefusedRows = 100;

export const doNotDialImport = z
  .object({
    added: z.int().meta({ description: 'Numbers that were not on the list' }),
    known: z.int().meta({ description: 'Rows whose number was on the list, or in an earlier row' }),
    refused: z.int().meta({ description: 'Rows that hold no number; nothing was added for them' }),
    errors: z
      .array(
        z.object({
          row: z.int().meta({ description: 'Its number in the file, from 1' }),
          message: z.string(),
          ...requestCause.shape,
        }),
      )
      .meta({ description: `The first ${String(maxRefusedRows)} of them, and why` }),
  })
  .meta({ id: 'DoNotDialImport' });
export type DoNotDialImport = z.infer<typeof doNotDialImport>;
