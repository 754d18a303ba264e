import { z } from 'zod';
import { dialVias } from './ctiConnections.ts';
import { says } from './fieldErrors.ts';
import { agentStates, connections, requestableStates, roles } from './vocabulary.ts';
import {
  code,
  cursorQuery,
  emailInput,
  newPassword,
  optional,
  shortText,
  singleLine,
  timestamp,
  uuid,
  withDefault,
} from './values.ts';

/** Kept as it is spelled, and compared without case and surrounding spaces. */
export const agentCode = z
  .string()
  .trim()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
    says('not_an_agent_code', 'must be letters, digits, dot, dash, underscore'),
  );

/** The user part of a SIP address (RFC 3261), without escapes. */
const sipUser = z
  .string()
  .regex(
    /^[A-Za-z0-9_.!~*'()&=+$,;?/-]{1,64}$/,
    says('not_a_sip_user', 'must be 1 to 64 characters of the user part of a SIP address'),
  )
  .meta({ description: 'The agent’s user at the company’s PBX', examples: ['1001'] });
const sipSecret = z
  .string()
  .min(1)
  .max(200)
  .regex(singleLine, says('control_characters', 'must not hold control characters'))
  .meta({
    description: 'Its password there. Kept encrypted, given to the agent’s own softphone alone, never shown again',
  });
/** The teams that a supervisor leads. At most as many as a company can have. */
const ledTeamIds = z
  .array(uuid)
  .min(1)
  .max(500)
  .refine(
    (ids) => new Set(ids.map((id) => id.toLowerCase())).size === ids.length,
    says('repeated', 'must not hold a team twice'),
  )
  .nullable()
  .optional()
  .meta({
    description:
      'The teams whose agents a supervisor sees and acts on; `null`: everybody of the company. ' +
      'Of other roles it does not count',
  });

/** A secret beside `sip_user: null` would be lost without a word. */
function keepsSipUser(body: { sip_user?: string | null | undefined; sip_secret?: string | null | undefined }): boolean {
  return body.sip_user !== null || body.sip_secret == null;
}
const secretNeedsUser = {
  path: ['sip_secret'],
  message: says('sip_secret_without_user', 'cannot be set while `sip_user` is cleared'),
};
const secretNeedsUserSchema = {
  if: { properties: { sip_user: { type: 'string' } } },
  else: { properties: { sip_secret: { type: 'null' } } },
};

export const createAgentRequest = z
  .strictObject({
    agent_code: agentCode,
    name: shortText,
    password: newPassword,
    email: optional(emailInput),
    role: withDefault(z.enum(roles), 'agent'),
    led_team_ids: ledTeamIds,
    sip_user: sipUser.nullable().optional(),
    sip_secret: sipSecret.nullable().optional(),
  })
  .refine(keepsSipUser, secretNeedsUser)
  .meta({ id: 'CreateAgent', ...secretNeedsUserSchema });
export type CreateAgentRequest = z.infer<typeof createAgentRequest>;

/**
 * Every field optional; null clears what can be empty. A new password, role or `active: false` ends the agent's tokens.
 * A new `sip_user` keeps the secret, `sip_user: null` clears the secret too.
 */
export const updateAgentRequest = z
  .strictObject({
    agent_code: optional(agentCode),
    name: optional(shortText),
    password: optional(newPassword),
    email: emailInput.nullable().optional(),
    role: optional(z.enum(roles)),
    active: optional(z.boolean()),
    led_team_ids: ledTeamIds,
    sip_user: sipUser.nullable().optional(),
    sip_secret: sipSecret.nullable().optional(),
  })
  .refine(keepsSipUser, secretNeedsUser)
  .meta({ id: 'UpdateAgent', ...secretNeedsUserSchema });
export type UpdateAgentRequest = z.infer<typeof updateAgentRequest>;

export const agentView = z
  .object({
    id: uuid,
    agent_code: z.string(),
    name: z.string(),
    email: z.string().nullable(),
    role: z.enum(roles),
    active: z.boolean(),
    led_team_ids: z
      .array(uuid)
      .nullable()
      .meta({
        description:
          'The teams whose agents a supervisor sees and acts on; null: everybody of the company; ' +
          'empty: those teams were removed, and nobody is seen',
      }),
    sip_user: z.string().nullable(),
    sip_secret_set: z.boolean(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Agent' });
export type AgentView = z.infer<typeof agentView>;

export const listAgentsQuery = z.strictObject(cursorQuery);
export const agentList = z
  .object({ agents: z.array(agentView), next_cursor: uuid.nullable() })
  .meta({ id: 'AgentList' });

/** An agent's live state, the same over REST and the socket. `version` rises by one per change. */
export const agentStateView = z
  .object({
    agent_id: uuid,
    agent_code: z.string(),
    name: z.string(),
    state: z.enum(agentStates),
    reason: z.string().nullable(),
    since: timestamp.nullable(),
    connection: z.enum(connections).nullable(),
    pending_state: z.enum(requestableStates).nullable(),
    pending_reason: z.string().nullable(),
    call_id: uuid.nullable(),
    second_call_id: uuid.nullable().optional().meta({
      description: 'Of an agent who is on a call: another one beside it, which rings or was answered',
    }),
    wrap_up_ends_at: timestamp.nullable(),
    platform: z
      .object({ connector: z.string(), dials_by: z.enum(dialVias), sets_state: z.boolean(), has_call: z.boolean() })
      .nullable()
      .meta({
        description:
          'The telephony platform that has the agent: its connector, who dials for the agent, ' +
          'and whether the platform sets the state, or only tells of its calls, ' +
          'and whether the agent is on a call of it. Null: none',
      }),
    version: z.int(),
  })
  .meta({ id: 'AgentState' });
export type AgentStateView = z.infer<typeof agentStateView>;

/** A supervisor sets a state. During a call it becomes pending, unless `force` frees the agent by ending the call. */
export const forceStateRequest = z
  .strictObject({
    state: z.enum(requestableStates),
    reason: optional(code),
    force: withDefault(z.boolean(), false),
    call_id: uuid.nullable().optional().meta({
      description: 'With `force`: the call that may end for it; null: none. Refused while the agent has another',
    }),
    second_call_id: uuid.nullable().optional().meta({
      description: 'With `call_id`: the second call of the agent, which may end, too',
    }),
  })
  .meta({ id: 'ForceState' });
export type ForceStateRequest = z.infer<typeof forceStateRequest>;
