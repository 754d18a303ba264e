import { z } from 'zod';
import { contactSummaryView } from './contactSummary.ts';
import { popLayoutView } from './popLayout.ts';
import { previousCallsView } from './previousCalls.ts';
import { screenPop } from './screenPops.ts';
import { e164, optional, phoneInput, timestamp, uuid } from './values.ts';
import { callStates, directions } from './vocabulary.ts';

const callName = z.string().min(1).max(200);

/** A link that shows one customer to whoever opens it first. */
export const popLinkRequest = z
  .strictObject({
    phone: phoneInput,
    call_id: optional(
      callName.meta({
        description: 'The call whose state is shown: the gateway’s id, or what a connected telephony platform calls it',
      }),
    ),
  })
  .meta({ id: 'PopLinkRequest' });
export type PopLinkRequest = z.infer<typeof popLinkRequest>;

export const popLink = z
  .object({
    url: z
      .string()
      .meta({ description: 'What follows `#` is the credential; it is sent to no server by being opened' }),
    expires_at: timestamp,
  })
  .meta({ id: 'PopLink' });
export type PopLink = z.infer<typeof popLink>;

export const popSessionRequest = z
  .strictObject({ link: z.string().min(1).max(2048).meta({ description: 'What follows `#link=` in the link' }) })
  .meta({ id: 'PopSessionRequest' });
export const popSession = z.object({ token: z.string(), expires_at: timestamp }).meta({ id: 'PopSession' });
export type PopSession = z.infer<typeof popSession>;

/** What is read again every few seconds asks no CRM. */
const again = z
  .enum(['true'])
  .optional()
  .meta({ description: 'Tells what the gateway has by now, without asking a CRM' });
const company = uuid.optional().meta({ description: 'The company whose page asks: another one’s agent is refused' });
const layout = z.coerce
  .number()
  .int()
  .min(0)
  .optional()
  .meta({ description: 'The version of the layout that the page has: it is told again where there is another one' });
export const popQuery = z.object({ phone: phoneInput, call: callName.optional(), company, again, layout });
export const popSessionQuery = z.object({ again, layout });
export const popSessionHeaders = z.object({ 'x-pop-token': z.string().max(2048).optional() });

/** What the pop page shows. */
export const popView = z
  .object({
    phone: e164,
    found: z.boolean(),
    screen_pop: screenPop,
    call_id: uuid.nullable().optional().meta({
      description: 'Of the call below, for `POST /api/calls/{id}/record`. Absent from gateways older than this field',
    }),
    call: z
      .object({
        state: z.enum(callStates),
        direction: z.enum(directions),
        queue: z.string().nullable(),
        dialed_number: z.string().nullable().optional().meta({
          description: 'The number that the customer called. Absent from gateways older than this field',
        }),
        line: z.string().nullable().optional().meta({ description: 'What the company calls that number; likewise' }),
      })
      .nullable()
      .meta({ description: 'Null: no call was named, it is not known yet, or it is with another number' }),
    summary: contactSummaryView.nullable().meta({ description: 'Of the contact of the built-in CRM' }),
    previous: previousCallsView
      .nullable()
      .optional()
      .meta({
        description:
          'The calls with that number before the one that was named. ' +
          'Null: to an agent who is on no call with it. Absent from gateways older than this field',
      }),
    layout: popLayoutView
      .optional()
      .meta({ description: 'How the fields are shown; absent where the page has that version' }),
    has_contacts: z.boolean().meta({ description: 'Whether the company works with the built-in CRM' }),
  })
  .meta({ id: 'Pop' });
export type PopView = z.infer<typeof popView>;
