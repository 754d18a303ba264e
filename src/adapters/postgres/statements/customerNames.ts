import type { Pool } from 'pg';
import type { CompanyId } from '../../../domain/ids.ts';
import { run } from './prepared.ts';

/** The customer's name as it popped; in calls that an older gateway made, it is within the record that popped. */
export const customerName = "CASE WHEN screen_pop_text IS NULL THEN screen_pop->>'name' ELSE customer_name END";

/** $1 company id, $2 call ids. */
export const findCustomerNames = {
  name: 'find_customer_names',
  // One look-up each: a plan made for companies of few calls would read all calls of a company of many.
  text: `SELECT found.id, found.name FROM unnest($2::uuid[]) AS wanted (id) CROSS JOIN LATERAL (
    SELECT id, ${customerName} AS name FROM call WHERE company_id = $1 AND id = wanted.id LIMIT 1
  ) AS found`,
};

/** The customers' names of calls, as far as they are known. */
export async function customerNamesOf(pool: Pool, companyId: CompanyId, ids: string[]): Promise<Map<string, string>> {
  const rows = await run<{ id: string; name: string | null }>(pool, findCustomerNames, [companyId, ids]);
  return new Map(rows.flatMap(({ id, name }) => (name === null ? [] : [[id, name]])));
}
