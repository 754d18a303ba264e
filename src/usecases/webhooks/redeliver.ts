import type { DeliveryView } from '../../contract/deliveries.ts';
import { healthyEndpoint } from '../../domain/endpointHealth.ts';
import { isUuid, toId, type CompanyId, type DeliveryId } from '../../domain/ids.ts';
import { ok, refuse, type Outcome, type Refused } from '../../domain/outcome.ts';
import type { Delivery } from '../../ports/outbox.ts';
import type { Services } from '../services.ts';
import { deliveryView, noDelivery } from './readDeliveries.ts';

type Needs = Pick<Services, 'clock' | 'crmConnections' | 'forget' | 'integrations' | 'outbox' | 'wakeDispatcher'>;

const noEndpoint = refuse('conflict', 'There is no endpoint to send to: set webhook_url first.', {
  cause: { code: 'no_webhook_url' },
});

/** Sends one delivery again, now, whatever became of it; its id stays the same. */
export async function redeliver(services: Needs, companyId: CompanyId, id: string): Promise<Outcome<DeliveryView>> {
  if (!isUuid(id)) return noDelivery();
  const deliveryId = toId<DeliveryId>(id);
  const due = await services.outbox.redeliver(companyId, deliveryId, new Date(services.clock.now()));
  if (due.kind !== 'found') return noDelivery(due.kind);
  const found = await services.outbox.find(companyId, deliveryId);
  if (found.kind !== 'found') return noDelivery(found.kind);
  if (!due.value) return whyNot(services, companyId, found.value);
  services.wakeDispatcher(companyId);
  return ok(deliveryView(found.value));
}

const beingSent = refuse('conflict', 'The delivery is being sent at this moment; its log shows soon how that went.', {
  cause: { code: 'delivery_being_sent' },
});

async function whyNot(
  { crmConnections, integrations }: Needs,
  companyId: CompanyId,
  { event, target }: Delivery,
): Promise<Refused> {
  if (target === 'crm') {
    const isConnected = (await crmConnections.find(companyId)) !== null;
    return isConnected
      ? beingSent
      : refuse('conflict', 'The company is not connected to a CRM.', { cause: { code: 'no_crm_connected' } });
  }
  if (event === 'integration_test') {
    return refuse('conflict', 'A test is not sent again. Run another one: POST test-webhook.', {
      cause: { code: 'test_not_repeated' },
    });
  }
  const { webhookHealth: health } = await integrations.find(companyId);
  if (health === null) return noEndpoint;
  return health.disabled === null
    ? beingSent
    : refuse(
        'conflict',
        'The webhook endpoint is disabled, so that nothing is sent. Enable it first: set webhook_enabled to true.',
        { cause: { code: 'endpoint_disabled' } },
      );
}

/** Longer than a recovery takes; should the gateway die meanwhile, sending resumes after this. Milliseconds. */
const recoveryMs = 60_000;

/**
 * Redelivers every dead delivery created since then. A disabled endpoint is enabled and marked healthy; it stays paused
 * until all are due again, so that no new event overtakes the lost ones of its call. Safe to repeat: deliveries already
 * on their way are left alone.
 */
export async function recoverDeliveries(
  services: Needs,
  companyId: CompanyId,
  since: Date,
): Promise<Outcome<{ redelivering: number }>> {
  const { webhookHealth: health } = await services.integrations.find(companyId);
  if (health === null && (await services.crmConnections.find(companyId)) === null) return noEndpoint;
  const enabled = health === null || health.disabled === null ? null : await enable(services, companyId);
  const redelivering = await services.outbox.redeliverDeadSince(companyId, since, new Date(services.clock.now()));
  if (enabled !== null) await resume(services, companyId, enabled);
  services.wakeDispatcher(companyId);
  return ok({ redelivering });
}

/**
 * Enables the endpoint and pauses it; until when. Unless somebody else has enabled it, or cleared the URL, meanwhile.
 */
async function enable({ clock, forget, integrations }: Needs, companyId: CompanyId): Promise<Date> {
  const pausedUntil = new Date(clock.now() + recoveryMs);
  await integrations.update(companyId, ({ webhookHealth: health }) =>
    health === null || health.disabled === null ? {} : { webhookHealth: { ...healthyEndpoint, pausedUntil } },
  );
  forget(companyId);
  return pausedUntil;
}

/** Ends the pause, if it is still that one. */
async function resume({ integrations }: Needs, companyId: CompanyId, pausedUntil: Date): Promise<void> {
  await integrations.update(companyId, ({ webhookHealth: health }) =>
    health?.pausedUntil?.getTime() === pausedUntil.getTime() ? { webhookHealth: healthyEndpoint } : {},
  );
}
