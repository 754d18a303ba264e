import type { HealthAnswer } from '../contract/platform.ts';
import type { Services } from './services.ts';
import { withDeadline } from './concurrency/withDeadline.ts';

/** A part that has not answered by then is down; load balancers give up soon after. Milliseconds. */
const patienceMs = 2_000;

/**
 * Whether each part that the gateway depends on does its work: one that answers, and refuses what clicks need, is down.
 */
export async function checkHealth(
  services: Pick<Services, 'clock' | 'companies' | 'presence' | 'dispatcherWorks'>,
): Promise<HealthAnswer['checks']> {
  const [database, presence] = await Promise.all([
    answers(services, services.companies.works()),
    answers(services, services.presence.ping()),
  ]);
  return { database, presence, webhooks: services.dispatcherWorks() ? 'ok' : 'down' };
}

async function answers({ clock }: Pick<Services, 'clock'>, check: Promise<unknown>): Promise<'ok' | 'down'> {
  try {
    const answered = withDeadline(
      clock,
      clock.now() + patienceMs,
      check.then(() => true),
    );
    return (await answered) === null ? 'down' : 'ok';
  } catch {
    return 'down';
  }
}
