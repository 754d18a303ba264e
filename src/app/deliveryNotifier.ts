import type { Clock } from '../ports/clock.ts';
import type { DeliveryNotifier } from '../ports/deliveryNotifier.ts';

/** Between two announcements: an event costs no notification of its own. */
const restMs = 20;

type Needs = {
  /** Null: there are no other gateways. */
  others: DeliveryNotifier | null;
  clock: Clock;
  /** Wakes this gateway's own dispatcher. */
  wake: () => void;
};

/** Begins to hear the other gateways; resolves with what tells the own dispatcher and those of the others that deliveries wait. */
export async function joinDeliveryNotifier({ others, clock, wake }: Needs): Promise<() => void> {
  if (others === null) return wake;
  await others.listen(wake);
  const announce = restingBetween(clock, () => others.announce());
  return () => {
    wake();
    announce();
  };
}

/** Acts at once, and once more after the rest if it was asked to meanwhile. */
function restingBetween(clock: Clock, act: () => Promise<void>): () => void {
  let isResting = false;
  let isAskedAgain = false;
  async function begin(): Promise<void> {
    isResting = true;
    await act();
    clock.after(restMs, () => {
      isResting = false;
      if (!isAskedAgain) return;
      isAskedAgain = false;
      void begin();
    });
  }
  return () => {
    if (isResting) isAskedAgain = true;
    else void begin();
  };
}
