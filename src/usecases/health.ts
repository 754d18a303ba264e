import type { HealthAnswer } from '../contract/platform.ts';
import type { Services } from './services.ts';

/** Whether each part that the gateway depends on answers. */
export async function checkHealth(
  services: Pick<Services, 'companies' | 'presence' | 'dispatcherWorks'>,
): Promise<HealthAnswer['checks']> {
  const [database, presence] = await Promise.all([
    answers(services.companies.any()),
    answers(services.presence.ping()),
  ]);
  return { database, presence, webhooks: services.dispatcherWorks() ? 'ok' : 'down' };
}

async function answers(check: Promise<unknown>): Promise<'ok' | 'down'> {
  try {
    await check;
    return 'ok';
  } catch {
    return 'down';
  }
}
