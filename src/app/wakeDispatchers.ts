import type { Clock } from '../ports/clock.ts';
import type { Company } from '../domain/company.ts';
import type { CompanyId } from '../domain/ids.ts';
import type { DeliveryNotifier } from '../ports/outbox.ts';

/** Least time between two announcements, so that not every event costs one. Milliseconds. */
const restMs = 20;

type Needs = {
  /** Null: there are no other gateways. */
  others: DeliveryNotifier | null;
  clock: Clock;
  /** Wakes this gateway's own dispatcher. */
  wake: () => void;
};

/**
 * Begins to listen to the other gateways; resolves with the function that wakes this gateway's dispatcher and theirs.
 */
export async function joinDeliveryNotifier({ others, clock, wake }: Needs): Promise<() => void> {
  if (others === null) return wake;
  await others.listen(wake);
  const announce = restingBetween(clock, () => others.announce());
  return () => {
    wake();
    announce();
  };
}

/**
 * Wakes for a company that has a webhook; for others nothing can wait, and no gateway need look. Null: for any.
 * Where a webhook was set a moment ago, at another gateway, its first event may wait for the next poll.
 */
export function onlyWithWebhook(
  companyOf: (companyId: CompanyId) => Promise<Pick<Company, 'hasWebhook'>>,
  wake: () => void,
): (companyId: CompanyId | null) => void {
  return (companyId) => {
    if (companyId === null) wake();
    else companyOf(companyId).then(({ hasWebhook }) => hasWebhook && wake(), wake);
  };
}

/** Acts at once, and once more after the pause if called meanwhile. */
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
