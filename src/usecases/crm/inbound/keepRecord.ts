import { JsonText } from '../../../contract/jsonText.ts';
import type { CompanyId } from '../../../domain/ids.ts';
import type { ScreenPopEntry } from '../../../domain/screenPop.ts';
import type { CrmRecord, Provider, Site } from '../../../providers/provider.ts';
import { readPhone } from '../../screenPops/lookUp.ts';
import type { Services } from '../../services.ts';

/**
 * A record that a CRM told of, as one entry for each of its numbers. Numbers that cannot be read are left out.
 * @param site null: the company is not connected there, so that nobody knows where the record is opened
 */
export async function entriesOf(
  services: Pick<Services, 'companyOf'>,
  companyId: CompanyId,
  provider: Provider<unknown>,
  site: Site<unknown> | null,
  record: CrmRecord,
): Promise<ScreenPopEntry[]> {
  const phones = await Promise.all(record.phones.map((text) => readPhone(services, companyId, text)));
  const numbers = new Set(phones.flatMap((phone) => (phone.kind === 'ok' ? [phone.value] : [])));
  if (numbers.size === 0) return [];
  const { name, email, accountNumber, tier, openTickets = null, details } = record;
  const known = Object.entries({
    ...details,
    name,
    email,
    account_number: accountNumber,
    open_tickets: openTickets,
  }).filter(([, value]) => value !== null);
  const entry = {
    data: JsonText.of(Object.fromEntries(known)),
    externalSystem: provider.id,
    externalId: record.id,
    externalObject: record.object,
    tier,
    recordUrl: site === null ? record.url : provider.recordUrl(record, site),
    candidates: null,
  };
  return [...numbers].map((phone) => ({ phone, ...entry }));
}
