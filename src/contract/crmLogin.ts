import { z } from 'zod';

/** Logging in at a CRM with the browser, instead of typing what authenticates. */

export const crmLoginPath = z.object({ provider: z.string().max(32) });

/** Where the console goes next. */
export const crmLoginBegun = z
  .object({ url: z.string().meta({ description: 'The CRM’s own page' }) })
  .meta({ id: 'CrmLoginBegun' });

/** What the CRM sends the browser back with; some add more. */
export const crmLoginReturn = z.looseObject({
  code: z.string().max(4_000).optional(),
  state: z.string().max(500).optional(),
  error: z.string().max(500).optional(),
});
export type CrmLoginReturn = z.infer<typeof crmLoginReturn>;
