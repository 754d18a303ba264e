import type { DeliveryView } from '../../contract/deliveries.ts';
import { healthyEndpoint } from '../../domain/endpointHealth.ts';
import { isUuid, toId, type CompanyId, type DeliveryId } from '../../domain/ids.ts';
import { ok, refuse, type Outcome, type Refused } from '../../domain/outcome.ts';
import type { Services } from '../services.ts';
import { deliveryView } from './deliveryView.ts';
import { noDelivery } from './readDeliveries.ts';

type Needs = Pick<Services, 'clock' | 'forget' | 'integrations' | 'outbox' | 'wakeDispatcher'>;

const noEndpoint = refuse('conflict', 'There is no endpoint to send to: set webhook_url first.');

/** Sends one delivery again, now, whatever became of it; its id stays the same. */
export async function redeliver(services: Needs, companyId: CompanyId, id: string): Promise<Outcome<DeliveryView>> {
  if (!isUuid(id)) return noDelivery();
  const deliveryId = toId<DeliveryId>(id);
  const due = await services.outbox.redeliver(companyId, deliveryId, new Date(services.clock.now()));
  if (due.kind !== 'found') return noDelivery(due.kind);
  if (!due.value) return whyNot(services, companyId);
  services.wakeDispatcher();
  const found = await services.outbox.find(companyId, deliveryId);
  return found.kind === 'found' ? ok(deliveryView(found.value)) : noDelivery(found.kind);
}

async function whyNot({ integrations }: Needs, companyId: CompanyId): Promise<Refused> {
  const { webhookHealth: health } = await integrations.find(companyId);
  if (health === null) return noEndpoint;
  return health.disabled === null
    ? refuse('conflict', 'The delivery is being sent at this moment; its log shows soon how that went.')
    : refuse(
        'conflict',
        'The webhook endpoint is disabled, so that nothing is sent. Enable it first: set webhook_enabled to true.',
      );
}

/**
 * Sends everything again that was given up and was made since then. A disabled endpoint is enabled for it, and taken
 * for healthy. Safe to repeat: what is on its way again is left alone.
 */
export async function recoverDeliveries(
  services: Needs,
  companyId: CompanyId,
  since: Date,
): Promise<Outcome<{ redelivering: number }>> {
  const { webhookHealth: health } = await services.integrations.find(companyId);
  if (health === null) return noEndpoint;
  if (health.disabled !== null) await enable(services, companyId);
  const redelivering = await services.outbox.redeliverDeadSince(companyId, since, new Date(services.clock.now()));
  services.wakeDispatcher();
  return ok({ redelivering });
}

/** Unless somebody else has enabled it, or cleared the URL, in the meantime. */
async function enable({ forget, integrations }: Needs, companyId: CompanyId): Promise<void> {
  await integrations.update(companyId, ({ webhookHealth: health }) =>
    health === null || health.disabled === null ? {} : { webhookHealth: healthyEndpoint },
  );
  forget(companyId);
}
