import type { Softphone, SoftphoneEvents } from '../../../src/client/softphone.ts';

const patienceMs = 15_000;

/** Resolves with what a softphone's next event of that name brings, if it fits. */
export function nextEvent<E extends keyof SoftphoneEvents>(
  softphone: Softphone,
  event: E,
  fits: (...args: Parameters<SoftphoneEvents[E]>) => boolean = () => true,
): Promise<Parameters<SoftphoneEvents[E]>> {
  return new Promise((resolve, reject) => {
    // The emitter's types cannot follow a generic event name, so the listener goes in untyped.
    const listener = (...args: Parameters<SoftphoneEvents[E]>) => {
      if (!fits(...args)) return;
      stop();
      resolve(args);
    };
    const timer = setTimeout(() => {
      stop();
      reject(new Error(`no fitting "${event}" within ${patienceMs} ms`));
    }, patienceMs);
    const stop = () => {
      clearTimeout(timer);
      softphone.off(event, listener as never);
    };
    softphone.on(event, listener as never);
  });
}

/** Resolves when the softphone knows its agent to be in that state, now or soon. */
export async function inState(softphone: Softphone, state: string): Promise<void> {
  if (softphone.agent?.state === state) return;
  await nextEvent(softphone, 'agent', (agent) => agent.state === state);
}
