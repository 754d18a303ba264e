import { z } from 'zod';
import { says } from './fieldErrors.ts';
import { freeForm } from './freeForm.ts';
import { readOtherwise, screenPop, screenPopInput } from './screenPops.ts';
import { teamCode } from './teams.ts';
import { e164, optional, phoneInput, timestamp, uuid } from './values.ts';

/** A click. `fallback` says what happens when the named agent is not Ready. */
export const clickToAccountRequest = z
  .strictObject({
    phone_number: phoneInput,
    agent_code: optional(z.string().min(1).max(100)),
    agent_id: optional(uuid),
    team_code: optional(teamCode).meta({
      description:
        'Of whoever may be chosen, the agents of that team alone: the one of them idle longest. ' +
        'With an agent named, whom the call falls back to',
    }),
    contact_id: optional(z.string().max(500)).meta({
      description: 'Internal contact UUID; a value that is no UUID is treated as `external_id`',
    }),
    caller_id: optional(phoneInput).meta({
      description:
        'The number that the customer sees, one of the company’s `outgoing_numbers`; without it the agent’s. ' +
        'Where a telephony platform dials, that decides',
    }),
    campaign_id: optional(uuid),
    external_id: optional(z.string().max(500)),
    screen_pop: optional(screenPopInput),
    metadata: optional(freeForm),
    override_do_not_call: optional(z.boolean()).meta({
      description:
        'Dials although the contact does not want to be called: of supervisors and admins alone. ' +
        'It stands on the contact’s timeline',
    }),
    fallback: optional(z.enum(['any'])).meta({
      description: '`any`: when the named agent is not Ready, the Ready agent idle longest takes the call',
    }),
  })
  .meta({ id: 'ClickToDial' });
export type ClickToAccountRequest = z.infer<typeof clickToAccountRequest>;

export const clickToDialAnswer = z
  .object({
    call_id: uuid,
    status: z.literal('dialing'),
    phone_number: e164,
    read_otherwise: readOtherwise,
    agent: z.object({ id: uuid, agent_code: z.string(), name: z.string() }),
    screen_pop: screenPop,
    created_at: timestamp,
  })
  .meta({ id: 'ClickToDialAnswer' });
export type ClickToDialAnswer = z.infer<typeof clickToDialAnswer>;

export const idempotencyKey = z
  .string()
  .regex(/^[\x21-\x7e]{1,255}$/, says('not_printable', 'must be 1 to 255 printable ASCII characters'));
