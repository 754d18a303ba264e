import { z } from 'zod';
import { countMissedTo, maxLines, maxOutgoingNumbers, maxSpeedDials } from './dialingLimits.ts';
import { says } from './fieldErrors.ts';
import { code, e164, moment, optional, phoneInput, shortText, timestamp, uuid, withDefault } from './values.ts';

/** Whom agents dial by one press, which calls they have missed, and why they skip one. */

const speedDialInput = z.strictObject({ name: shortText.max(80), phone_number: phoneInput });
export const speedDial = z.object({ name: z.string(), phone_number: e164 }).meta({ id: 'SpeedDial' });
export type SpeedDial = z.infer<typeof speedDial>;

/** What customers call: numbers, or what the PBX has in their place, such as an extension. */
export const companyLines = z.array(speedDialInput).max(maxLines);
export const companyLine = z.object({ name: z.string(), phone_number: z.string() }).meta({ id: 'CompanyLine' });

const idsOf = (most: number) =>
  z
    .array(uuid.transform((id) => id.toLowerCase()))
    .max(most)
    .refine((ids) => new Set(ids).size === ids.length, says('repeated', 'must not hold one twice'));

/** A number of the company's that calls go out by, and whose; of nobody: everybody's. */
export const outgoingNumbers = z
  .array(
    speedDialInput.extend({
      agent_ids: withDefault(idsOf(2_000), []).meta({ description: 'The agents who call by it' }),
      team_ids: withDefault(idsOf(500), []).meta({ description: 'The teams whose agents call by it' }),
    }),
  )
  .max(maxOutgoingNumbers);
export const outgoingNumber = speedDial
  .extend({ agent_ids: z.array(uuid), team_ids: z.array(uuid) })
  .meta({ id: 'OutgoingNumber' });
export type OutgoingNumber = z.infer<typeof outgoingNumber>;

export const sharedSpeedDials = z.array(speedDialInput).max(maxSpeedDials.shared);

export const replaceSpeedDialsRequest = z
  .strictObject({
    entries: z
      .array(speedDialInput)
      .max(maxSpeedDials.own)
      .meta({ description: 'In the order in which they are shown; replaces the former list' }),
    version: optional(z.int().min(0)).meta({
      description: 'The version that was read; another one now is refused. Also as `If-Match`',
    }),
  })
  .meta({ id: 'ReplaceSpeedDials' });
export type ReplaceSpeedDialsRequest = z.infer<typeof replaceSpeedDialsRequest>;

export const speedDials = z
  .object({
    own: z.array(speedDial).meta({ description: 'The agent’s own' }),
    shared: z
      .array(speedDial)
      .meta({ description: 'The company’s, which an admin sets (`speed_dials` of the company)' }),
    version: z.int().meta({ description: 'Of the own ones: rises by one per change' }),
  })
  .meta({ id: 'SpeedDials' });
export type SpeedDials = z.infer<typeof speedDials>;

export const missedCalls = z
  .object({
    count: z
      .int()
      .min(0)
      .max(countMissedTo)
      .meta({ description: `Missed since \`seen_until\`, counted to ${String(countMissedTo)}` }),
    seen_until: timestamp.nullable().meta({
      description:
        'Those that ended until then have been looked at. Null: none has; those of the last seven days are counted',
    }),
  })
  .meta({ id: 'MissedCalls' });
export type MissedCalls = z.infer<typeof missedCalls>;

export const seeMissedCallsRequest = z
  .strictObject({
    seen_until: moment.meta({
      description: 'When the latest call that was shown ended. What was seen already stays seen',
    }),
  })
  .meta({ id: 'SeeMissedCalls' });

export const mayDialQuery = z.strictObject({ phone: phoneInput });

export const dialableNumber = z.object({ phone_number: e164 }).meta({ id: 'DialableNumber' });
export type DialableNumber = z.infer<typeof dialableNumber>;

/** Why a call is skipped, and when it is due again; null: it is not to be made any more. */
export const skipReason = z
  .strictObject({
    code,
    label: shortText,
    again_minutes: z
      .int()
      .min(1)
      .max(10_080)
      .nullable()
      .meta({ description: 'It is due again that many minutes later. Null: it is canceled' }),
  })
  .meta({ id: 'SkipReason' });
export type SkipReason = z.infer<typeof skipReason>;
