import { type EndpointHealth, healthAfter } from '../../domain/endpointHealth.ts';
import type { CompanyId } from '../../domain/ids.ts';
import type { LeasedDelivery } from '../../ports/outbox.ts';
import { createKeyedMutex } from '../concurrency/keyedMutex.ts';
import type { Services } from '../services.ts';
import type { SentDelivery } from './attemptDelivery.ts';

const againAfterMs = 1_000;

type Needs = Pick<Services, 'clock' | 'nodeId' | 'observer' | 'outbox'>;

/** Records an attempt, and updates its endpoint's health. Neither rejects. */
export interface Settling {
  /** Resolves when it is written down, somebody else holds the delivery, or `stop` was called. */
  settle(delivery: LeasedDelivery, sent: SentDelivery): Promise<void>;
  judge(delivery: LeasedDelivery, sent: SentDelivery): Promise<void>;
  /** Tries nothing again from now on. */
  stop(): void;
}

/** @param giveBack releases an endpoint's unsent deliveries when it is paused or disabled */
export function createSettling(
  services: Needs,
  { giveBack }: { giveBack: (companyId: CompanyId) => Promise<void> },
): Settling {
  const { clock, nodeId, observer, outbox } = services;
  /** Endpoints that were paused, with when that was heard of, in milliseconds. */
  const paused = new Map<CompanyId, number>();
  const judging = createKeyedMutex();
  /** Attempts that could not be written down yet. */
  let waiting = 0;
  let isStopped = false;
  let release = () => {};
  const stopped = new Promise<void>((resolve) => (release = resolve));

  async function judgeNow(delivery: LeasedDelivery, sent: SentDelivery): Promise<void> {
    if (!sent.isTelling) return;
    const { companyId } = delivery;
    // It was under way when the breaker opened, and counts for nothing.
    const pausedAt = paused.get(companyId) ?? 0;
    if (sent.verdict === 'failed' && sent.settlement.attempt.startedAt.getTime() < pausedAt) return;
    try {
      const health = await noteHealth(services, delivery, sent);
      paused.delete(companyId);
      if (health?.pausedUntil != null) paused.set(companyId, clock.now());
      if (health === null || health.pausedUntil !== null || health.disabled !== null) await giveBack(companyId);
    } catch (error) {
      observer.problem('the health of a webhook endpoint could not be noted', error, { company_id: companyId });
    }
  }

  return {
    /**
     * Tried until there is an answer, however long the database is away: what has arrived should not be sent again.
     * Nothing new is sent meanwhile, so no more wait here than were under way.
     */
    async settle({ id }, { settlement }) {
      for (let tries = 1; ; tries += 1) {
        try {
          await outbox.settle(nodeId, settlement);
          if (tries > 1) waiting -= 1;
          return;
        } catch (error) {
          if (tries === 1) waiting += 1;
          // Told once of an outage.
          if (tries === 1 && waiting === 1) observer.problem('a webhook attempt could not be settled', error, { delivery_id: id });
          if (isStopped) return;
          await Promise.race([stopped, new Promise<void>((resolve) => clock.after(againAfterMs, resolve))]);
        }
      }
    },
    /** One after the other: each holds a connection and the endpoint's row, and calls need theirs. */
    judge: (delivery, sent) => judging.run('health', () => judgeNow(delivery, sent)),
    stop() {
      isStopped = true;
      release();
    },
  };
}

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
 * Updates an endpoint's health by an attempt, reports what changed, and moves its deliveries to `dead` where that disabled
 * it. Null: it has another URL by now, or none.
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
