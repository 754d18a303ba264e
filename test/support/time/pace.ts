/**
 * How long a test waits for anything that comes, on an idle machine. Milliseconds; twice the longest lease of the
 * product, a delivery's (45 s). The one patience of all tests: a machine that is slow, or busy with something else, is
 * given as many times longer as it is slower at that moment. Gateways under test keep their clock: beside a slower one,
 * softphones would find each offer expired.
 */
const patienceMs = 90_000;

/** What `work` takes on the idle machine that this is measured by. Milliseconds. */
const idleMs = 9.7;
/** So often the machine is looked at, where somebody waits. Milliseconds. */
const pulseMs = 1_000;
/** How fast a slow moment is forgotten: by this factor from one look to the next. */
const calming = 0.8;

/** Where a test has put the clock back or stopped it, too. */
const realNow = performance.now.bind(performance);
const realTimers = { set: setTimeout, clear: clearTimeout };

/** Long enough that other processes come between where the machine has no processor free. */
function work(): number {
  let mixed = 1;
  for (let step = 0; step < 10_000_000; step += 1) mixed = Math.imul(mixed ^ step, 2_654_435_761) >>> 0;
  return mixed;
}

let known = { at: -Infinity, factor: 1 };

/** How many times slower than when it is idle the machine is now; at least 1. Looks again once a second at most. */
export function slowness(): number {
  if (realNow() - known.at < pulseMs) return known.factor;
  const begun = realNow();
  work();
  const at = realNow();
  known = { at, factor: Math.max(1, (at - begun) / idleMs, known.factor * calming) };
  return known.factor;
}
// The first runs are slower: they compile.
work();
work();

/** For who takes a number once and waits by the machine's time, such as a browser. Milliseconds. */
export function wholePatienceMs(): number {
  return Math.ceil(patienceMs * slowness());
}

/** For a whole test, which may wait several times. Milliseconds. */
export function testPatienceMs(): number {
  return 4 * wholePatienceMs();
}

/** Patience that runs out as fast as the machine is. */
export class Patience {
  #leftMs = patienceMs;
  #seen = realNow();

  isOver(): boolean {
    const now = realNow();
    this.#leftMs -= (now - this.#seen) / slowness();
    this.#seen = now;
    return this.#leftMs < 0;
  }
}

/**
 * Resolves with what `look` finds, now or when it is told that there is something new.
 * @param look undefined: it has not come
 * @param listen begins to listen, and returns what ends it
 * @param missing what is said when patience is over
 */
export function comes<T>(
  look: () => T | undefined,
  listen: (tell: () => void) => () => void,
  missing: () => string,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const patience = new Patience();
    let timer: NodeJS.Timeout | undefined;
    const tell = () => {
      const found = look();
      if (found === undefined) return;
      end();
      resolve(found);
    };
    const tick = () => {
      if (patience.isOver()) {
        end();
        reject(new Error(missing()));
      } else timer = realTimers.set(tick, pulseMs);
    };
    const stop = listen(tell);
    const end = () => {
      realTimers.clear(timer);
      stop();
    };
    timer = realTimers.set(tick, pulseMs);
    tell();
  });
}
