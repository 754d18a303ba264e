import type { Config } from '../config.ts';
import type { Clock } from '../ports/clock.ts';

type Needs = { clock: Clock; say: (line: string) => void; onProblem: (message: string, error: unknown) => void };

/** The demo, where only this machine reaches the gateway. Null elsewhere: production never even loads it. */
export async function loadDemo({ isLocal }: Pick<Config, 'isLocal'>, needs: Needs) {
  if (!isLocal) return null;
  const { createDemoServer } = await import('../demo/server.ts');
  return createDemoServer(needs);
}
