import { z } from 'zod';
import type { RequestShape } from '../requestShapes.ts';

const id = z.union([z.int().positive(), z.string()]);
const comment = z.strictObject({ body: z.string().min(1).max(65_536), public: z.literal(false) });
const perPage = z.string().regex(/^\d{1,3}$/);
/** What is asked of Zendesk, as its vendor documents it. */
export const zendeskShapes: RequestShape[] = [
  { method: 'GET', path: /\/api\/v2\/users\/me/ },
  { method: 'GET', path: /\/api\/v2\/users\/search/, query: z.strictObject({ query: z.string(), per_page: perPage }) },
  { method: 'GET', path: /\/api\/v2\/users\/[^/]+/ },
  {
    method: 'GET',
    path: /\/api\/v2\/search\/count/,
    query: z.strictObject({ query: z.string().regex(/^type:ticket requester:\d* status<solved$/) }),
  },
  { method: 'GET', path: /\/api\/v2\/tickets/, query: z.strictObject({ external_id: z.string(), per_page: perPage }) },
  {
    method: 'POST',
    path: /\/api\/v2\/tickets/,
    json: z.strictObject({
      ticket: z.strictObject({
        subject: z.string().max(255),
        requester_id: id,
        assignee_id: id.optional(),
        status: z.literal('solved').optional(),
        tags: z.array(z.string().regex(/^[a-z_]+$/)),
        external_id: z.string().max(255),
        comment,
      }),
    }),
  },
  {
    method: 'PUT',
    path: /\/api\/v2\/tickets\/[^/]+/,
    json: z.strictObject({ ticket: z.strictObject({ subject: z.string(), comment }).partial() }),
  },
  {
    method: 'POST',
    path: /\/oauth\/tokens/,
    form: z.strictObject({
      grant_type: z.literal('client_credentials'),
      client_id: z.string(),
      client_secret: z.string(),
      scope: z.literal('read write'),
    }),
  },
];
