import { z } from 'zod';
import { callStates, directions, endedByParties, endReasons, triggers } from './vocabulary.ts';
import { screenPop } from './screenPops.ts';
import { code, cursorQuery, e164, freeForm, phoneInput, timestamp, uuid } from './values.ts';

export const dispositionRequest = z
  .strictObject({
    code,
    notes: z.string().max(10_000).optional(),
    callback_at: timestamp.optional(),
  })
  .meta({ id: 'SubmitDisposition' });
export type DispositionRequest = z.infer<typeof dispositionRequest>;

export const callView = z
  .object({
    id: uuid,
    agent_id: uuid,
    direction: z.enum(directions),
    trigger: z.enum(triggers),
    state: z.enum(callStates),
    phone: e164,
    external_id: z.string().nullable(),
    contact_id: uuid.nullable(),
    campaign_id: uuid.nullable(),
    metadata: freeForm.nullable(),
    screen_pop: screenPop.nullable(),
    created_at: timestamp,
    ringing_at: timestamp.nullable(),
    answered_at: timestamp.nullable(),
    ended_at: timestamp.nullable(),
    duration_seconds: z.int().nullable().meta({ description: 'From answer to end; null while not ended' }),
    end_reason: z.enum(endReasons).nullable(),
    ended_by: z.enum(endedByParties).nullable(),
    end_detail: z.string().nullable().meta({ description: 'Why the gateway ended the call, e.g. `softphone_lost`' }),
    sip_code: z.int().nullable(),
    disposition: z
      .object({
        code: z.string(),
        label: z.string(),
        notes: z.string().nullable(),
        callback_at: timestamp.nullable(),
        submitted_at: timestamp,
      })
      .nullable(),
  })
  .meta({ id: 'Call' });
export type CallView = z.infer<typeof callView>;

export const listCallsQuery = z.strictObject({
  ...cursorQuery,
  agent_id: uuid.optional(),
  phone: phoneInput.optional(),
  state: z.enum(callStates).optional(),
  direction: z.enum(directions).optional(),
});
export const callList = z.object({ calls: z.array(callView), next_cursor: uuid.nullable() }).meta({ id: 'CallList' });
