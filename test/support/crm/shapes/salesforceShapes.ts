import { z } from 'zod';
import type { RequestShape } from '../requestShapes.ts';

/** One statement: a value is in quotes, and what is in quotes ends nowhere else. */
const value = String.raw`'(?:[^'\\]|\\['\\])*'`;
const condition = String.raw`[\w.]+(?:=| IN |>=[\w:.-]+)|${value}|[(),]| OR | AND |true|false|null`;
const soql = new RegExp(
  String.raw`^SELECT [\w.,]+(?:\(\))? FROM (?:Contact|Lead|Task|Case|User|Organization)` +
    String.raw`(?: WHERE (?:${condition})+)?(?: ORDER BY CreatedDate DESC)?(?: LIMIT \d+)?$`,
);
const task = {
  Subject: z.string().min(1).max(255),
  Description: z.string().max(32_000),
  CallDisposition: z.string().max(255).optional(),
};
/** What is asked of Salesforce, as its vendor documents it. */
export const salesforceShapes: RequestShape[] = [
  { method: 'GET', path: /\/services\/data\/v62\.0\/query/, query: z.strictObject({ q: z.string().regex(soql) }) },
  {
    method: 'GET',
    path: /\/services\/data\/v62\.0\/search/,
    query: z.strictObject({
      q: z
        .string()
        .regex(
          /^FIND \{\d{2,15}( OR \d{2,15})?\} IN PHONE FIELDS RETURNING \w+\([\w.,]+ LIMIT 5\)(,\w+\([\w.,]+ WHERE IsConverted=false LIMIT 5\))?$/,
        ),
    }),
  },
  {
    method: 'POST',
    path: /\/services\/data\/v62\.0\/sobjects\/Task/,
    json: z.strictObject({
      ...task,
      WhoId: z.string().optional(),
      OwnerId: z.string().optional(),
      TaskSubtype: z.literal('Call'),
      Status: z.string(),
      Priority: z.enum(['High', 'Normal', 'Low']),
      ActivityDate: z.iso.date(),
      CallType: z.enum(['Inbound', 'Outbound', 'Internal']).optional(),
      CallDurationInSeconds: z.int().min(0).max(99_999_999).optional(),
      CallObject: z.string().max(255).optional(),
    }),
  },
  { method: 'PATCH', path: /\/services\/data\/v62\.0\/sobjects\/Task\/[^/]+/, json: z.strictObject(task) },
  {
    method: 'POST',
    path: /\/services\/oauth2\/token/,
    form: z.strictObject({
      grant_type: z.literal('client_credentials'),
      client_id: z.string(),
      client_secret: z.string(),
    }),
  },
];
