import { z } from 'zod';
import { deliveryView } from './deliveries.ts';
import { timestamp, uuid } from './values.ts';

/** What happened in a call, and what was sent of it. */

/** `arrived`: a call that came in rings; `dialed`: one that goes out is being dialed. */
export const courseSteps = [
  'dialed',
  'arrived',
  'rang',
  'answered',
  'held',
  'resumed',
  'caller_changed',
  'transferred',
  'ended',
  'wrapped_up',
] as const;
/** `system`: the gateway of itself, e.g. as the softphone had vanished. */
export const stepParties = ['agent', 'customer', 'supervisor', 'system'] as const;

const courseStep = z
  .object({
    step: z.enum(courseSteps).meta({
      description:
        '`arrived`: it came in and rang at once. ' +
        '`caller_changed`: the telephone network named another caller, as when a colleague put one through. ' +
        '`transferred`: the agent handed it on, see `transferred_to` of the call',
    }),
    at: timestamp,
    by: z
      .enum(stepParties)
      .nullable()
      .meta({ description: 'Who did it; `system`: the gateway of itself. Null: not known' }),
    person: z
      .object({ id: uuid, name: z.string() })
      .nullable()
      .meta({
        description:
          'Which supervisor, where one did it and it is known; ' +
          'of a call that was handed on, which colleague it came from',
      }),
    seconds: z.int().nullable().meta({ description: 'Until the next step. Null: it is the latest' }),
  })
  .meta({ id: 'CallStep' });
export type CallCourseView = z.infer<typeof courseStep>;
export const callCourse = z.object({ steps: z.array(courseStep) }).meta({ id: 'CallCourse' });

const callDelivery = deliveryView
  .pick({
    id: true,
    target: true,
    event: true,
    state: true,
    attempts: true,
    next_attempt_at: true,
    last_status_code: true,
    created_at: true,
    finished_at: true,
  })
  .meta({ id: 'CallDelivery' });
export type CallDeliveryView = z.infer<typeof callDelivery>;
export const callDeliveryList = z.object({ deliveries: z.array(callDelivery) }).meta({ id: 'CallDeliveryList' });
