import type { Softphone, SoftphoneEvents } from '../../../src/client/softphone.ts';
import { comes } from '../time/pace.ts';

/** Resolves with what a softphone's next event of that name brings, if it fits. */
export function nextEvent<E extends keyof SoftphoneEvents>(
  softphone: Softphone,
  event: E,
  fits: (...args: Parameters<SoftphoneEvents[E]>) => boolean = () => true,
): Promise<Parameters<SoftphoneEvents[E]>> {
  let came: Parameters<SoftphoneEvents[E]> | undefined;
  const listen = (tell: () => void) => {
    // The emitter's types cannot follow a generic event name, so the listener goes in untyped.
    const listener = (...args: Parameters<SoftphoneEvents[E]>) => {
      if (came !== undefined || !fits(...args)) return;
      came = args;
      tell();
    };
    softphone.on(event, listener as never);
    return () => void softphone.off(event, listener as never);
  };
  return comes(
    () => came,
    listen,
    () => `no fitting "${event}" came`,
  );
}

/** Resolves when the softphone knows its agent to be in that state, now or soon. */
export async function inState(softphone: Softphone, state: string): Promise<void> {
  if (softphone.agent?.state === state) return;
  await nextEvent(softphone, 'agent', (agent) => agent.state === state);
}
