import type { DisabledReason } from '../../contract/vocabulary.ts';
import { healthyEndpoint, type EndpointHealth } from '../../domain/endpointHealth.ts';
import type { CompanyId } from '../../domain/ids.ts';
import type { IntegrationChange } from '../../ports/integrations.ts';
import { healthColumns, readHealth } from './endpointRows.ts';
import type { Prisma } from './generated/client.ts';

type EndpointChange = Pick<
  IntegrationChange,
  'webhookUrl' | 'webhookSecretEncrypted' | 'webhookSecretPrevious' | 'webhookMaxInFlight' | 'webhookHealth'
>;

/**
 * Sets, changes or removes a company's webhook endpoint. Throws for a change of an endpoint that is not there: a
 * secret would be shown to the admin and sign nothing.
 */
export async function saveEndpoint(
  tx: Prisma.TransactionClient,
  companyId: CompanyId,
  change: EndpointChange,
  now: Date,
): Promise<void> {
  if (change.webhookUrl === null) return removeEndpoint(tx, companyId, now);
  const columns = columnsOf(change);
  if (change.webhookUrl !== undefined) {
    const { webhookUrl: url } = change;
    await holdEndpoint(tx, companyId);
    await tx.webhookEndpoint.upsert({ where: { companyId }, create: { companyId, url, ...columns }, update: columns });
  } else if (Object.keys(columns).length > 0) {
    await holdEndpoint(tx, companyId);
    const { count } = await tx.webhookEndpoint.updateMany({ where: { companyId }, data: columns });
    if (count === 0 && change.webhookSecretEncrypted !== null) throw new Error('a webhook secret needs a webhook URL');
  }
  if (change.webhookHealth?.disabled) await giveUpWaiting(tx, companyId, wordsFor[change.webhookHealth.disabled.reason], now);
}

function columnsOf(change: EndpointChange) {
  const { webhookUrl: url, webhookSecretPrevious: previous } = change;
  const health = change.webhookHealth ?? (url === undefined ? undefined : healthyEndpoint);
  return {
    ...(url == null ? {} : { url }),
    ...(change.webhookSecretEncrypted === undefined ? {} : { secretEncrypted: change.webhookSecretEncrypted }),
    ...(previous === undefined
      ? {}
      : { secretPreviousEncrypted: previous?.encrypted ?? null, secretPreviousUntil: previous?.until ?? null }),
    ...(change.webhookMaxInFlight === undefined ? {} : { maxInFlight: change.webhookMaxInFlight }),
    ...(health === undefined ? {} : healthColumns(health)),
  };
}

/** Changes an endpoint's health, as long as it has that URL; null if it has not. */
export async function changeHealth(
  tx: Prisma.TransactionClient,
  companyId: CompanyId,
  url: string,
  decide: (health: EndpointHealth) => EndpointHealth,
  now: Date,
): Promise<EndpointHealth | null> {
  await holdEndpoint(tx, companyId);
  const row = await tx.webhookEndpoint.findUnique({ where: { companyId } });
  if (row === null || row.url !== url) return null;
  const current = readHealth(row);
  const next = decide(current);
  if (next === current) return current;
  await tx.webhookEndpoint.update({ where: { companyId }, data: healthColumns(next) });
  if (next.disabled !== null) await giveUpWaiting(tx, companyId, wordsFor[next.disabled.reason], now);
  return next;
}

/** Why nothing was sent, in the delivery log. */
export const wordsFor: Record<DisabledReason, string> = {
  gone: 'Not sent: the endpoint answered 410 (Gone) and was disabled.',
  failing: 'Not sent: the endpoint had failed for five days and was disabled.',
  admin: 'Not sent: an admin had disabled the endpoint.',
};

/**
 * Waits for the changes that are writing events under the endpoint, and stops later ones until the commit. So what
 * follows sees every delivery that was written before.
 */
async function holdEndpoint(tx: Prisma.TransactionClient, companyId: CompanyId): Promise<void> {
  await tx.$queryRaw`SELECT 1 FROM webhook_endpoint WHERE company_id = ${companyId}::uuid FOR UPDATE`;
}

/** One in flight is given up too, since nobody could claim it again; its sender finds its claim gone. */
async function removeEndpoint(tx: Prisma.TransactionClient, companyId: CompanyId, now: Date): Promise<void> {
  await tx.webhookEndpoint.deleteMany({ where: { companyId } });
  await giveUpWaiting(tx, companyId, 'the webhook URL was cleared', now, ['pending', 'in_flight']);
}

/** In id order, as a settlement locks the events of one call. What is in flight is left to its sender. */
async function giveUpWaiting(
  tx: Prisma.TransactionClient,
  companyId: CompanyId,
  why: string,
  now: Date,
  states: string[] = ['pending'],
): Promise<void> {
  await tx.$executeRaw`
    WITH waiting AS (
      SELECT id FROM webhook_delivery
      WHERE company_id = ${companyId}::uuid AND state IN ('pending', 'in_flight') AND state = ANY(${states})
      ORDER BY id FOR UPDATE
    )
    UPDATE webhook_delivery d
    SET state = 'dead', claim_id = NULL, last_error = ${why}, finished_at = ${now}
    FROM waiting WHERE d.id = waiting.id`;
}
