import { z } from 'zod';
import { contactActivityView } from './contactActivities.ts';
import { dealView } from './deals.ts';
import { taskView } from './tasks.ts';
import { uuid } from './values.ts';

/** What an agent wants to know before speaking to a contact. */
export const contactSummaryView = z
  .object({
    contact_id: uuid,
    recent_calls: z
      .array(contactActivityView)
      .meta({ description: 'The last three that have ended, the latest first' }),
    open_tasks: z.array(taskView).meta({ description: 'The five that are due first' }),
    open_deals: z
      .array(dealView)
      .meta({ description: 'The five that are expected to close first; those without a day come last' }),
  })
  .meta({ id: 'ContactSummary' });
export type ContactSummaryView = z.infer<typeof contactSummaryView>;
