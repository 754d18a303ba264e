import type { CompanyId } from '../../domain/ids.ts';
import type { AttemptVerdict } from '../../domain/retrySchedule.ts';
import type { DeliveryKey, LeaseRequest } from '../../ports/outbox.ts';
import type { CreateQueueGroups, QueuedDelivery } from './endpointQueues.ts';

/** An attempt that is over and not yet written down. */
export type Sent = {
  verdict: AttemptVerdict['kind'];
  /** Whether it counts for the endpoint's health. */
  isTelling: boolean;
  startedAt: Date;
  latencyMs: number;
};

/** One kind of deliveries: where they are kept, and how one of them is sent. */
export interface Lane<D extends QueuedDelivery, S extends Sent> {
  /** As reports name it, such as `webhook`. */
  kind: string;
  /** Attempts under way at once in this process. */
  maxSending: number;
  /** Deliveries that one look into the outbox reads at most. */
  leaseAtMost: number;
  /** Groups of its endpoints, where some stop answering together. */
  createGroups?: CreateQueueGroups;
  lease(request: LeaseRequest): Promise<D[]>;
  renew(holder: string, companyIds: CompanyId[], leaseUntil: Date): Promise<CompanyId[]>;
  release(holder: string, butFor?: CompanyId[]): Promise<void>;
  putOff(holder: string, key: DeliveryKey, until: Date): Promise<void>;
  /** One attempt, not written down yet. Null: there is nothing to send, or the lease was lost. */
  send(delivery: D): Promise<S | null>;
  /** Writes an attempt down. */
  settle(delivery: D, sent: S): Promise<unknown>;
  /** Updates the endpoint's health by an attempt. Null: it is another endpoint by now, or none. */
  noteHealth(delivery: D, sent: S): Promise<{ pausedUntil: Date | null; disabled: unknown } | null>;
}
