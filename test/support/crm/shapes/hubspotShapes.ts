import { z } from 'zod';
import type { RequestShape } from '../requestShapes.ts';
import { tokenForm } from './tokenForm.ts';

const filter = z.union([
  z.strictObject({ propertyName: z.string(), operator: z.enum(['EQ', 'CONTAINS_TOKEN']), value: z.string().min(1) }),
  z.strictObject({ propertyName: z.string(), operator: z.enum(['HAS_PROPERTY', 'NOT_HAS_PROPERTY']) }),
]);
const searchBody = z.strictObject({
  filterGroups: z
    .array(z.strictObject({ filters: z.array(filter).min(1).max(6) }))
    .min(1)
    .max(5),
  properties: z.array(z.string()).optional(),
  limit: z.int().min(1).max(200),
});
const callProperties = {
  hs_call_title: z.string().min(1),
  hs_call_body: z.string().max(65_536),
  hs_call_direction: z.enum(['INBOUND', 'OUTBOUND']),
  hs_call_status: z.enum(['BUSY', 'CANCELED', 'COMPLETED', 'FAILED', 'MISSED', 'NO_ANSWER']),
  hs_call_duration: z.string().regex(/^\d+$/),
  hs_call_from_number: z.string(),
  hs_call_to_number: z.string(),
  hs_call_disposition: z.uuid().optional(),
  hubspot_owner_id: z.string().optional(),
  readyline_call_id: z.string().optional(),
};
/** What is asked of HubSpot, as its vendor documents it. */
export const hubspotShapes: RequestShape[] = [
  { method: 'GET', path: /\/account-info\/2026-09\/details/ },
  { method: 'GET', path: /\/crm\/objects\/2026-09\/contacts/, query: z.strictObject({ limit: z.literal('1') }) },
  {
    method: 'GET',
    path: /\/crm\/objects\/2026-09\/contacts\/[^/]+/,
    query: z.strictObject({ properties: z.string() }),
  },
  { method: 'POST', path: /\/crm\/objects\/2026-09\/(contacts|tickets|calls)\/search/, json: searchBody },
  {
    method: 'GET',
    path: /\/crm\/objects\/2026-09\/calls\/[^/]+/,
    query: z.strictObject({ idProperty: z.literal('readyline_call_id') }),
  },
  {
    method: 'POST',
    path: /\/crm\/objects\/2026-09\/calls/,
    json: z.strictObject({
      properties: z.strictObject({ hs_timestamp: z.iso.datetime(), ...callProperties }),
      associations: z.array(
        z.strictObject({
          to: z.strictObject({ id: z.string() }),
          types: z.tuple([
            z.strictObject({ associationCategory: z.literal('HUBSPOT_DEFINED'), associationTypeId: z.literal(194) }),
          ]),
        }),
      ),
    }),
  },
  {
    method: 'PATCH',
    path: /\/crm\/objects\/2026-09\/calls\/[^/]+/,
    json: z.strictObject({
      properties: z.strictObject({ hs_timestamp: z.iso.datetime(), ...callProperties }).partial(),
    }),
  },
  {
    method: 'GET',
    path: /\/crm\/owners\/2026-09/,
    query: z.strictObject({ email: z.string(), limit: z.string().regex(/^\d+$/) }),
  },
  {
    method: 'POST',
    path: /\/crm\/properties\/2026-09\/calls\/groups/,
    json: z.strictObject({ name: z.string(), label: z.string() }),
  },
  {
    method: 'POST',
    path: /\/crm\/properties\/2026-09\/calls/,
    json: z.strictObject({
      name: z.string().regex(/^[a-z][a-z0-9_]*$/),
      label: z.string(),
      description: z.string(),
      groupName: z.string(),
      type: z.literal('string'),
      fieldType: z.literal('text'),
      hasUniqueValue: z.literal(true),
    }),
  },
  {
    method: 'POST',
    path: /\/oauth\/2026-09\/token/,
    form: tokenForm,
  },
];
