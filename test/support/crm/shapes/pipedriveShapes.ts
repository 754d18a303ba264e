import { z } from 'zod';
import type { RequestShape } from '../requestShapes.ts';

const wholeNumber = z.string().regex(/^\d+$/);
const utc = z.string().regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
/** What is asked of Pipedrive, as its vendor documents it. */
export const pipedriveShapes: RequestShape[] = [
  { method: 'GET', path: /\/v1\/users\/me/ },
  {
    method: 'GET',
    path: /\/v1\/users\/find/,
    query: z.strictObject({ term: z.string().min(2), search_by_email: z.literal('1') }),
  },
  {
    method: 'GET',
    path: /\/api\/v2\/persons\/search/,
    query: z.strictObject({
      term: z.string().min(2),
      fields: z.enum(['custom_fields', 'email', 'notes', 'phone', 'name']),
      limit: wholeNumber,
    }),
  },
  { method: 'GET', path: /\/api\/v2\/persons\/\d+/ },
  { method: 'GET', path: /\/v1\/callLogs/, query: z.strictObject({ limit: wholeNumber }) },
  {
    method: 'GET',
    path: /\/api\/v2\/activities/,
    query: z.strictObject({
      person_id: wholeNumber.optional(),
      sort_by: z.enum(['id', 'update_time', 'add_time', 'due_date']).optional(),
      sort_direction: z.enum(['asc', 'desc']).optional(),
      limit: wholeNumber,
    }),
  },
  {
    method: 'POST',
    path: /\/v1\/callLogs/,
    json: z.strictObject({
      outcome: z.enum(['connected', 'no_answer', 'left_message', 'left_voicemail', 'wrong_number', 'busy']),
      to_phone_number: z.string().min(1),
      from_phone_number: z.string().optional(),
      start_time: utc,
      end_time: utc,
      duration: z.string().regex(/^\d+$/),
      person_id: z.int().optional(),
      user_id: z.int().optional(),
      subject: z.string(),
      note: z.string().refine((html) => !/<(?!br>)|["']/.test(html), 'only <br> is a tag'),
    }),
  },
  {
    method: 'POST',
    path: /\/api\/v2\/activities/,
    json: z.strictObject({
      type: z.literal('call'),
      subject: z.string(),
      done: z.literal(true),
      due_date: z.iso.date(),
      due_time: z.string().regex(/^\d\d:\d\d$/),
      duration: z.string().regex(/^\d\d:\d\d$/),
      owner_id: z.int().optional(),
      participants: z.tuple([z.strictObject({ person_id: z.int(), primary: z.literal(true) })]).optional(),
      note: z.string().refine((html) => !/<(?!br>)|["']/.test(html), 'only <br> is a tag'),
    }),
  },
  {
    method: 'PATCH',
    path: /\/api\/v2\/activities\/\d+/,
    json: z.strictObject({ subject: z.string(), note: z.string() }),
  },
  {
    method: 'POST',
    path: /\/oauth\/token/,
    form: z.union([
      z.strictObject({ grant_type: z.literal('refresh_token'), refresh_token: z.string().min(1) }),
      z.strictObject({
        grant_type: z.literal('authorization_code'),
        code: z.string(),
        code_verifier: z.string(),
        redirect_uri: z.url(),
      }),
    ]),
  },
];
