import type { Services } from './services.ts';

/**
 * Does what may not stay undone because a store was away for a moment. After a failure the action is tried again until
 * it succeeds, less and less often; it must be safe to repeat, and harmless when it comes late.
 * Resolves after the first try, however that went.
 */
export async function insist(
  { retries }: Pick<Services, 'retries'>,
  problem: string,
  action: () => Promise<unknown>,
): Promise<void> {
  try {
    await action();
  } catch (error) {
    retries.add(problem, error, action);
  }
}
