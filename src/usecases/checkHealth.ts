import type { HealthAnswer } from '../contract/platform.ts';
import type { Services } from './services.ts';

/** An outbox whose oldest due delivery is older than this is not being emptied. */
const stuckAfterSeconds = 120;

/** Whether each part that the gateway depends on answers. */
export async function checkHealth(
  services: Pick<Services, 'companies' | 'presence' | 'outbox' | 'clock'>,
): Promise<HealthAnswer['checks']> {
  const [database, presence, webhooks] = await Promise.all([
    answers(() => services.companies.any()),
    answers(() => services.presence.ping()),
    answers(() => outboxMoves(services)),
  ]);
  return { database, presence, webhooks };
}

async function answers(check: () => Promise<unknown>): Promise<'ok' | 'down'> {
  try {
    await check();
    return 'ok';
  } catch {
    return 'down';
  }
}

async function outboxMoves({ outbox, clock }: Pick<Services, 'outbox' | 'clock'>): Promise<void> {
  const { oldestDueSeconds } = await outbox.backlog(new Date(clock.now()));
  if (oldestDueSeconds > stuckAfterSeconds) throw new Error('webhook deliveries are overdue');
}
