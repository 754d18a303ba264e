import { z } from 'zod';
import { uuid } from './values.ts';

/** Erasing a person. */

export const eraseContactRequest = z
  .strictObject({ version: z.int().min(1).meta({ description: 'The version of the contact, as it was read' }) })
  .meta({ id: 'EraseContact' });
export type EraseContactRequest = z.infer<typeof eraseContactRequest>;

const count = z.int().min(0);

/** How much of each kind was erased, in the order in which it is. */
export const erasedCounts = z
  .object({
    calls: count.meta({ description: 'Calls that stay as figures alone' }),
    webhook_deliveries: count.meta({ description: 'Webhooks of its calls and changes, those not sent yet too' }),
    crm_deliveries: count.meta({
      description: 'Entries of its calls on their way into the CRM, and what was logged of them here',
    }),
    pushed_records: count.meta({ description: 'What a CRM pushed for its numbers' }),
    tasks: count,
    deals: count.meta({ description: 'Deals that name nobody any more' }),
    import_rows: count,
    import_keys: count.meta({ description: 'What imports that are under way knew it by' }),
    answers: count.meta({ description: 'Answers kept under an Idempotency-Key' }),
    timeline_entries: count,
  })
  .meta({ id: 'ErasedCounts' });
export type ErasedCounts = z.infer<typeof erasedCounts>;

export const erasureView = z
  .object({
    contact_id: uuid,
    phones: count.meta({
      description: 'Numbers of the contact that no import brings back; former ones too, which no other contact has now',
    }),
    emails: count.meta({ description: 'Its e-mail addresses, likewise' }),
    external_ids: count.meta({ description: 'Its external ids, likewise' }),
    erased: erasedCounts,
  })
  .meta({ id: 'Erasure' });
export type ErasureView = z.infer<typeof erasureView>;
