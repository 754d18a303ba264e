import { useCallback, useState } from 'react';

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

/** What to tell a person about something that was thrown. */
export function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  // The client's own word for an answer that did not come.
  if (message === '' || message === 'operation has timed out') return 'The gateway did not answer. Try again.';
  return message;
}
