import { z } from 'zod';
import { contactActivityView } from './contactActivities.ts';
import { timestamp, uuid } from './values.ts';

/** What was before a call with the same number. */
export const previousCallsView = z
  .object({
    calls: z.array(contactActivityView).meta({
      description:
        'The last five with the number that have ended, the latest first: each a `call`, `by` the agent who had it',
    }),
    last_spoken: z
      .object({ at: timestamp, agent: z.object({ id: uuid, name: z.string() }) })
      .nullable()
      .meta({
        description:
          'Which agent spoke to somebody at that number last, and until when. Null: nobody in the last 100 calls',
      }),
  })
  .meta({ id: 'PreviousCalls' });
export type PreviousCallsView = z.infer<typeof previousCallsView>;
