import { type EndpointHealth, healthAfter } from '../../domain/endpointHealth.ts';
import type { CompanyId } from '../../domain/ids.ts';
import type { LeasedDelivery } from '../../ports/outbox.ts';
import type { Services } from '../services.ts';
import type { SentDelivery } from './attemptDelivery.ts';

/** Deliveries moved by one statement, so that none runs long and no call waits for it. */
const batch = 1_000;

/** Moves deliveries to `dead` that wait for endpoints that are disabled or gone: of one company, or of all. */
export async function moveStoppedToDead(
  { outbox, clock }: Pick<Services, 'outbox' | 'clock'>,
  companyId: CompanyId | 'all',
): Promise<void> {
  while ((await outbox.moveToDead(companyId, batch, new Date(clock.now()))) > 0);
}

/**
 * Updates an endpoint's health by an attempt, reports what changed,
 * and moves its deliveries to `dead` where that disabled it. Null: it has another URL by now, or none.
 */
export async function noteHealth(
  services: Pick<Services, 'clock' | 'outbox' | 'observer'>,
  { companyId, url }: Pick<LeasedDelivery, 'companyId' | 'url'>,
  { verdict, settlement: { attempt } }: SentDelivery,
): Promise<EndpointHealth | null> {
  const { startedAt } = attempt;
  const endedAt = new Date(startedAt.getTime() + attempt.latencyMs);
  let before: EndpointHealth | null = null;
  const after = await services.outbox.changeHealth(companyId, url, (current) => {
    before = current;
    return healthAfter(current, { verdict, startedAt, endedAt });
  });
  if (before !== null && after !== null) tell(services.observer, companyId, before, after);
  if (after?.disabled != null) await moveStoppedToDead(services, companyId);
  return after;
}

function tell(observer: Services['observer'], companyId: string, before: EndpointHealth, after: EndpointHealth): void {
  const fields = { company_id: companyId };
  if (before.disabled === null && after.disabled !== null) {
    observer.endpoint('disabled', { ...fields, reason: after.disabled.reason });
  } else if (before.pausedUntil === null && after.pausedUntil !== null) {
    observer.endpoint('paused', { ...fields, until: after.pausedUntil.toISOString() });
  } else if (before.pausedUntil !== null && after.pausedUntil === null) {
    observer.endpoint('recovered', fields);
  }
}
