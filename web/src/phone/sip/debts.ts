/** Whoever has not been told by then has found out. Milliseconds. */
const owedForMs = 120_000;

/** Tells it. @param onUntold it did not arrive: called at most once */
type Payment = (onUntold: () => void) => void;

/** What the telephone network has to be told as soon as it can be reached, such as that a call is over. */
export class Debts {
  readonly #isReachable: () => boolean;
  #owed: { pay: Payment; until: number }[] = [];

  constructor(isReachable: () => boolean) {
    this.#isReachable = isReachable;
  }

  /** Tells it now, or as soon as that is possible; nothing that is older than two minutes. */
  owe(pay: Payment): void {
    this.#owed.push({ pay, until: Date.now() + owedForMs });
    this.settle();
  }

  /** The network can be reached. */
  settle(): void {
    if (!this.#isReachable()) return;
    const owed = this.#owed.filter(({ until }) => until > Date.now());
    this.#owed = [];
    for (const debt of owed) debt.pay(() => void this.#owed.push(debt));
  }
}
