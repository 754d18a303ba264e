import { beginningOfQuarter, monthsBefore } from '../domain/reportTimes.ts';
import type { Services } from './services.ts';

// Retention: deletes what has been kept long enough. A signal ends each after the batch under way;
// the next run deletes the rest.

/** Rows deleted by one statement, so that none runs long. */
const batch = 5_000;
/** Fewer: the attempts of a delivery are deleted with it. */
const deliveryBatch = 1_000;
/** A transaction that was to record a call has ended long before this. Milliseconds. */
const keepDecidedMs = 3_600_000;
/** How long a delivery stays in the log after its event. Milliseconds. */
export const keepDeliveriesMs = 30 * 24 * 3_600_000;
/** Imports with their rows, which hold personal data: 30 days. Milliseconds. */
const keepImportsMs = 30 * 86_400_000;
/** As long as it counts. Milliseconds. */
const keepHeardMs = 3_600_000;
/** An upload takes no longer. Milliseconds. */
const keepUploadsMs = 3_600_000;
/** Each with all of its rows. */
const importBatch = 5;
/** Each with all of its readers, thousands at times. */
const messageBatch = 20;
/** How long a record waits to be read. Milliseconds. */
const keepNoticesMs = 7 * 24 * 3_600_000;
/** How long agents' timelines and messages are kept. Milliseconds. */
export const keepLiveMs = 30 * 24 * 3_600_000;

/** Forgets Idempotency-Keys that have expired, and how calls of more than an hour ago were decided. */
export async function pruneClicks(
  { calls, clock, idempotency }: Pick<Services, 'calls' | 'clock' | 'idempotency'>,
  signal: AbortSignal,
): Promise<void> {
  const now = clock.now();
  while (!signal.aborted && (await idempotency.prune(new Date(now), batch)) > 0);
  while (!signal.aborted && (await calls.pruneDecided(new Date(now - keepDecidedMs), batch)) > 0);
}

/** Deletes the finished deliveries that have been kept long enough, with their attempts; what still waits stays. */
export async function pruneDeliveries(
  { outbox, clock }: Pick<Services, 'outbox' | 'clock'>,
  signal: AbortSignal,
): Promise<void> {
  const before = new Date(clock.now() - keepDeliveriesMs);
  while (!signal.aborted && (await outbox.prune(before, deliveryBatch)) > 0);
}

/** Deletes what was looked up in CRM systems and is not used any more. */
export async function pruneLookedUp(
  { clock, screenPops }: Pick<Services, 'clock' | 'screenPops'>,
  signal: AbortSignal,
): Promise<void> {
  const before = new Date(clock.now());
  while (!signal.aborted && (await screenPops.prune(before, batch)) > 0);
}

/**
 * Drops records that CRM systems told of and that could not be read for a week: an admin did not
 * look after the connection.
 */
export async function pruneNotices(
  { clock, crmNotices, observer }: Pick<Services, 'clock' | 'crmNotices' | 'observer'>,
  signal: AbortSignal,
): Promise<void> {
  const before = new Date(clock.now() - keepNoticesMs);
  while (!signal.aborted) {
    const dropped = await crmNotices.prune(before, batch);
    if (dropped.length === 0) return;
    for (const { provider } of dropped) observer.crmNotice(provider, 'expired');
    const companies = new Map(dropped.map((one) => [one.companyId, one.provider]));
    for (const [companyId, provider] of companies)
      observer.crmNoticesDropped({ company_id: companyId, provider, reason: 'expired' });
  }
}

/** Forgets imports that nobody has touched for 30 days, and uploads that broke off with their gateway. */
export async function pruneImports(
  { clock, imports }: Pick<Services, 'clock' | 'imports'>,
  signal: AbortSignal,
): Promise<void> {
  const now = clock.now();
  while (
    !signal.aborted &&
    (await imports.prune(new Date(now - keepImportsMs), new Date(now - keepUploadsMs), importBatch)) > 0
  );
}

/** Forgets what platforms told of calls an hour ago and before. */
export async function pruneHeardCalls(
  { clock, heardCalls }: Pick<Services, 'clock' | 'heardCalls'>,
  signal: AbortSignal,
): Promise<void> {
  const before = new Date(clock.now() - keepHeardMs);
  while (!signal.aborted && (await heardCalls.prune(before, batch)) > 0);
}

/** Deletes messages that have been kept long enough. */
export async function pruneMessages(
  { clock, messages }: Pick<Services, 'clock' | 'messages'>,
  signal: AbortSignal,
): Promise<void> {
  const before = new Date(clock.now() - keepLiveMs);
  while (!signal.aborted && (await messages.prune(before, messageBatch)) > 0);
}

/** Deletes agents' timelines that have been kept long enough and are rolled up. */
export async function pruneTimelines(
  { agentHistory, clock }: Pick<Services, 'agentHistory' | 'clock'>,
  signal: AbortSignal,
): Promise<void> {
  const before = new Date(clock.now() - keepLiveMs);
  while (!signal.aborted && (await agentHistory.prune(before, batch)) > 0);
}

/**
 * Deletes click counts and agents' rolled-up times, beside which reports have the calls alone.
 * @param months how long they are kept
 */
export async function pruneFigures(
  { agentTimes, clickTallies, clock }: Pick<Services, 'agentTimes' | 'clickTallies' | 'clock'>,
  months: number,
  signal: AbortSignal,
): Promise<void> {
  const before = beginningOfQuarter(monthsBefore(clock.now(), months).getTime());
  for (const kept of [agentTimes, clickTallies]) {
    while (!signal.aborted && (await kept.prune(before, batch)) > 0);
  }
}
