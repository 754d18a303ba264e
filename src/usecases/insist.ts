import type { Services } from './services.ts';

const againAfterMs = 1_000;

/**
 * Does what may not stay undone because a store was away for a moment. A failure is reported, and the action tried
 * again every second until it succeeds; it must be safe to repeat, and harmless when it comes late.
 * Resolves after the first try, however that went.
 */
export async function insist(
  services: Pick<Services, 'clock' | 'observer'>,
  problem: string,
  action: () => Promise<unknown>,
): Promise<void> {
  try {
    await action();
  } catch (error) {
    services.observer.problem(problem, error);
    services.clock.after(againAfterMs, () => void insist(services, problem, action));
  }
}
