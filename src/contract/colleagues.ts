import { z } from 'zod';
import { uuid } from './values.ts';

/** To whom an agent may hand something over. */

export const colleaguesQuery = z.strictObject({
  q: z.string().max(200).default('').meta({ description: 'What was typed so far: parts of names or agent codes. Left out: whoever comes first by name' }),
  limit: z.coerce.number().int().min(1).max(50).default(20),
});
export type ColleaguesQuery = z.infer<typeof colleaguesQuery>;

export const colleague = z.object({ id: uuid, name: z.string(), agent_code: z.string() }).meta({ id: 'Colleague' });
export const colleagueList = z.object({ colleagues: z.array(colleague) }).meta({ id: 'ColleagueList' });
export type ColleagueList = z.infer<typeof colleagueList>;
