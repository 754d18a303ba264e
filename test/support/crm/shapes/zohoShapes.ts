import { z } from 'zod';
import type { RequestShape } from '../requestShapes.ts';
import { tokenForm } from './tokenForm.ts';

const fields = z.string().regex(/^\w+(,\w+){0,49}$/);
const reference = z.strictObject({ id: z.string().min(1) });
const changeable = {
  Subject: z.string().min(1).max(255),
  Description: z.string().max(32_000),
  Call_Result: z.string().optional(),
};
/** What is asked of Zoho CRM, as its vendor documents it. */
export const zohoShapes: RequestShape[] = [
  { method: 'GET', path: /\/crm\/v8\/org/ },
  {
    method: 'GET',
    path: /\/crm\/v8\/users/,
    query: z.strictObject({ type: z.literal('ActiveUsers'), per_page: z.literal('200') }),
  },
  {
    method: 'GET',
    path: /\/crm\/v8\/(Contacts|Leads)\/search/,
    query: z.strictObject({ phone: z.string().regex(/^\+?\d+$/), per_page: z.string().regex(/^\d+$/), fields }),
  },
  { method: 'GET', path: /\/crm\/v8\/(Contacts|Leads)\/\d+/, query: z.strictObject({ fields }) },
  {
    method: 'GET',
    path: /\/crm\/v8\/Calls/,
    query: z.strictObject({
      fields,
      per_page: z.string().regex(/^\d+$/),
      sort_by: z.enum(['id', 'Created_Time', 'Modified_Time']).optional(),
      sort_order: z.enum(['asc', 'desc']).optional(),
    }),
  },
  {
    method: 'POST',
    path: /\/crm\/v8\/Calls/,
    json: z.strictObject({
      data: z.tuple([
        z.strictObject({
          ...changeable,
          Call_Type: z.enum(['Inbound', 'Outbound', 'Missed']),
          Call_Start_Time: z.iso.datetime({ offset: true, precision: 0 }),
          Call_Duration: z
            .string()
            .regex(/^\d\d+:[0-5]\d$/)
            .optional(),
          Outbound_Call_Status: z.literal('Completed').optional(),
          Owner: reference.optional(),
          Who_Id: reference.optional(),
          What_Id: reference.optional(),
          $se_module: z.string().optional(),
        }),
      ]),
    }),
  },
  {
    method: 'PUT',
    path: /\/crm\/v8\/Calls\/\d+/,
    json: z.strictObject({ data: z.tuple([z.strictObject(changeable)]) }),
  },
  {
    method: 'POST',
    path: /\/crm\/v8\/coql/,
    json: z.strictObject({
      select_query: z
        .string()
        .regex(/^select id from Cases where Related_To = '\d+' and Status != 'Closed' limit 200$/),
    }),
  },
  {
    method: 'POST',
    path: /\/oauth\/v2\/token/,
    form: tokenForm,
  },
];
