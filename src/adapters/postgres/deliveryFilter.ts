import { idsSince, idsUntil } from '../../domain/deliveryIds.ts';
import type { CompanyId } from '../../domain/ids.ts';
import type { DeliveryFilter } from '../../ports/outbox.ts';
import type { Prisma } from './generated/client.ts';

/**
 * Which deliveries of a company a page of the log may hold. A time is looked for by id first, which the index has in
 * order: an old window of a long log is found as fast as a new one.
 * @param cursor the id before which the page begins; null: the newest
 */
export function deliveriesThatFit(
  companyId: CompanyId,
  { since, until, ...plain }: DeliveryFilter,
  cursor: string | null,
): Prisma.WebhookDeliveryWhereInput {
  return {
    companyId,
    ...plain,
    AND: [
      ...(cursor === null ? [] : [{ id: { lt: cursor } }]),
      ...(since === undefined ? [] : [{ id: { gte: idsSince(since) }, createdAt: { gte: since } }]),
      ...(until === undefined ? [] : [{ id: { lt: idsUntil(until) }, createdAt: { lt: until } }]),
    ],
  };
}
