import { z } from 'zod';
import { cursorQuery, mostEntries, timestamp, uuid } from './values.ts';
import { agentStates } from './vocabulary.ts';

/**
 * The telephony platforms of a company: where they tell of their calls, and which of their agents are which of ours.
 */

/** Who dials for an agent whose state a platform sets. */
export const dialVias = ['nobody', 'softphone', 'platform'] as const;
export type DialVia = (typeof dialVias)[number];

const connector = z.string().max(32).meta({ description: 'Id of a connector in the catalog, e.g. `genesys`' });
const url = z.string().meta({
  description:
    'Without PUBLIC_URL only the path: put the address in front under which the platform reaches the gateway',
});
const dialVia = z.enum(dialVias).meta({
  description:
    'Who dials for agents whose state the platform sets: `nobody` (they are never claimed), ' +
    '`softphone` (they dial with the softphone that they have open beside it), ' +
    '`platform` (a click has the platform call the customer for them; they need no softphone). ' +
    '`platform` takes `account` to be set',
});

/** A setting that an account at a platform takes. */
export const accountField = z
  .object({
    name: z.string(),
    is_secret: z.boolean().meta({ description: 'Never told again: absent from `settings`' }),
    is_optional: z.boolean(),
    choices: z.array(z.string()).nullable().meta({ description: 'Null: any text' }),
    example: z.string(),
  })
  .meta({ id: 'PlatformAccountField' });
export type AccountFieldView = z.infer<typeof accountField>;

/** The company's account at a platform, by which the gateway dials and listens there. */
const account = z
  .object({
    fields: z.array(accountField),
    settings: z
      .record(z.string(), z.string())
      .nullable()
      .meta({ description: 'By the names of the fields, without secrets; null: nothing is set' }),
    agent_fields: z.array(accountField).meta({
      description:
        'What each agent logs in with, at a platform that dials for nobody else (see `PUT ' +
        '…/agents/{platform_id}/account`); empty: the company’s account serves for all',
    }),
    can_listen: z.boolean().meta({ description: 'Whether the gateway can listen there' }),
  })
  .meta({ id: 'PlatformAccount' });

/** A connection as it is listed: its token was shown once. */
export const ctiConnection = z
  .object({
    connector: z.string(),
    url: url.meta({ description: 'With `…` in place of the token' }),
    signs: z
      .boolean()
      .meta({ description: 'Whether the platform signs what it sends with the secret that was issued' }),
    dial_via: dialVia,
    account: account.nullable().meta({
      description: 'What it takes to dial through the platform and to listen there; null: the gateway can do neither',
    }),
    listens: z.boolean().meta({
      description: 'Whether the gateway itself listens to what the platform tells, beside what comes to the address',
    }),
    listening_error: z
      .string()
      .nullable()
      .meta({ description: 'Why it cannot listen at the moment; null: nothing is wrong' }),
    issued_at: timestamp,
    last_received_at: timestamp.nullable().meta({ description: 'When the platform told something last' }),
    agents: z
      .object({ mapped: z.int(), unmapped: z.int() })
      .meta({ description: 'How many of the platform’s agents are known to be agents of the company' }),
  })
  .meta({ id: 'CtiConnection' });
export type CtiConnectionView = z.infer<typeof ctiConnection>;
export const ctiConnectionList = z.object({ connections: z.array(ctiConnection) }).meta({ id: 'CtiConnectionList' });

export const issueCtiConnection = z.strictObject({ connector }).meta({ id: 'IssueCtiConnection' });

/** `token` and `secret` are shown this once. */
export const issuedCtiConnection = z
  .object({
    connector: z.string(),
    url,
    token: z.string(),
    secret: z.string().nullable().meta({
      description: 'What the platform is to sign with; null: it does not sign, and the address is its only credential',
    }),
  })
  .meta({ id: 'IssuedCtiConnection' });
export type IssuedCtiConnection = z.infer<typeof issuedCtiConnection>;

/** The longest value of a setting. */
const longestSetting = 1_000;
/** More than any platform has. */
const mostSettings = 40;

export const changeCtiConnection = z
  .strictObject({
    dial_via: dialVia.optional(),
    listens: z.boolean().optional().meta({ description: 'Takes `account` to be set' }),
    account: z
      .record(z.string().max(64), z.string().max(longestSetting))
      .refine(...mostEntries(mostSettings))
      .nullable()
      .optional()
      .meta({
        description:
          'By the names of the fields in `account.fields`. A secret that is left out stays as it is; ' +
          '`null`: nothing is set any more',
      }),
  })
  .meta({ id: 'ChangeCtiConnection' });

/** Whether a platform takes the settings, without a dial. */
export const accountCheck = z
  .object({
    outcome: z.enum(['ok', 'refused', 'unavailable']),
    detail: z.string().nullable().meta({ description: 'What the platform said; null: nothing is wrong' }),
  })
  .meta({ id: 'PlatformAccountCheck' });
export type AccountCheck = z.infer<typeof accountCheck>;

export const connectorInPath = z.object({ connector: z.string().max(32) });

/** Any: a wrong address is told from a right one by its token alone. */
export const ctiEventPath = z.object({ connector: z.string(), token: z.string() });
export const ctiEventsTaken = z.object({}).meta({ id: 'CtiEventsTaken' });

export const platformAgent = z
  .object({
    platform_id: z
      .string()
      .meta({ description: 'As the platform names the agent; its e-mail address or name where it tells no id' }),
    email: z.string().nullable(),
    name: z.string().nullable(),
    agent_id: uuid.nullable().meta({
      description: 'Null: nobody of the company is known to be this agent, and what is told of it comes to nothing',
    }),
    matched_by: z
      .enum(['table', 'email', 'code'])
      .nullable()
      .meta({ description: '`table`: an admin said so; else by e-mail address, or agent code' }),
    state: z.enum(agentStates).nullable().meta({ description: 'What the platform told last' }),
    reason: z.string().nullable(),
    state_at: timestamp.nullable(),
    account: z
      .object({
        settings: z
          .record(z.string(), z.string())
          .nullable()
          .meta({ description: 'Without secrets; null: nothing is set' }),
      })
      .nullable()
      .meta({ description: 'The agent’s own log-in there; null: the platform takes none' }),
    seen_at: timestamp,
  })
  .meta({ id: 'PlatformAgent' });
export type PlatformAgentView = z.infer<typeof platformAgent>;

export const listPlatformAgents = z.strictObject({ ...cursorQuery, cursor: z.string().max(400).optional() });
export const platformAgentList = z
  .object({ agents: z.array(platformAgent), next_cursor: z.string().nullable() })
  .meta({ id: 'PlatformAgentList' });

export const platformAgentInPath = z.object({ connector: z.string().max(32), platform_id: z.string().min(1).max(200) });
export const setAgentAccount = z
  .strictObject({
    account: z
      .record(z.string().max(64), z.string().max(longestSetting))
      .refine(...mostEntries(mostSettings))
      .nullable()
      .meta({
        description:
          'By the names in `agent_fields` of the connection’s account. A secret that is left out stays as it is; ' +
          '`null`: nothing is set any more',
      }),
  })
  .meta({ id: 'SetPlatformAgentAccount' });
export const mapPlatformAgent = z
  .strictObject({
    agent_id: uuid.nullable().meta({ description: '`null`: found by e-mail address or agent code again' }),
  })
  .meta({ id: 'MapPlatformAgent' });
