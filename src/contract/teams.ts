import { z } from 'zod';
import { agentCode } from './agents.ts';
import { says } from './fieldErrors.ts';
import { optional, shortText, timestamp, uuid, withDefault } from './values.ts';

/** Teams of agents. */

/** How many agents a team can have. */
const maxMembers = 2_000;

const agentIds = z
  .array(uuid)
  .max(maxMembers)
  .refine(
    (ids) => new Set(ids.map((id) => id.toLowerCase())).size === ids.length,
    says('repeated', 'must not hold an agent twice'),
  );

/** As short and plain as the code of an agent, and compared like it. */
export const teamCode = agentCode.meta({
  description: 'Compared without case and surrounding spaces',
  examples: ['sales'],
});

export const createTeamRequest = z
  .strictObject({
    code: teamCode,
    name: shortText,
    agent_ids: withDefault(agentIds, []).meta({ description: 'Who is in it. An agent may be in several teams' }),
  })
  .meta({ id: 'CreateTeam' });
export type CreateTeamRequest = z.infer<typeof createTeamRequest>;

export const updateTeamRequest = z
  .strictObject({
    code: optional(teamCode),
    name: optional(shortText),
    agent_ids: optional(agentIds).meta({ description: 'All of them: who is left out is in it no more' }),
    version: optional(z.int().min(1)).meta({
      description: 'The version that was read; another one now is refused. Also as `If-Match`',
    }),
  })
  .meta({ id: 'UpdateTeam' });
export type UpdateTeamRequest = z.infer<typeof updateTeamRequest>;

export const teamView = z
  .object({
    id: uuid,
    code: z.string(),
    name: z.string(),
    agent_ids: z.array(uuid),
    version: z.int(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Team' });
export type TeamView = z.infer<typeof teamView>;
export const teamList = z.object({ teams: z.array(teamView) }).meta({ id: 'TeamList' });
export type TeamList = z.infer<typeof teamList>;
