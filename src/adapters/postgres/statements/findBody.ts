import type { Pool } from 'pg';
import type { CompanyId, DeliveryId } from '../../../domain/ids.ts';
import { run } from './prepared.ts';

/** $1 company id, $2 delivery id. */
export const findBody = { name: 'find_body', text: 'SELECT body FROM webhook_delivery WHERE company_id = $1 AND id = $2' };

/** What a delivery sends. */
export async function bodyOfDelivery(pool: Pool, companyId: CompanyId, id: DeliveryId): Promise<string | null> {
  const [row] = await run<{ body: string }>(pool, findBody, [companyId, id]);
  return row?.body ?? null;
}
