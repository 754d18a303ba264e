import { JsonText } from '../../../contract/jsonText.ts';
import type { CompanyId } from '../../../domain/ids.ts';
import type { ScreenPopEntry } from '../../../domain/screenPop.ts';
import type { CrmRecord, Provider, Site } from '../../../providers/provider.ts';
import { readPhone } from '../../screenPops/lookUp.ts';
import type { Services } from '../../services.ts';

/** What a screen pop holds at most, as of those that are pushed by the API. Characters. */
const most = { text: 500, tier: 200, url: 2_048 } as const;

/**
 * A record that a CRM told of, as one entry for each of its numbers. Numbers that cannot be read are left out.
 * @param site null: the company is not connected there, so that nobody knows where the record is opened
 */
export async function entriesOf(
  services: Pick<Services, 'settings'>,
  companyId: CompanyId,
  provider: Provider<unknown>,
  site: Site<unknown> | null,
  record: CrmRecord,
): Promise<ScreenPopEntry[]> {
  const phones = await Promise.all(record.phones.map((text) => readPhone(services, companyId, text)));
  const numbers = new Set(phones.flatMap((phone) => (phone.kind === 'ok' ? [phone.value] : [])));
  if (numbers.size === 0) return [];
  const { name, email, accountNumber, tier, openTickets = null, details } = record;
  const told = { name: clean(name, most.text), email: clean(email, most.text), account_number: clean(accountNumber, most.text), open_tickets: openTickets };
  const others = Object.entries(details).map(([field, value]) => [clean(field, most.tier), clean(value, most.text)]);
  const known = Object.entries({ ...Object.fromEntries(others), ...told }).filter(([, value]) => value !== null);
  const url = site === null ? record.url : provider.recordUrl(record, site);
  const entry = {
    data: JsonText.of(Object.fromEntries(known)),
    externalSystem: provider.id,
    externalId: clean(record.id, most.text),
    externalObject: clean(record.object, most.tier),
    tier: clean(tier, most.tier),
    recordUrl: url === null || url.length > most.url ? null : clean(url, most.url),
    candidates: null,
  };
  return [...numbers].map((phone) => ({ phone, ...entry }));
}

/** Without what no database keeps (NUL and halves of characters), and cut. */
function clean<T extends string | null>(text: T, length: number): T | string {
  return text === null ? text : text.replace(/[\0\p{Cs}]/gu, '').slice(0, length).replace(/\p{Cs}$/u, '');
}
