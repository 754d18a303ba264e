import type { Pool } from 'pg';
import type { CompanyId } from '../../../domain/ids.ts';
import type { ScreenPopEntry } from '../../../domain/screenPop.ts';
import { run } from './prepared.ts';

/** One entry ready to be written; `data` is JSON text. */
export type ScreenPopWrite = Omit<ScreenPopEntry, 'data'> & { companyId: CompanyId; data: string };

/**
 * $1 company id; arrays of equal length, one element per row, no two rows for one phone number: $2 phone numbers, $3 data as
 * JSON text, $4 external systems, $5 external ids, $6 tiers.
 */
export const upsertScreenPops = {
  name: 'upsert_screen_pops',
  text: `INSERT INTO screen_pop_entry (company_id, phone, data, data_text, external_system, external_id, tier)
  SELECT $1::uuid, phone, data::jsonb, data, external_system, external_id, tier
  FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[])
    AS pushed (phone, data, external_system, external_id, tier)
  ON CONFLICT (company_id, phone) DO UPDATE SET
    data = excluded.data,
    data_text = excluded.data_text,
    external_system = excluded.external_system,
    external_id = excluded.external_id,
    tier = excluded.tier,
    updated_at = excluded.updated_at`,
};

/** Inserts or replaces all of them, or none; they are of one company. */
export async function writeScreenPops(pool: Pool, rows: ScreenPopWrite[]): Promise<void> {
  await run(pool, upsertScreenPops, [
    rows[0]?.companyId,
    rows.map((row) => row.phone),
    rows.map((row) => row.data),
    rows.map((row) => row.externalSystem),
    rows.map((row) => row.externalId),
    rows.map((row) => row.tier),
  ]);
}
