import { z } from 'zod';
import { agentView } from './agents.ts';
import { sharedSpeedDials, skipReason, speedDial } from './dialing.ts';
import { says } from './fieldErrors.ts';
import { callbackAssignees, contactScopes, languages, listeningRules } from './vocabulary.ts';
import { codeWithLabel, dispositionEntry, dispositionOption, emailInput, newPassword, optional, shortText, timestamp, uuid, withDefault } from './values.ts';

const slug = z.string().regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/, says('not_a_slug', 'must be lower-case letters, digits and dashes'));

function codeList<T extends z.ZodType<{ code: string }>>(entry: T) {
  return z
    .array(entry)
    .max(100)
    .refine((list) => new Set(list.map(({ code }) => code)).size === list.length, says('not_unique', 'codes must be unique'));
}

const limit = z.int().min(1).max(86_400).nullable();
const limits = {
  wrap_up_seconds: limit.meta({ description: 'An agent in wrap-up for longer. Null: never' }),
  on_call_seconds: limit.meta({ description: 'On a call for longer' }),
  not_ready_seconds: limit.meta({ description: 'Not Ready for longer' }),
  nobody_ready_seconds: limit.meta({ description: 'No agent Ready for longer' }),
};

export const createCompanyRequest = z
  .strictObject({
    name: shortText,
    slug,
    admin: z.strictObject({
      email: emailInput,
      password: newPassword,
      name: withDefault(shortText, 'Administrator'),
      agent_code: withDefault(z.string().trim().min(1).max(64), 'admin'),
    }),
  })
  .meta({ id: 'CreateCompany' });
export type CreateCompanyRequest = z.infer<typeof createCompanyRequest>;

export const companyView = z
  .object({
    id: uuid,
    slug: z.string(),
    name: z.string(),
    wrap_up_seconds: z.int(),
    wrap_up_max_seconds: z.int(),
    contact_scope: z.enum(contactScopes),
    callback_assignee: z.enum(callbackAssignees),
    listening: z.enum(listeningRules),
    language: z.enum(languages).nullable(),
    dispositions: z.array(dispositionOption),
    tags: z.array(codeWithLabel).meta({ description: 'What agents may mark a call with' }),
    free_tags: z.boolean().meta({ description: 'Whether they may do so in words of their own, too' }),
    not_ready_reasons: z.array(codeWithLabel),
    speed_dials: z.array(speedDial).meta({ description: 'What every agent can dial by one press' }),
    contacts: z.boolean().optional().meta({ description: 'Whether its people work with contacts here: in the built-in CRM, or beside another one. Absent from the platform’s list' }),
    preview_dial: z.boolean().meta({ description: 'Whether agents look at the customer before they call back, and dial or skip' }),
    skip_reasons: z.array(skipReason).meta({ description: 'Why they skip a call' }),
    wallboard_limits: z.object(limits).meta({ description: 'From when on the wallboard marks what takes long' }),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Company' });
export type CompanyView = z.infer<typeof companyView>;

export const createdCompany = z.object({ company: companyView, admin: agentView }).meta({ id: 'CreatedCompany' });
export const companyList = z.object({ companies: z.array(companyView) }).meta({ id: 'CompanyList' });

/** What an admin may change of the own company. Lists replace the former list. */
export const updateCompanyRequest = z
  .strictObject({
    name: optional(shortText),
    wrap_up_seconds: optional(z.int().min(0).max(3600)),
    wrap_up_max_seconds: optional(z.int().min(0).max(3600)).meta({
      description:
        'How long a wrap-up may last in all while the agent goes on typing. Less than `wrap_up_seconds`: typing adds nothing',
    }),
    contact_scope: optional(z.enum(contactScopes)).meta({
      description: 'Which contacts of the built-in CRM an agent sees: all of the company, or its own and those of nobody',
    }),
    callback_assignee: optional(z.enum(callbackAssignees)).meta({
      description: 'Whose a callback is that is set in wrap-up: of the agent who had the call, or of anyone who takes it',
    }),
    listening: optional(z.enum(listeningRules)).meta({
      description: 'Whether supervisors may listen to calls and speak in them, and whether the agent sees that they do. What the law says to it is for the company to know',
    }),
    language: z.enum(languages).nullable().optional().meta({
      description: 'What the pages speak to whoever’s browser asks for none of these languages. `null`: English',
    }),
    dispositions: optional(codeList(dispositionEntry).min(1)),
    tags: optional(codeList(codeWithLabel)).meta({ description: 'What agents may mark a call with, such as `complaint`' }),
    free_tags: optional(z.boolean()).meta({ description: 'Whether they may do so in words of their own, too' }),
    not_ready_reasons: optional(codeList(codeWithLabel)),
    speed_dials: optional(sharedSpeedDials).meta({ description: 'What every agent can dial by one press, in the order in which it is shown' }),
    preview_dial: optional(z.boolean()).meta({
      description: 'Whether agents look at the customer before they call back, and then dial or skip with a reason. Clicks of the CRM dial at once all the same',
    }),
    skip_reasons: optional(codeList(skipReason).min(1)).meta({ description: 'Why they skip a call' }),
    wallboard_limits: optional(z.strictObject(limits).partial()).meta({ description: 'From when on the wallboard marks what takes long; one that is left out stays' }),
  })
  .meta({ id: 'UpdateCompany' });
export type UpdateCompanyRequest = z.infer<typeof updateCompanyRequest>;
