export interface OneAtATime {
  /** Runs the round, or once more after the one that is under way. */
  ask(): void;
  /** Resolves when no round is under way. */
  idle(): Promise<void>;
}

/**
 * Runs a round whenever somebody asks, never two at once; however many ask during one, one more follows.
 * @param round must not reject
 * @param isOver no round begins any more
 */
export function oneAtATime(round: () => Promise<void>, isOver: () => boolean): OneAtATime {
  let underWay: Promise<void> | null = null;
  let askedAgain = false;

  function ask(): void {
    if (isOver()) return;
    if (underWay !== null) {
      askedAgain = true;
      return;
    }
    underWay = round().finally(() => {
      underWay = null;
      if (!askedAgain) return;
      askedAgain = false;
      ask();
    });
  }

  return {
    ask,
    async idle() {
      await underWay;
    },
  };
}
