import type { CompanyId } from '../../domain/ids.ts';
import type { IntegrationChange } from '../../ports/integrations.ts';
import type { Prisma } from './generated/client.ts';

type EndpointChange = Pick<IntegrationChange, 'webhookUrl' | 'webhookSecretEncrypted'>;

/**
 * Sets, changes or removes a company's webhook endpoint. Throws for a secret without an endpoint: it would be
 * shown to the admin and sign nothing.
 */
export async function saveEndpoint(
  tx: Prisma.TransactionClient,
  companyId: CompanyId,
  { webhookUrl: url, webhookSecretEncrypted: secretEncrypted }: EndpointChange,
  now: Date,
): Promise<void> {
  if (url === null) return removeEndpoint(tx, companyId, now);
  const secret = secretEncrypted === undefined ? {} : { secretEncrypted };
  if (url !== undefined) {
    const create = { companyId, url, ...secret };
    await tx.webhookEndpoint.upsert({ where: { companyId }, create, update: { url, ...secret } });
    return;
  }
  if (secretEncrypted === undefined) return;
  const { count } = await tx.webhookEndpoint.updateMany({ where: { companyId }, data: { secretEncrypted } });
  if (count === 0 && secretEncrypted !== null) throw new Error('a webhook secret needs a webhook URL');
}

/**
 * Removes the endpoint first: that waits for changes which are writing events under it and stops later ones, so
 * the second statement sees every delivery that will ever wait. One in flight is given up too, since nobody could
 * claim it again; its sender finds its claim gone. In id order, as a settlement locks the events of one call.
 */
async function removeEndpoint(tx: Prisma.TransactionClient, companyId: CompanyId, now: Date): Promise<void> {
  await tx.webhookEndpoint.deleteMany({ where: { companyId } });
  await tx.$executeRaw`
    WITH waiting AS (
      SELECT id FROM webhook_delivery
      WHERE company_id = ${companyId}::uuid AND state IN ('pending', 'in_flight')
      ORDER BY id FOR UPDATE
    )
    UPDATE webhook_delivery d
    SET state = 'dead', claim_id = NULL, last_error = 'the webhook URL was cleared', finished_at = ${now}
    FROM waiting WHERE d.id = waiting.id`;
}
