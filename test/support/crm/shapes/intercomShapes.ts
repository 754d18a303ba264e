import { z } from 'zod';
import type { RequestShape } from '../requestShapes.ts';

const onePage = z.strictObject({ per_page: z.int().min(1).max(150) });
/** What is asked of Intercom, as its vendor documents it. */
export const intercomShapes: RequestShape[] = [
  { method: 'GET', path: /\/me/ },
  { method: 'GET', path: /\/admins/ },
  { method: 'GET', path: /\/contacts/, query: z.strictObject({ per_page: z.literal('1') }) },
  { method: 'GET', path: /\/contacts\/[^/]+/ },
  { method: 'GET', path: /\/contacts\/[^/]+\/notes/, query: z.strictObject({ per_page: z.literal('50') }) },
  {
    method: 'POST',
    path: /\/contacts\/search/,
    json: z.strictObject({
      query: z.strictObject({
        field: z.enum(['phone', 'formatted_phone']),
        operator: z.enum(['=', '!=', 'IN', 'NIN', '~', '!~', '^', '$']),
        value: z.string(),
      }),
      pagination: onePage,
    }),
  },
  {
    method: 'POST',
    path: /\/tickets\/search/,
    json: z.strictObject({
      query: z.strictObject({
        operator: z.literal('AND'),
        value: z.tuple([
          z.strictObject({ field: z.literal('contact_ids'), operator: z.literal('='), value: z.string() }),
          z.strictObject({ field: z.literal('open'), operator: z.literal('='), value: z.literal(true) }),
        ]),
      }),
      pagination: onePage,
    }),
  },
  {
    method: 'POST',
    path: /\/contacts\/[^/]+\/notes/,
    json: z.strictObject({
      body: z.string().regex(/^<p>[^<>]*<\/p>(<p>[^<>]*(<br>[^<>]*)*<\/p>)?$/),
      admin_id: z.string().optional(),
    }),
  },
  {
    method: 'POST',
    path: /\/events/,
    json: z.strictObject({
      event_name: z.string().regex(/^[a-z-]+$/),
      created_at: z.int().positive(),
      id: z.string(),
      metadata: z
        .record(z.string(), z.union([z.string(), z.number()]))
        .refine((values) => Object.keys(values).length <= 10),
    }),
  },
  {
    method: 'POST',
    path: /\/auth\/eagle\/token/,
    form: z.strictObject({
      code: z.string(),
      client_id: z.string(),
      client_secret: z.string(),
      code_verifier: z.string(),
    }),
  },
];
