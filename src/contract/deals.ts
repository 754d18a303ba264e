import { z } from 'zod';
import { says } from './fieldErrors.ts';
import { optional, shortText, timestamp, uuid } from './values.ts';
import { dealStates } from './vocabulary.ts';

/** Deals of the built-in CRM: what may be sold, and how far it is. */

const amountForm = /^-?\d{1,15}(?:\.\d{1,3})?$/;
const amount = z
  .string()
  .regex(amountForm, says('not_an_amount', 'must be an amount such as "12500.50"'))
  .meta({
    description: 'An exact decimal as text, with at most three decimals; never a number, which would be rounded',
    examples: ['12500.5'],
  });

const currencies = new Set(Intl.supportedValuesOf('currency'));
export const currency = z
  .string()
  .regex(/^[A-Z]{3}$/, says('not_a_currency', 'must be a currency such as "EUR"'))
  .refine((code) => currencies.has(code), says('not_a_currency', 'must be a currency such as "EUR"'))
  .meta({ description: 'ISO 4217', examples: ['EUR'] });

const notADay = says('not_a_day', 'must be a day such as "2026-12-18"');
const day = z
  .string()
  .regex(/^(?!0000)\d{4}-\d{2}-\d{2}$/, notADay)
  .refine(isDay, notADay)
  .meta({ description: 'A day, without a time', examples: ['2026-12-18'] });

function isDay(text: string): boolean {
  const at = new Date(text);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}

const dealFields = {
  value: amount.nullable().optional().meta({ description: 'An exact decimal as text; needs `currency`' }),
  currency: currency.nullable().optional(),
  owner_id: uuid
    .nullable()
    .optional()
    .meta({ description: 'The agent who looks after it. Left out when it is made: the caller' }),
  contact_id: uuid.nullable().optional(),
  organisation_id: uuid.nullable().optional(),
  expected_close: day.nullable().optional(),
};

export const createDealRequest = z
  .strictObject({
    name: shortText,
    stage_id: optional(uuid).meta({ description: 'Left out: the first stage of the company’s first pipeline' }),
    ...dealFields,
  })
  .meta({ id: 'CreateDeal' });
export type CreateDealRequest = z.infer<typeof createDealRequest>;

/** Every field optional; null clears what can be empty. */
export const updateDealRequest = z
  .strictObject({
    name: optional(shortText),
    stage_id: optional(uuid).meta({ description: 'Moves it there; the stage may be of another pipeline' }),
    ...dealFields,
    version: optional(z.int().min(1)).meta({
      description: 'The version that was read; another one now is refused. Also as `If-Match`',
    }),
  })
  .meta({ id: 'UpdateDeal' });
export type UpdateDealRequest = z.infer<typeof updateDealRequest>;

const named = z.object({ id: uuid, name: z.string() });

export const dealView = z
  .object({
    id: uuid,
    name: z.string(),
    pipeline_id: uuid,
    stage: z.object({ id: uuid, name: z.string(), outcome: z.enum(dealStates), probability: z.int() }),
    value: z.string().nullable().meta({ description: 'An exact decimal, without zeros at its end' }),
    currency: z.string().nullable(),
    owner: named.nullable(),
    contact: z
      .object({ id: uuid, name: z.string().nullable() })
      .nullable()
      .meta({ description: 'Null also where the contact is not shown to the caller' }),
    organisation: named.nullable(),
    expected_close: z.string().nullable(),
    version: z.int(),
    moved_at: timestamp.meta({ description: 'Since when it is in its stage' }),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Deal' });
export type DealView = z.infer<typeof dealView>;

/** What a list is sorted by; with a minus: from the last to the first. */
export const dealSorts = [
  'created',
  '-created',
  'moved',
  '-moved',
  'expected_close',
  '-expected_close',
  'value',
  '-value',
  'name',
  '-name',
] as const;
export type DealSort = (typeof dealSorts)[number];

/** Where a page of a sorted list goes on. */
const placeCursor = z.string().min(1).max(400).optional().meta({ description: 'The `next_cursor` of the page before' });
const pageSize = z.coerce.number().int().min(1).max(200).default(50);

export const listDealsQuery = z.strictObject({
  cursor: placeCursor,
  limit: pageSize,
  sort: z.enum(dealSorts).default('created').meta({
    description:
      'With a minus: from the last to the first. Where there is no day or value: last, and first with a minus',
  }),
  pipeline: uuid.optional(),
  stage: uuid.optional(),
  state: z.enum(dealStates).optional(),
  owner: uuid.optional(),
  contact: uuid.optional(),
  organisation: uuid.optional(),
  closes_from: day.optional().meta({ description: 'Expected to close on this day or later' }),
  closes_until: day.optional().meta({ description: 'Expected to close on this day or earlier' }),
});
export type ListDealsQuery = z.infer<typeof listDealsQuery>;
export const dealList = z
  .object({ deals: z.array(dealView), next_cursor: z.string().nullable() })
  .meta({ id: 'DealList' });

export const dealMoveView = z
  .object({
    id: uuid,
    at: timestamp,
    by: named.nullable().meta({ description: 'The agent. Null: the company’s own system, by its key' }),
    from: named.nullable().meta({ description: 'The stage, as it was called then. Null: the deal was made' }),
    to: named,
  })
  .meta({ id: 'DealMove' });
export type DealMoveView = z.infer<typeof dealMoveView>;
export const dealMoveList = z
  .object({ moves: z.array(dealMoveView), next_cursor: uuid.nullable() })
  .meta({ id: 'DealMoveList' });

export const boardQuery = z.strictObject({
  owner: uuid.optional(),
  limit: z.coerce.number().int().min(1).max(100).default(20).meta({ description: 'How many deals of each stage' }),
});
export type BoardQuery = z.infer<typeof boardQuery>;

export const dealBoard = z
  .object({
    pipeline_id: uuid,
    stages: z.array(
      z.object({
        id: uuid,
        name: z.string(),
        outcome: z.enum(dealStates),
        probability: z.int(),
        count: z
          .int()
          .meta({ description: 'Of all its deals that the caller sees, also of those that are not on this page' }),
        sums: z
          .array(z.object({ currency: z.string(), value: z.string() }))
          .meta({ description: 'One for each currency, exact' }),
        deals: z.array(dealView).meta({ description: 'The latest moved first' }),
        next_cursor: z.string().nullable().meta({ description: 'For `GET /api/crm/deals?stage=…&sort=-moved`' }),
      }),
    ),
  })
  .meta({ id: 'DealBoard' });
export type DealBoard = z.infer<typeof dealBoard>;
