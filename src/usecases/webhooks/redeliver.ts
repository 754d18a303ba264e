import type { DeliveryView } from '../../contract/deliveries.ts';
import { isUuid, toId, type CompanyId, type DeliveryId } from '../../domain/ids.ts';
import { ok, refuse, type Outcome } from '../../domain/outcome.ts';
import type { Services } from '../services.ts';
import { deliveryView } from './deliveryView.ts';
import { noDelivery } from './readDeliveries.ts';

type Needs = Pick<Services, 'clock' | 'outbox' | 'wakeDispatcher'>;

/** Sends one delivery again, now, whatever became of it; its id stays the same. */
export async function redeliver(services: Needs, companyId: CompanyId, id: string): Promise<Outcome<DeliveryView>> {
  if (!isUuid(id)) return noDelivery();
  const deliveryId = toId<DeliveryId>(id);
  const due = await services.outbox.redeliver(companyId, deliveryId, new Date(services.clock.now()));
  if (due.kind !== 'found') return noDelivery(due.kind);
  if (!due.value) return refuse('conflict', 'The delivery is being sent at this moment, or has no endpoint to go to.');
  services.wakeDispatcher();
  const found = await services.outbox.find(companyId, deliveryId);
  return found.kind === 'found' ? ok(deliveryView(found.value)) : noDelivery(found.kind);
}

/** Sends everything again that was given up since then. */
export async function recoverDeliveries(
  services: Needs,
  companyId: CompanyId,
  since: Date,
): Promise<{ redelivering: number }> {
  const redelivering = await services.outbox.redeliverDeadSince(companyId, since, new Date(services.clock.now()));
  if (redelivering > 0) services.wakeDispatcher();
  return { redelivering };
}
