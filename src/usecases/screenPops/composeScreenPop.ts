import type { ExactScreenPop } from '../../contract/screenPops.ts';
import type { CompanyId } from '../../domain/ids.ts';
import type { PhoneNumber } from '../../domain/phoneNumbers.ts';
import { layOver, screenPopOf } from '../../domain/screenPop.ts';
import type { Services } from '../services.ts';

export type ComposedPop = { found: boolean; screenPop: ExactScreenPop };

/**
 * What an agent sees for a phone number: what the request brought, laid over what the CRM pushed, field by field.
 * `found` tells whether the CRM had pushed anything.
 */
export async function composeScreenPop(
  { screenPops }: Pick<Services, 'screenPops'>,
  companyId: CompanyId,
  phone: PhoneNumber,
  requested: ExactScreenPop = {},
): Promise<ComposedPop> {
  const entry = await screenPops.find(companyId, phone);
  const cached = entry === null ? { phone } : screenPopOf(entry);
  return { found: entry !== null, screenPop: layOver(requested, cached) };
}
