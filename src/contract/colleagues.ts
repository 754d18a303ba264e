import { z } from 'zod';
import { teamCode } from './teams.ts';
import { timestamp, uuid } from './values.ts';
import { agentStates } from './vocabulary.ts';

/** Who else works at the company, and what they are doing: to hand something over, a task or a call. */

export const colleaguesQuery = z.strictObject({
  q: z
    .string()
    .max(200)
    .default('')
    .meta({ description: 'What was typed so far: parts of names or agent codes. Left out: everybody' }),
  state: z.enum(agentStates).optional().meta({ description: 'Those who are doing that' }),
  team_code: teamCode.optional().meta({ description: 'Those who are in that team' }),
  limit: z.coerce.number().int().min(1).max(50).default(20),
});
export type ColleaguesQuery = z.infer<typeof colleaguesQuery>;

export const colleague = z
  .object({
    id: uuid,
    name: z.string(),
    agent_code: z.string(),
    state: z
      .enum(agentStates)
      .nullable()
      .meta({ description: 'What the agent is doing. Null: not known at the moment' }),
    since: timestamp.nullable().meta({ description: 'Since when. Null: not known, or offline' }),
    extension: z
      .string()
      .nullable()
      .meta({
        description:
          'By which the PBX knows the agent, who can be called by it: the user of their account there. ' +
          'Null: they have none, or the company telephones without a softphone',
      }),
  })
  .meta({ id: 'Colleague' });
export const colleagueList = z.object({ colleagues: z.array(colleague) }).meta({ id: 'ColleagueList' });
export type ColleagueView = z.infer<typeof colleague>;
export type ColleagueList = z.infer<typeof colleagueList>;
