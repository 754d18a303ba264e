import type { LeasedDelivery } from '../../ports/outbox.ts';
import type { Lane } from '../deliveries/lane.ts';
import type { Services } from '../services.ts';
import { sendDelivery, type SendNeeds, type SentDelivery } from './attemptDelivery.ts';
import { noteHealth } from './endpointHealth.ts';

/** Webhooks, as the dispatcher sends them. */
export function webhookLane(
  services: SendNeeds & Pick<Services, 'nodeId' | 'outbox'>,
): Lane<LeasedDelivery, SentDelivery> {
  const { nodeId, outbox } = services;
  return {
    kind: 'webhook',
    maxSending: 256,
    leaseAtMost: 512,
    lease: (request) => outbox.lease(request),
    renew: (holder, companyIds, leaseUntil) => outbox.renew(holder, companyIds, leaseUntil),
    release: (holder, butFor) => outbox.release(holder, butFor),
    putOff: (holder, key, until) => outbox.putOff(holder, key, until),
    async send(delivery) {
      const body = delivery.body ?? (await outbox.bodyOf(delivery.companyId, delivery.id));
      return body === null ? null : sendDelivery(services, { ...delivery, body });
    },
    settle: (_delivery, { settlement }) => outbox.settle(nodeId, settlement),
    noteHealth: (delivery, sent) => noteHealth(services, delivery, sent),
  };
}
