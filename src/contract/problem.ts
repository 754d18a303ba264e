import { z } from 'zod';
import { fieldCause, requestCause } from './causes.ts';
import { dealView } from './deals.ts';
import { agentStates } from './vocabulary.ts';
import { errorCodes, type ErrorCode } from './errors.ts';
import { timestamp } from './values.ts';

const codes = Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]];

/** RFC 9457 problem details, as every refused REST request answers. */
export const problem = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.enum(codes),
    request_id: z.string(),
    cause: requestCause.optional().meta({ description: 'What `detail` says, as a code that is closer than `code`' }),
    errors: z.array(z.object({ path: z.string(), message: z.string(), ...fieldCause })).optional(),
    agent_state: z
      .object({ state: z.enum(agentStates), reason: z.string().nullable(), since: timestamp.nullable() })
      .optional()
      .meta({ description: 'With `agent_not_ready` and state conflicts: what the agent is doing now' }),
    deal: dealView.optional().meta({ description: 'With the cause `deal_changed_meanwhile`: the deal as it is now' }),
    found: z.literal(false).optional(),
    screen_pop: z.null().optional(),
  })
  .meta({ id: 'Problem' });
export type Problem = z.infer<typeof problem>;
