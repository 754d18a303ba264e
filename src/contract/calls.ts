import { z } from 'zod';
import { longestTag, mostTags } from './callRules.ts';
import { timeZone } from './contacts.ts';
import { callStates, directions, endedByParties, endReasons, triggers } from './vocabulary.ts';
import { screenPop, type ExactTexts } from './screenPops.ts';
import { says } from './fieldErrors.ts';
import {
  code,
  cursorQuery,
  e164,
  anyFields,
  moment,
  momentInQuery,
  optional,
  phoneInput,
  singleLine,
  sipCallIdInQuery,
  timestamp,
  uuid,
  webUrl,
} from './values.ts';

/** What a call is marked with. */
export const callTag = z
  .object({
    code: z.string().nullable().meta({ description: 'Of one of the company’s `tags`. Null: in the agent’s own words' }),
    label: z.string().meta({ description: 'As it was called when it was chosen' }),
  })
  .meta({ id: 'CallTag' });
export type CallTag = z.infer<typeof callTag>;

const tagText = z
  .string()
  .trim()
  .min(1)
  .max(longestTag)
  .regex(singleLine, says('control_characters', 'must not hold control characters'));
const chosenTags = z
  .array(tagText)
  .max(mostTags)
  .meta({
    description:
      'Codes of the company’s `tags`; where it has `free_tags`, other words, too. ' +
      'Those that the call has already stay possible',
  });

export const dispositionRequest = z
  .strictObject({
    code,
    notes: optional(z.string().max(10_000)),
    tags: optional(chosenTags).meta({ description: 'Left out: those of the call so far' }),
    callback_at: optional(moment),
    callback_time_zone: optional(timeZone).meta({
      description: 'IANA time zone in which the time was chosen. Left out: that of the contact, else UTC',
    }),
  })
  .meta({ id: 'SubmitDisposition' });
export type DispositionRequest = z.infer<typeof dispositionRequest>;

/**
 * How well agent and customer could hear each other, as the agent's softphone measured it over the call.
 * `mos`: estimated every 5 seconds from the other three by the E-model (ITU-T G.107), 1 to 4.5, on average; beside it
 * the middle one and the worst one of those. `rtt_ms`: null where the other side did not tell.
 */
const mos = z.number().min(1).max(5);
const quality = {
  mos: mos.meta({
    description:
      'Mean opinion score as the E-model (ITU-T G.107) estimates it: 1 bad to 4.5 as good as a telephone gets. ' +
      'The average of what was estimated every 5 seconds',
  }),
  jitter_ms: z.int().min(0).max(60_000),
  loss_percent: z
    .number()
    .min(0)
    .max(100)
    .meta({ description: 'Packets of either direction that were lost, the worse one' }),
};
const roundTrip = z.int().min(0).max(60_000);
export const callQuality = z
  .object({
    ...quality,
    mos_median: mos.nullable().meta({ description: 'Half of the call was no worse. Null: not told' }),
    mos_worst: mos.nullable().meta({ description: 'Its worst 5 seconds. Null: not told' }),
    rtt_ms: roundTrip.nullable().meta({ description: 'There and back. Null: not known' }),
  })
  .meta({ id: 'CallQuality' });
export type CallQuality = z.infer<typeof callQuality>;
/** What softphones tell of it; those of the version before know neither the middle nor the worst one. */
export const reportedQuality = z.strictObject({
  ...quality,
  mos_median: optional(mos),
  mos_worst: optional(mos),
  rtt_ms: optional(roundTrip),
});
export type ReportedQuality = z.infer<typeof reportedQuality>;

export function toCallQuality(told: ReportedQuality): CallQuality {
  const { mos_median = null, mos_worst = null, rtt_ms = null } = told;
  return { ...told, mos_median, mos_worst, rtt_ms };
}

/** Who hands a call on, as they were then. */
export const transferredFrom = z
  .object({
    agent_id: uuid,
    agent_code: z.string(),
    name: z.string(),
    extension: z
      .string()
      .nullable()
      .meta({ description: 'By which the PBX tells that they call. Null: they have no account there' }),
    notes: z.string().nullable(),
  })
  .meta({ id: 'TransferredFrom' });
export type TransferredFrom = z.infer<typeof transferredFrom>;

/** A call without what the CRM has attached to it. */
export const callSummary = z
  .object({
    id: uuid,
    agent_id: uuid,
    direction: z.enum(directions),
    trigger: z.enum(triggers),
    state: z.enum(callStates),
    phone: e164
      .nullable()
      .meta({ description: 'Null: the network told no number that can be dialed; then see `caller`' }),
    caller: z
      .string()
      .nullable()
      .meta({
        description:
          'In place of `phone`, as the network told it, e.g. an extension. ' +
          'Null where there is a `phone`, and where the caller withheld it',
      }),
    dialed_number: z
      .string()
      .nullable()
      .meta({
        description:
          'Of an inbound call, the number that the customer called: E.164, or as the network told it where that is ' +
          'no such number. Null: not told',
      }),
    caller_id: e164.nullable().meta({
      description: 'Of an outbound call, the number that the PBX is to show the customer. Null: as the PBX has it',
    }),
    external_id: z.string().nullable(),
    contact_id: uuid.nullable(),
    campaign_id: uuid.nullable(),
    customer_name: z.string().nullable().meta({ description: 'The `name` of the screen pop' }),
    external_system: z
      .string()
      .nullable()
      .meta({ description: 'Which CRM the customer’s record is in, as the screen pop tells' }),
    record_url: z.string().nullable().meta({ description: 'Where that record is opened, as the screen pop tells' }),
    source: z.string().nullable().meta({
      description:
        'The telephony platform that has the call, by its connector, e.g. `genesys`. Null: the agent’s own softphone',
    }),
    platform_call_id: z.string().nullable().meta({
      description:
        'What that platform calls it. One that came back, or whose name is used again, has that of a call before',
    }),
    queue: z.string().nullable().meta({
      description: 'Where it waited, as the telephony platform calls that, or the PBX in the header of the settings',
    }),
    created_at: timestamp,
    ringing_at: timestamp.nullable(),
    answered_at: timestamp.nullable(),
    ended_at: timestamp.nullable(),
    duration_seconds: z.int().nullable().meta({ description: 'From answer to end; null while not ended' }),
    held_at: timestamp.nullable().meta({ description: 'Since when it is on hold; null: it is not' }),
    hold_seconds: z.int().meta({ description: 'For how long it was on hold, all together, without a hold that lasts' }),
    quality: callQuality.nullable().meta({ description: 'As the softphone measured it; null: it did not' }),
    tags: z.array(callTag).meta({ description: 'What the agent marked it with, from its first ring' }),
    notes_draft: z
      .string()
      .nullable()
      .meta({ description: 'What the agent has noted so far; null once the call is wrapped up' }),
    code_draft: z
      .string()
      .nullable()
      .meta({ description: 'The disposition that is chosen and not submitted yet; null once the call is wrapped up' }),
    callback_at_draft: timestamp.nullable().meta({ description: 'The same of the time to call back' }),
    draft_at: timestamp
      .nullable()
      .meta({ description: 'When what is drafted was entered; null: nothing is, or before it was kept' }),
    recording_url: z.string().nullable().meta({ description: 'Where its recording is heard, as it was attached' }),
    do_not_call_override_by: uuid.nullable().meta({
      description:
        'The supervisor or admin who had it dialed although the contact, or the company’s do-not-dial list, ' +
        'forbids it. Null: nobody had to',
    }),
    end_reason: z.enum(endReasons).nullable(),
    ended_by: z.enum(endedByParties).nullable(),
    end_detail: z
      .string()
      .nullable()
      .meta({
        description:
          'Why, more closely than `end_reason`: why the gateway ended the call, e.g. ' +
          '`softphone_lost`, or what the softphone told, e.g. `not_in_service`',
      }),
    transferred_to: z
      .string()
      .nullable()
      .meta({
        description:
          'Of `end_reason` `transferred`, or `end_detail` `passed_on`: to whom, as E.164, or as it was dialed where ' +
          'that is no such number, e.g. an extension. Null: not told',
      }),
    parent_call_id: uuid.nullable().meta({
      description: 'The call of the colleague who hands it on, or asks about it. Null: this call begins a conversation',
    }),
    transferred_from: transferredFrom
      .nullable()
      .meta({ description: 'Of a call with a `parent_call_id`: who hands it on, and what they had noted by then' }),
    sip_code: z.int().nullable().meta({ description: 'What the telephone network answered, as it was sent' }),
    sip_call_id: z
      .string()
      .nullable()
      .meta({
        description:
          'SIP’s `Call-ID` between the softphone and its PBX: the first one, where a reload or a transfer by the PBX ' +
          'makes others. Null: not told',
      }),
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
/**
 * `exact` and `looking_up` over the socket alone. `looking_up: false`: the CRM that was being asked has told what it
 * knows, or has not in time.
 */
export type CallView = z.infer<typeof callView> & { exact?: ExactTexts; looking_up?: false };

export const listCallsQuery = z.strictObject({
  ...cursorQuery,
  agent_id: uuid.optional(),
  team_id: uuid.optional().meta({ description: 'Of the agents who are in that team now' }),
  phone: phoneInput.optional(),
  sip_call_id: sipCallIdInQuery.optional(),
  state: z.enum(callStates).optional(),
  direction: z.enum(directions).optional(),
  end_reason: z.enum(endReasons).optional(),
  result: z
    .enum(['missed', 'answered'])
    .optional()
    .meta({
      description:
        '`missed`: somebody called, and nobody talked to them, ' +
        'here or (`end_detail` `answered_elsewhere`, `passed_on`) at another telephone. `answered`: they talked',
    }),
  q: z
    .string()
    .max(200)
    .optional()
    .meta({
      description:
        'In the customer’s name, the disposition or the notes; or digits of the number, in any spelling. ' +
        'Of several agents’ calls 10,000 are looked at for one page: it may be short, or empty, ' +
        'and `next_cursor` goes on behind them',
      examples: ['hopper'],
    }),
  disposition: code.optional().meta({ description: 'The code of a disposition' }),
  tag: tagText
    .optional()
    .meta({ description: 'Marked with it: its code; or the words of an agent, whatever their case' }),
  since: momentInQuery.optional().meta({ description: 'Begun then or later' }),
  until: momentInQuery.optional().meta({ description: 'Begun before then' }),
});
export type ListCallsQuery = z.infer<typeof listCallsQuery>;
export const changeCallsQuery = z.strictObject({ sip_call_id: sipCallIdInQuery });
export const exportCallsQuery = listCallsQuery.omit({ cursor: true, limit: true });
/** `agents`: of the calls on this page. */
const listedCalls = {
  calls: z.array(callSummary),
  agents: z
    .array(z.object({ id: uuid, name: z.string(), agent_code: z.string() }))
    .meta({ description: 'Whose these calls are, once each' }),
};
export const callList = z.object({ ...listedCalls, next_cursor: uuid.nullable() }).meta({ id: 'CallList' });
export type CallList = z.infer<typeof callList>;
/** The calls that a conversation with a customer has been so far, of one agent after the other. */
export const conversation = z.object(listedCalls).meta({ id: 'Conversation' });
export type Conversation = z.infer<typeof conversation>;

/** What is noted of a call before it is wrapped up; what is left out stays as it is. */
export const saveNotesRequest = z
  .strictObject({
    notes: z.string().max(10_000).nullable(),
    tags: optional(chosenTags),
    code: code.nullable().optional().meta({ description: 'The disposition that is chosen so far; `null`: none' }),
    callback_at: moment
      .nullable()
      .optional()
      .meta({ description: 'When to call back, as it is chosen so far; `null`: not' }),
    entered_at: optional(moment).meta({
      description:
        'When this was entered; what was entered later is not replaced by it, which is `conflict`. ' +
        'Left out, or to come: now',
    }),
  })
  .meta({ id: 'SaveCallNotes' });
export type SaveNotesRequest = z.infer<typeof saveNotesRequest>;

/** Which softphone has left a call. */
export const leaveCallRequest = z
  .strictObject({ session: uuid.meta({ description: 'The softphone’s, as `state_snapshot` gave it' }) })
  .meta({ id: 'LeaveCall' });

/** What may be changed of a call that is over, or attached to one. */
export const changeCallRequest = z
  .strictObject({
    recording_url: webUrl.nullable().optional().meta({ description: 'Where the recording is heard; `null`: nowhere' }),
    disposition: z
      .strictObject({
        code,
        notes: z.string().max(10_000).nullable().optional().meta({ description: 'Left out: they stay as they are' }),
        tags: optional(chosenTags).meta({ description: 'Left out: they stay as they are' }),
      })
      .optional()
      .meta({ description: 'Corrects how the call was wrapped up; what it was before stays in its history' }),
  })
  .meta({ id: 'ChangeCall' });
export type ChangeCallRequest = z.infer<typeof changeCallRequest>;

const wrappedUp = z.object({
  code: z.string(),
  label: z.string(),
  notes: z.string().nullable(),
  tags: z.array(callTag),
});
export const correctionList = z
  .object({
    corrections: z.array(
      z
        .object({
          id: uuid,
          at: timestamp,
          by: z
            .object({ id: uuid, name: z.string() })
            .nullable()
            .meta({ description: 'Who did it. Null: a program with the company’s key' }),
          before: wrappedUp.nullable().meta({ description: 'Null: it was not wrapped up' }),
          after: wrappedUp,
        })
        .meta({ id: 'CallCorrection' }),
    ),
  })
  .meta({ id: 'CallCorrectionList' });
export type CorrectionView = z.infer<typeof correctionList>['corrections'][number];
