import { LRUCache } from 'lru-cache';
import { JsonText } from '../../contract/jsonText.ts';
import type { CompanyId } from '../../domain/ids.ts';
import type { PhoneNumber } from '../../domain/phones/phoneNumbers.ts';
import type { ScreenPopEntry } from '../../domain/screenPop.ts';
import type { CrmAccount, CrmLookup, LookedUp } from '../../ports/crm.ts';
import type { CrmRecord } from '../../providers/provider.ts';
import type { Services } from '../services.ts';
import { openAccount } from './crmAccount.ts';
import { countTickets, searchRecords } from './searchRecords.ts';

/** How long a CRM may take to tell who has a number. Milliseconds. */
const answerWithinMs = 5_000;
/** How long a number that nobody has is not asked for again. Milliseconds. */
const keepNobodyMs = 60_000;
/** How many such numbers are remembered. */
const maxNobodies = 50_000;

type Needs = Pick<
  Services,
  'cipher' | 'clock' | 'crm' | 'crmConnections' | 'crmProviders' | 'observer' | 'screenPops' | 'companyOf'
>;

export function createCrmLookup(services: Needs): CrmLookup {
  const { clock, companyOf, crmConnections, screenPops } = services;
  const underWay = new Map<string, Promise<LookedUp>>();
  /** Until when nobody has a number. */
  const nobodies = new LRUCache<string, number>({ max: maxNobodies });

  function isNobody(key: string): boolean {
    return (nobodies.get(key) ?? 0) > clock.now();
  }

  async function ask(companyId: CompanyId, phone: PhoneNumber, key: string): Promise<LookedUp> {
    const { mode, crmProvider } = await companyOf(companyId);
    if (mode !== 'pull') return { kind: 'off' };
    const connection = await crmConnections.find(companyId);
    const account =
      connection?.provider !== crmProvider || connection.attention !== null
        ? null
        : await openAccount(services, companyId, connection);
    if (connection === null || account === null || account === 'sealed') return { kind: 'off' };
    // Whoever asks found nothing kept, perhaps a moment before the answer to somebody else was.
    const kept = await screenPops.find(companyId, phone);
    if (kept !== null) return { kind: 'found', entry: kept };
    const began = clock.now();
    const searched = await searchRecords(services, account, phone, began + answerWithinMs);
    const tell = (outcome: string) => services.observer.crmLookup(account.provider.id, outcome, clock.now() - began);
    if (searched.kind === 'failed') {
      if (searched.trouble.kind === 'unauthorized')
        await crmConnections.noteAttention(companyId, connection, searched.trouble.message);
      tell(searched.trouble.kind);
      return searched;
    }
    const [first] = searched.records;
    tell(first === undefined ? 'nobody' : 'found');
    if (first === undefined) {
      nobodies.set(key, clock.now() + keepNobodyMs);
      return { kind: 'nobody' };
    }
    const entry =
      searched.records.length === 1
        ? await entryOf(services, account, phone, first, began + answerWithinMs)
        : severalOf(account, phone, searched.records);
    if (connection.keepSeconds > 0)
      await screenPops.keepLookedUp(companyId, entry, new Date(clock.now() + connection.keepSeconds * 1_000));
    return { kind: 'found', entry };
  }

  return {
    find(companyId, phone) {
      const key = `${companyId} ${phone}`;
      if (isNobody(key)) return Promise.resolve({ kind: 'nobody' });
      // Without a look at the connection: a CRM that hangs must cost calls nothing.
      const heldBack = services.crm.heldBack(companyId, 'The CRM');
      if (heldBack !== null) return Promise.resolve({ kind: 'failed', trouble: heldBack });
      const shared = underWay.get(key);
      if (shared !== undefined) return shared;
      const asking = ask(companyId, phone, key).finally(() => underWay.delete(key));
      underWay.set(key, asking);
      return asking;
    },
    isPaused: (companyId) => services.crm.heldBack(companyId, 'The CRM') !== null,
    forget(companyId) {
      for (const key of nobodies.keys()) if (key.startsWith(companyId)) nobodies.delete(key);
    },
  };
}

/** What is shown of one record, with its open tickets where the time allows it. */
export async function entryOf(
  { clock, crm }: Pick<Services, 'clock' | 'crm'>,
  account: CrmAccount,
  phone: PhoneNumber,
  record: CrmRecord,
  until: number,
): Promise<ScreenPopEntry> {
  const openTickets = await countTickets(crm, account, record, until - clock.now());
  const { name, email, accountNumber, tier, details } = record;
  const told = { name, email, account_number: accountNumber, open_tickets: openTickets, ...details };
  return {
    phone,
    data: JsonText.of(Object.fromEntries(Object.entries(told).filter(([, value]) => value !== null))),
    externalSystem: account.provider.id,
    externalId: record.id,
    externalObject: record.object,
    tier,
    recordUrl: account.provider.recordUrl(record, account.site),
    candidates: null,
  };
}

/** Several records with the number: nobody knows yet which one it is. */
export function severalOf(
  { provider, site }: CrmAccount,
  phone: PhoneNumber,
  records: readonly CrmRecord[],
): ScreenPopEntry {
  const candidates = records.map((record) => ({
    object: record.object,
    id: record.id,
    name: record.name,
    email: record.email,
    account_number: record.accountNumber,
    vip_tier: record.tier,
    record_url: provider.recordUrl(record, site),
  }));
  return {
    phone,
    data: JsonText.of({}),
    externalSystem: provider.id,
    externalId: null,
    externalObject: null,
    tier: null,
    recordUrl: null,
    candidates,
  };
}
