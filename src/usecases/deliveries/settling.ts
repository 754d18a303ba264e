import type { CompanyId } from '../../domain/ids.ts';
import { createKeyedMutex } from '../concurrency/keyedMutex.ts';
import type { Services } from '../services.ts';
import type { QueuedDelivery } from './endpointQueues.ts';
import type { Lane, Sent } from './lane.ts';

const againAfterMs = 1_000;

/** Records an attempt, and updates its endpoint's health. Neither rejects. */
export interface Settling<D, S> {
  /** Resolves when it is written down, somebody else holds the delivery, or `stop` was called. */
  settle(delivery: D, sent: S): Promise<void>;
  judge(delivery: D, sent: S): Promise<void>;
  /** Tries nothing again from now on. */
  stop(): void;
}

/** @param takeBack drops what waits for an endpoint that is paused or disabled */
export function createSettling<D extends QueuedDelivery, S extends Sent>(
  { clock, observer }: Pick<Services, 'clock' | 'observer'>,
  lane: Lane<D, S>,
  { takeBack }: { takeBack: (companyId: CompanyId) => void },
): Settling<D, S> {
  /** Endpoints that were paused, with when that was heard of, in milliseconds. */
  const paused = new Map<CompanyId, number>();
  const judging = createKeyedMutex();
  /** Attempts that could not be written down yet. */
  let waiting = 0;
  let isStopped = false;
  let release = () => {};
  const stopped = new Promise<void>((resolve) => (release = resolve));

  async function judgeNow(delivery: D, sent: S): Promise<void> {
    if (!sent.isTelling) return;
    const { companyId } = delivery;
    // It was under way when the breaker opened, and counts for nothing.
    const pausedAt = paused.get(companyId) ?? 0;
    if (sent.verdict === 'failed' && sent.startedAt.getTime() < pausedAt) return;
    try {
      const health = await lane.noteHealth(delivery, sent);
      paused.delete(companyId);
      if (health?.pausedUntil != null) paused.set(companyId, clock.now());
      if (health === null || health.pausedUntil !== null || health.disabled !== null) takeBack(companyId);
    } catch (error) {
      observer.problem(`the health of a ${lane.kind} endpoint could not be noted`, error, { company_id: companyId });
    }
  }

  return {
    /**
     * Tried until there is an answer, however long the database is away: what has arrived should not be sent again.
     * Nothing new is sent meanwhile, so no more wait here than were under way.
     */
    async settle(delivery, sent) {
      for (let tries = 1; ; tries += 1) {
        try {
          await lane.settle(delivery, sent);
          if (tries > 1) waiting -= 1;
          return;
        } catch (error) {
          if (tries === 1) waiting += 1;
          // Told once of an outage.
          if (tries === 1 && waiting === 1)
            observer.problem(`a ${lane.kind} attempt could not be settled`, error, { delivery_id: delivery.id });
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
