import { z } from 'zod';
import type { RequestShape } from '../requestShapes.ts';

const text = z.string();
const usual = z.strictObject({
  call_id: text,
  direction: z.enum(['inbound', 'outbound']),
  from: text,
  to: text,
  dialed_number: text.nullable(),
  line: text.nullable(),
  queue: text.nullable(),
  sip_call_id: text.nullable(),
  started_at: z.iso.datetime(),
  answered_at: z.iso.datetime().nullable(),
  ended_at: z.iso.datetime(),
  duration_seconds: z.int(),
  end_reason: text,
  transferred_to: text.nullable(),
  transferred_from: text.nullable(),
  title: text,
  disposition: text.nullable(),
  disposition_value: text.nullable(),
  notes: text.nullable(),
  tags: text.nullable(),
  agent_name: text,
  record_id: text.nullable(),
});
/**
 * What is asked of the company's own system by the templates of these tests: with the body that is sent unless the
 * admin writes another.
 */
export const customShapes: RequestShape[] = [
  { method: 'GET', path: /\/customers/, query: z.strictObject({ phone: text.regex(/^\+\d+$/) }) },
  {
    method: 'GET',
    path: /\/v1\/customers\/\d+/,
    query: z.strictObject({ e164: text.regex(/^\+\d+$/), short: text.regex(/^\d+$/) }),
  },
  { method: 'POST', path: /\/calls\/[^/]+/, query: z.strictObject({ key: z.literal('1') }).partial(), json: usual },
  { method: 'PUT', path: /\/calls\/[^/]+(\/changed)?/, json: usual },
];
