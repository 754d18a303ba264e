import type { CrmTrouble } from '../../../ports/crm.ts';
import type { LeasedNotice } from '../../../ports/crmInbound.ts';
import type { CrmNoticeOutcome } from '../../../ports/observer.ts';
import type { Services } from '../../services.ts';
import { openAccount } from '../crmAccount.ts';
import { readRecord } from '../searchRecords.ts';
import { entriesOf } from './keepRecord.ts';

/** A record may wait so long for its turn in the provider's rate, and for the answer. Milliseconds. */
const readWithinMs = 20_000;

/**
 * `done`: it was read, or there is nothing to read. `trouble`: the CRM did not tell. `held_back`: it refuses the
 * credentials, or they cannot be read: the record waits until an admin has looked after them. `waits`: it was not
 * asked, and is left alone for so many milliseconds. `too_late`: somebody else may be reading it.
 */
export type ReadResult =
  | { kind: 'done' | 'held_back' | 'too_late' }
  | { kind: 'waits'; forMs: number }
  | { kind: 'trouble'; trouble: CrmTrouble };

type Needs = Pick<
  Services,
  'cipher' | 'clock' | 'crm' | 'crmConnections' | 'crmProviders' | 'observer' | 'screenPops' | 'companyOf'
>;

/**
 * Reads one record and keeps it for all its numbers.
 * @param leasedUntil nothing is kept from then on: somebody else may have kept what is newer.
 * Milliseconds since the epoch
 */
export async function readNamedRecord(
  services: Needs,
  { companyId, provider, reference }: LeasedNotice,
  leasedUntil: number,
): Promise<ReadResult> {
  const { clock, crm, crmConnections, observer, screenPops } = services;
  const done = (outcome: CrmNoticeOutcome): ReadResult => {
    observer.crmNotice(provider, outcome);
    return { kind: 'done' };
  };
  const connection = await crmConnections.find(companyId);
  if (connection?.provider !== provider) return done('not_connected');
  if (connection.attention !== null) return { kind: 'held_back' };
  const account = await openAccount(services, companyId, connection);
  if (account === 'sealed') return { kind: 'held_back' };
  if (account === null) return done('not_connected');
  if (account.provider.readRequest(reference, account.site) === null) return done('unreadable');
  const read = await readRecord(crm, account, reference, { isLive: false, withinMs: readWithinMs });
  if (clock.now() >= leasedUntil) return { kind: 'too_late' };
  if (read.kind === 'failed') {
    const { trouble } = read;
    if (trouble.kind === 'held_back') return { kind: 'waits', forMs: trouble.retryAfterMs };
    if (trouble.kind === 'rate_limited' || trouble.kind === 'unavailable' || trouble.kind === 'no_answer')
      return { kind: 'trouble', trouble };
    if (trouble.kind !== 'unauthorized') return done('unreadable');
    await crmConnections.noteAttention(companyId, connection, trouble.message);
    return { kind: 'held_back' };
  }
  if (read.value === null) {
    await screenPops.forgetRecord(companyId, { externalSystem: provider, ...reference });
    return done('gone');
  }
  const entries = await entriesOf(services, companyId, account.provider, account.site, read.value);
  await screenPops.upsertMany(companyId, entries);
  // All of the record was read: numbers that it had before are not its own any more.
  await screenPops.forgetRecord(
    companyId,
    { externalSystem: provider, object: read.value.object, id: read.value.id },
    entries.map(({ phone }) => phone),
  );
  observer.push(entries.length);
  return done(entries.length === 0 ? 'without_number' : 'read');
}
