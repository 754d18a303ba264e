import type { Pool } from 'pg';
import type { CompanyId } from '../../../domain/ids.ts';
import type { PhoneNumber } from '../../../domain/phoneNumbers.ts';
import type { ScreenPopEntry } from '../../../domain/screenPop.ts';
import { run } from './prepared.ts';

/**
 * $1 company id, $2 phone number in E.164. The columns are those of ScreenPopEntry, `data` as JSON text. An older gateway
 * that wrote last has changed `data` alone.
 */
export const findScreenPop = {
  name: 'find_screen_pop',
  text: `SELECT phone, CASE WHEN data_text::jsonb = data THEN data_text ELSE data::text END AS data, external_system AS "externalSystem", external_id AS "externalId", tier
  FROM screen_pop_entry WHERE company_id = $1 AND phone = $2`,
};

export type EntryRow = Omit<ScreenPopEntry, 'data'> & { data: string };

/** The cached entry of a phone number. */
export async function screenPopOf(
  pool: Pool,
  companyId: CompanyId,
  phone: PhoneNumber,
): Promise<EntryRow | undefined> {
  const [row] = await run<EntryRow>(pool, findScreenPop, [companyId, phone]);
  return row;
}
