import { z } from 'zod';
import { timeZone } from './contacts.ts';
import { callStates, directions, endedByParties, endReasons, triggers } from './vocabulary.ts';
import { screenPop, type ExactTexts } from './screenPops.ts';
import { code, cursorQuery, e164, anyFields, moment, momentInQuery, optional, phoneInput, timestamp, uuid, webUrl } from './values.ts';

export const dispositionRequest = z
  .strictObject({
    code,
    notes: optional(z.string().max(10_000)),
    callback_at: optional(moment),
    callback_time_zone: optional(timeZone).meta({
      description: 'IANA time zone in which the time was chosen. Left out: that of the contact, else UTC',
    }),
  })
  .meta({ id: 'SubmitDisposition' });
export type DispositionRequest = z.infer<typeof dispositionRequest>;

/** A call without what the CRM has attached to it. */
export const callSummary = z
  .object({
    id: uuid,
    agent_id: uuid,
    direction: z.enum(directions),
    trigger: z.enum(triggers),
    state: z.enum(callStates),
    phone: e164.nullable().meta({ description: 'Null: the network told no number that can be dialed; then see `caller`' }),
    caller: z.string().nullable().meta({ description: 'In place of `phone`, as the network told it, e.g. an extension. Null where there is a `phone`, and where the caller withheld it' }),
    external_id: z.string().nullable(),
    contact_id: uuid.nullable(),
    campaign_id: uuid.nullable(),
    customer_name: z.string().nullable().meta({ description: 'The `name` of the screen pop' }),
    external_system: z.string().nullable().meta({ description: 'Which CRM the customer’s record is in, as the screen pop tells' }),
    record_url: z.string().nullable().meta({ description: 'Where that record is opened, as the screen pop tells' }),
    source: z.string().nullable().meta({ description: 'The telephony platform that has the call, by its connector, e.g. `genesys`. Null: the agent’s own softphone' }),
    platform_call_id: z.string().nullable().meta({ description: 'What that platform calls it' }),
    queue: z.string().nullable().meta({ description: 'Where that platform had it wait' }),
    created_at: timestamp,
    ringing_at: timestamp.nullable(),
    answered_at: timestamp.nullable(),
    ended_at: timestamp.nullable(),
    duration_seconds: z.int().nullable().meta({ description: 'From answer to end; null while not ended' }),
    notes_draft: z.string().nullable().meta({ description: 'What the agent has noted so far; null once the call is wrapped up' }),
    recording_url: z.string().nullable().meta({ description: 'Where its recording is heard, as it was attached' }),
    end_reason: z.enum(endReasons).nullable(),
    ended_by: z.enum(endedByParties).nullable(),
    end_detail: z.string().nullable().meta({
      description:
        'Why, more closely than `end_reason`: why the gateway ended the call, e.g. `softphone_lost`, or what the softphone told, e.g. `not_in_service`',
    }),
    transferred_to: z.string().nullable().meta({
      description: 'Of `end_reason` `transferred`: to whom, as E.164, or as it was dialed where that is no such number, e.g. an extension. Null: not told',
    }),
    sip_code: z.int().nullable().meta({ description: 'What the telephone network answered, as it was sent' }),
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
  .meta({ id: 'CallSummary' });
export type CallSummary = z.infer<typeof callSummary>;

export const callView = callSummary
  .extend({ metadata: anyFields.nullable(), screen_pop: screenPop.nullable() })
  .meta({ id: 'Call' });
/** `exact` and `looking_up` over the socket alone. `looking_up: false`: the CRM that was being asked has told what it knows, or has not in time. */
export type CallView = z.infer<typeof callView> & { exact?: ExactTexts; looking_up?: false };

export const listCallsQuery = z.strictObject({
  ...cursorQuery,
  agent_id: uuid.optional(),
  team_id: uuid.optional().meta({ description: 'Of the agents who are in that team now' }),
  phone: phoneInput.optional(),
  state: z.enum(callStates).optional(),
  direction: z.enum(directions).optional(),
  end_reason: z.enum(endReasons).optional(),
  disposition: code.optional().meta({ description: 'The code of a disposition' }),
  since: momentInQuery.optional().meta({ description: 'Begun then or later' }),
  until: momentInQuery.optional().meta({ description: 'Begun before then' }),
});
export type ListCallsQuery = z.infer<typeof listCallsQuery>;
export const exportCallsQuery = listCallsQuery.omit({ cursor: true, limit: true });
/** `agents`: of the calls on this page. */
export const callList = z
  .object({
    calls: z.array(callSummary),
    agents: z.array(z.object({ id: uuid, name: z.string(), agent_code: z.string() })).meta({ description: 'Whose these calls are, once each' }),
    next_cursor: uuid.nullable(),
  })
  .meta({ id: 'CallList' });
export type CallList = z.infer<typeof callList>;

export const saveNotesRequest = z.strictObject({ notes: z.string().max(10_000).nullable() }).meta({ id: 'SaveCallNotes' });

/** What may be changed of a call that is over, or attached to one. */
export const changeCallRequest = z
  .strictObject({
    recording_url: webUrl.nullable().optional().meta({ description: 'Where the recording is heard; `null`: nowhere' }),
    disposition: z
      .strictObject({ code, notes: z.string().max(10_000).nullable().optional().meta({ description: 'Left out: they stay as they are' }) })
      .optional()
      .meta({ description: 'Corrects how the call was wrapped up; what it was before stays in its history' }),
  })
  .meta({ id: 'ChangeCall' });
export type ChangeCallRequest = z.infer<typeof changeCallRequest>;

const wrappedUp = z.object({ code: z.string(), label: z.string(), notes: z.string().nullable() });
export const correctionList = z
  .object({
    corrections: z.array(
      z
        .object({
          id: uuid,
          at: timestamp,
          by: z.object({ id: uuid, name: z.string() }).nullable().meta({ description: 'Who did it. Null: a program with the company’s key' }),
          before: wrappedUp.nullable().meta({ description: 'Null: it was not wrapped up' }),
          after: wrappedUp,
        })
        .meta({ id: 'CallCorrection' }),
    ),
  })
  .meta({ id: 'CallCorrectionList' });
export type CorrectionView = z.infer<typeof correctionList>['corrections'][number];
