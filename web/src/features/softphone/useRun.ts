import { useCallback, useState } from 'react';
import { messageOf } from '../../lib/gateway/messageOf.ts';

/** Does what an agent asked for, and keeps why it was refused until the next wish or until it is forgotten. */
export function useRun(): { run: (what: () => Promise<unknown>) => void; problem: string | null; forget: () => void } {
  const [problem, setProblem] = useState<string | null>(null);
  const run = useCallback((what: () => Promise<unknown>) => {
    setProblem(null);
    what().catch((error: unknown) => setProblem(messageOf(error)));
  }, []);
  const forget = useCallback(() => setProblem(null), []);
  return { run, problem, forget };
}
