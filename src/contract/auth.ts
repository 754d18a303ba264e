import { z } from 'zod';
import { roles } from './vocabulary.ts';
import { timestamp, uuid } from './values.ts';

/** One of `agent_code` and `email`; `company_slug` decides between companies. */
export const loginRequest = z
  .strictObject({
    password: z.string().min(1).max(1024),
    agent_code: z.string().min(1).max(100).optional(),
    email: z.email().max(254).optional(),
    company_slug: z.string().min(1).max(100).optional(),
  })
  .refine((body) => body.agent_code !== undefined || body.email !== undefined, {
    message: 'agent_code or email is needed',
    path: ['agent_code'],
  })
  .meta({ id: 'LoginRequest' });
export type LoginRequest = z.infer<typeof loginRequest>;

/** The agent as log-in and `/api/me` show them. */
export const signedInAgent = z
  .object({
    id: uuid,
    agent_code: z.string(),
    name: z.string(),
    email: z.string().nullable(),
    role: z.enum(roles),
    company_id: uuid,
    company_slug: z.string(),
  })
  .meta({ id: 'SignedInAgent' });
export type SignedInAgent = z.infer<typeof signedInAgent>;

export const loginAnswer = z
  .object({ token: z.string(), expires_at: timestamp, agent: signedInAgent })
  .meta({ id: 'LoginAnswer' });
export type LoginAnswer = z.infer<typeof loginAnswer>;
