import { useCallback, useRef } from 'react';
import { useWorkplace } from '../workplace/workplaceContext.ts';

/** While more is left, a key adds nothing worth asking for: each gives 30 s from then on. Milliseconds. */
const enoughMs = 25_000;
/** Not asked for again sooner, though an answer be lost. Milliseconds. */
const askAgainMs = 3_000;

/** Call it for each key: whoever is typing gets more time to wrap that call up, as long as the gateway gives it. */
export function useExtension(callId: string): () => void {
  const context = useWorkplace();
  const askedAt = useRef(-Infinity);
  return useCallback(() => {
    const { agent } = context.view;
    if (agent?.state !== 'wrap_up' || agent.call_id !== callId || agent.wrap_up_ends_at === null) return;
    const now = context.workplace.now();
    if (Date.parse(agent.wrap_up_ends_at) - now > enoughMs || Math.abs(now - askedAt.current) < askAgainMs) return;
    askedAt.current = now;
    context.workplace.extendWrapUp(callId).catch(() => {
      // The countdown goes on as it was; the next key asks again.
    });
  }, [context, callId]);
}
