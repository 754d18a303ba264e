import type { z } from 'zod';
import type { DeliveryDetail, DeliveryView, listDeliveriesQuery } from '../../contract/deliveries.ts';
import { isUuid, toId, type CallId, type CompanyId, type DeliveryId } from '../../domain/ids.ts';
import { ok, refuse, type Outcome, type Refused } from '../../domain/outcome.ts';
import type { DeliveryFilter } from '../../ports/outbox.ts';
import type { Services } from '../services.ts';
import { deliveryDetail, deliveryView } from './deliveryView.ts';

type Query = z.output<typeof listDeliveriesQuery>;

/** The delivery log, newest first. */
export async function listDeliveries(
  { outbox }: Pick<Services, 'outbox'>,
  companyId: CompanyId,
  query: Query,
): Promise<{ deliveries: DeliveryView[]; next_cursor: string | null }> {
  const filter: DeliveryFilter = {
    ...(query.event === undefined ? {} : { event: query.event }),
    ...(query.state === undefined ? {} : { state: query.state }),
    ...(query.call_id === undefined ? {} : { callId: toId<CallId>(query.call_id) }),
    ...(query.since === undefined ? {} : { since: new Date(query.since) }),
    ...(query.until === undefined ? {} : { until: new Date(query.until) }),
  };
  const page = await outbox.list(companyId, filter, { cursor: query.cursor ?? null, limit: query.limit });
  return { deliveries: page.items.map(deliveryView), next_cursor: page.nextCursor };
}

/** One delivery with each attempt. */
export async function readDelivery(
  { outbox }: Pick<Services, 'outbox'>,
  companyId: CompanyId,
  id: string,
): Promise<Outcome<DeliveryDetail>> {
  if (!isUuid(id)) return noDelivery();
  const found = await outbox.find(companyId, toId<DeliveryId>(id));
  if (found.kind === 'found') return ok(deliveryDetail(found.value));
  return noDelivery(found.kind);
}

/** Why there is no such delivery for this company. */
export function noDelivery(kind: 'unknown' | 'wrong_company' = 'unknown'): Refused {
  return kind === 'wrong_company'
    ? refuse('wrong_company', 'That delivery belongs to another company.')
    : refuse('not_found', 'There is no such delivery.');
}
