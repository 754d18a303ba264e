import { z } from 'zod';
import type { RequestShape } from '../requestShapes.ts';

const id = z.union([z.int().positive(), z.string()]);
const perPage = z.string().regex(/^\d{1,3}$/);
const html = z.string().regex(/^<div>[^<>]*(<br>[^<>]*)*<\/div>$/);
/** What is asked of Freshdesk, as its vendor documents it. */
export const freshdeskShapes: RequestShape[] = [
  { method: 'GET', path: /\/api\/v2\/agents\/me/ },
  { method: 'GET', path: /\/api\/v2\/agents/, query: z.strictObject({ email: z.string() }) },
  {
    method: 'GET',
    path: /\/api\/v2\/contacts/,
    query: z.union([
      z.strictObject({ phone: z.string() }),
      z.strictObject({ mobile: z.string() }),
      z.strictObject({ per_page: perPage }),
    ]),
  },
  { method: 'GET', path: /\/api\/v2\/contacts\/[^/]+/ },
  {
    method: 'GET',
    path: /\/api\/v2\/tickets/,
    query: z.strictObject({
      requester_id: z.string(),
      order_by: z.literal('created_at').optional(),
      order_type: z.literal('desc').optional(),
      include: z.literal('description').optional(),
      per_page: perPage,
    }),
  },
  { method: 'GET', path: /\/api\/v2\/tickets\/[^/]+\/conversations/, query: z.strictObject({ per_page: perPage }) },
  {
    method: 'POST',
    path: /\/api\/v2\/tickets/,
    json: z.strictObject({
      requester_id: id,
      responder_id: id.optional(),
      subject: z.string().max(255),
      description: html,
      source: z.literal(3),
      status: z.literal(5),
      priority: z.literal(1),
      tags: z.array(z.string().max(32)),
    }),
  },
  {
    method: 'POST',
    path: /\/api\/v2\/tickets\/[^/]+\/notes/,
    json: z.strictObject({ body: html, private: z.literal(true) }),
  },
  {
    method: 'PUT',
    path: /\/api\/v2\/tickets\/[^/]+/,
    json: z.strictObject({ subject: z.string(), description: html, priority: z.int().min(1).max(4) }).partial(),
  },
  { method: 'PUT', path: /\/api\/v2\/conversations\/[^/]+/, json: z.strictObject({ body: html }) },
];
