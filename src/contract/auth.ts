import { z } from 'zod';
import { says } from './fieldErrors.ts';
import { languages, roles } from './vocabulary.ts';
import { emailInput, newPassword, optional, timestamp, uuid } from './values.ts';

/**
 * One of `agent_code` and `email`; `company_slug` decides between companies. All three are compared without case and
 * surrounding spaces.
 */
export const loginRequest = z
  .strictObject({
    password: z.string().min(1).max(1024),
    agent_code: optional(z.string().min(1).max(100)),
    email: optional(emailInput),
    company_slug: optional(z.string().min(1).max(100)),
  })
  .refine((body) => body.agent_code !== undefined || body.email !== undefined, {
    message: says('required', 'agent_code or email is needed'),
    path: ['agent_code'],
  })
  .meta({
    id: 'LoginRequest',
    if: { required: ['agent_code'], properties: { agent_code: { type: 'string' } } },
    else: { required: ['email'], properties: { email: { type: 'string' } } },
  });
export type LoginRequest = z.infer<typeof loginRequest>;

/** Ends every token of the agent; the answer brings a fresh one. */
export const changePasswordRequest = z
  .strictObject({ current_password: z.string().min(1).max(1024), new_password: newPassword })
  .meta({ id: 'ChangePassword' });
export type ChangePasswordRequest = z.infer<typeof changePasswordRequest>;

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
    company_language: z
      .enum(languages)
      .nullable()
      .meta({ description: 'The company’s, for pages; see `language` of the company' }),
  })
  .meta({ id: 'SignedInAgent' });
export type SignedInAgent = z.infer<typeof signedInAgent>;

export const loginAnswer = z
  .object({ token: z.string(), expires_at: timestamp, agent: signedInAgent })
  .meta({ id: 'LoginAnswer' });
export type LoginAnswer = z.infer<typeof loginAnswer>;
