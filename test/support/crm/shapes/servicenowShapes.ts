import { z } from 'zod';
import type { RequestShape } from '../requestShapes.ts';

const number = '[0-9+() .-]{2,40}';
/** What may stand in an encoded query: conditions of ours, and no sign that would begin another one. */
const queries = [
  `[a-z_]+=${number}(?:\\^OR[a-z_]+=${number})*`,
  `sys_created_on>\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d\\^short_descriptionLIKE[\\w-]*`,
  `active=true\\^email=[\\w.@+-]*`,
];
const query = z.strictObject({
  sysparm_query: z
    .string()
    .regex(new RegExp(`^(?:${queries.join('|')})$`))
    .optional(),
  sysparm_fields: z.string().regex(/^[a-z_]+(\.[a-z_]+)?(,[a-z_]+(\.[a-z_]+)?)*$/),
  sysparm_limit: z
    .string()
    .regex(/^\d{1,2}$/)
    .optional(),
  sysparm_exclude_reference_link: z.literal('true'),
  sysparm_display_value: z.literal('false'),
});
const time = z.string().regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
const texts = { short_description: z.string().min(1).max(160), work_notes: z.string().max(32_000) };
const table = '(customer_contact|csm_consumer|sys_user|interaction)';
/** What is asked of ServiceNow, as its vendor documents it. */
export const servicenowShapes: RequestShape[] = [
  { method: 'GET', path: new RegExp(`/api/now/v2/table/${table}`), query },
  { method: 'GET', path: new RegExp(`/api/now/v2/table/${table}/[0-9a-f]{32}`), query },
  {
    method: 'GET',
    path: /\/api\/now\/stats\/(sn_customerservice_case|incident)/,
    query: z.strictObject({
      sysparm_query: z.string().regex(/^(contact|consumer|caller_id)=[0-9a-f]{32}\^active=true$/),
      sysparm_count: z.literal('true'),
    }),
  },
  {
    method: 'POST',
    path: /\/api\/now\/table\/interaction/,
    json: z.strictObject({
      type: z.literal('phone'),
      direction: z.enum(['inbound', 'outbound']),
      caller_phone_number: z.string(),
      contact: z.string().optional(),
      consumer: z.string().optional(),
      opened_for: z.string().optional(),
      assigned_to: z.string().optional(),
      opened_at: time,
      closed_at: time,
      state: z.literal('closed_complete'),
      ...texts,
    }),
  },
  { method: 'PATCH', path: /\/api\/now\/table\/interaction\/[0-9a-f]{32}/, json: z.strictObject(texts) },
  {
    method: 'POST',
    path: /\/oauth_token\.do/,
    form: z.strictObject({
      grant_type: z.literal('client_credentials'),
      client_id: z.string(),
      client_secret: z.string(),
    }),
  },
];
