import type { Pool } from 'pg';
import type { CompanyId } from '../../../domain/ids.ts';
import type { PhoneNumber } from '../../../domain/phoneNumbers.ts';
import type { ScreenPopEntry } from '../../../domain/screenPop.ts';
import { run } from './prepared.ts';

/** $1 company id, $2 phone number in E.164. The columns are those of ScreenPopEntry. */
export const findScreenPop = {
  name: 'find_screen_pop',
  text: `SELECT phone, data, external_system AS "externalSystem", external_id AS "externalId", tier
  FROM screen_pop_entry WHERE company_id = $1 AND phone = $2`,
};

/** The cached entry of a phone number. */
export async function screenPopOf(
  pool: Pool,
  companyId: CompanyId,
  phone: PhoneNumber,
): Promise<ScreenPopEntry | undefined> {
  const [row] = await run<ScreenPopEntry>(pool, findScreenPop, [companyId, phone]);
  return row;
}
