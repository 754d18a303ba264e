import type { Goodbye, OwedGoodbyes } from '../owedGoodbyes.ts';

type Needs = {
  owed: OwedGoodbyes;
  isReachable: () => boolean;
  /** Says it. `onUnsent`: it did not arrive; called at most once. */
  say: (goodbye: Goodbye, onUnsent: () => void) => void;
};

/** Tells the telephone network that calls are over as soon as it can be reached. */
export class Debts {
  readonly #needs: Needs;

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  /** Tells it now, or as soon as that is possible; nothing that is older than two minutes. */
  owe(goodbye: Goodbye): void {
    this.#needs.owed.owe(goodbye, Date.now());
    this.settle();
  }

  /** The network can be reached. */
  settle(): void {
    const { owed, isReachable, say } = this.#needs;
    if (!isReachable()) return;
    for (const goodbye of owed.takeAll(Date.now())) say(goodbye, () => owed.putBack(goodbye));
  }
}
