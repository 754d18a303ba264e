import { CommandError } from '../commandLine.ts';

/** What happened when, for the person who watches. */
export interface Timeline {
  /** A step has happened: prints the time since the start and since the step before. */
  step(text: string): void;
  /** Something to know that is no step. */
  note(text: string): void;
  /** How many steps there were, and how long all took. */
  summary(): { steps: number; ms: number };
}

/** Prints each step as it happens. */
export function startTimeline(): Timeline {
  const begunAt = performance.now();
  let lastAt = begunAt;
  let steps = 0;
  console.log('   at ms   took ms');
  return {
    step(text) {
      const now = performance.now();
      steps += 1;
      console.log(`${tenths(now - begunAt)} ${tenths(now - lastAt)}   ${text}`);
      lastAt = now;
    },
    note: (text) => console.log(`${' '.repeat(21)}${text}`),
    summary: () => ({ steps, ms: Math.round(performance.now() - begunAt) }),
  };
}

/** Waits for what must happen; a step that does not is named. */
export async function within<T>(ms: number, what: string, happening: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new CommandError(`The story ends here: ${what} did not happen within ${String(ms)} ms.`)),
      ms,
    );
  });
  try {
    return await Promise.race([happening, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Ends the story where the gateway does something else than it should. */
export function must(truth: boolean, what: string): asserts truth {
  if (!truth) throw new CommandError(`The story ends here: it is not true that ${what}.`);
}

function tenths(ms: number): string {
  return ms.toFixed(1).padStart(9);
}
