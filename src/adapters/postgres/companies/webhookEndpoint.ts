import type { DisabledReason } from '../../../contract/vocabulary.ts';
import { type EndpointHealth, healthyEndpoint } from '../../../domain/endpointHealth.ts';
import type { CompanyId } from '../../../domain/ids.ts';
import type { IntegrationChange } from '../../../ports/integrations.ts';
import type { Prisma, WebhookEndpoint as StoredEndpoint } from '../generated/client.ts';

/** The columns of `webhook_endpoint` that tell how it does. */
type HealthColumns = Pick<
  StoredEndpoint,
  'consecutiveFailures' | 'failingSince' | 'pausedUntil' | 'disabledAt' | 'disabledReason'
>;

/** Reads an endpoint's health. */
export function readHealth(row: HealthColumns): EndpointHealth {
  const { consecutiveFailures, failingSince, pausedUntil, disabledAt, disabledReason } = row;
  return {
    consecutiveFailures,
    failingSince,
    pausedUntil,
    disabled: disabledAt === null ? null : { at: disabledAt, reason: disabledReason as DisabledReason },
  };
}

/** An endpoint's health as its columns. */
function healthColumns({ disabled, ...health }: EndpointHealth): HealthColumns {
  return { ...health, disabledAt: disabled?.at ?? null, disabledReason: disabled?.reason ?? null };
}

type EndpointChange = Pick<
  IntegrationChange,
  'webhookUrl' | 'webhookSecretEncrypted' | 'webhookSecretPrevious' | 'webhookMaxInFlight' | 'webhookHealth'
>;

/**
 * Sets, changes or removes a company's webhook endpoint; what waits for one that is disabled or gone is given up
 * afterwards (`giveUp` of the outbox). Throws for a change of an endpoint that is not there: a
 * secret would be shown to the admin and sign nothing.
 */
export async function saveEndpoint(
  tx: Prisma.TransactionClient,
  companyId: CompanyId,
  change: EndpointChange,
): Promise<void> {
  if (change.webhookUrl === null) {
    await tx.webhookEndpoint.deleteMany({ where: { companyId } });
    return;
  }
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
): Promise<EndpointHealth | null> {
  await holdEndpoint(tx, companyId);
  const row = await tx.webhookEndpoint.findUnique({ where: { companyId } });
  if (row === null || row.url !== url) return null;
  const current = readHealth(row);
  const next = decide(current);
  if (next !== current) await tx.webhookEndpoint.update({ where: { companyId }, data: healthColumns(next) });
  return next;
}

/** Until the commit, so that two who change it do so one after the other. Calls go on writing events under it. */
async function holdEndpoint(tx: Prisma.TransactionClient, companyId: CompanyId): Promise<void> {
  await tx.$queryRaw`SELECT 1 FROM webhook_endpoint WHERE company_id = ${companyId}::uuid FOR NO KEY UPDATE`;
}
