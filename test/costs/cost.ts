import { work } from '../support/time/pace.ts';

/** How often something is measured at most: what others do meanwhile makes a measurement longer, never shorter. */
const tries = 5;

function processorMs(doIt: () => void): number {
  const before = process.cpuUsage();
  doIt();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** A machine may be slower now than at the beginning. */
let known = { at: -Infinity, ms: 0 };

function knownMs(maxAgeMs: number): number {
  if (performance.now() - known.at > maxAgeMs) known = { at: performance.now(), ms: processorMs(work) };
  return known.ms;
}

/**
 * What something costs, in the known piece of work (some 10 ms on the machine that the limits were set on): so it is
 * the same on every machine. Measured again until it is at most `enough`.
 * @param maxAgeMs how long ago the known work was done; 0: beside each measurement, which takes longer
 */
export function costOf(doIt: () => void, enough: number, maxAgeMs = 2_000): number {
  let least = Infinity;
  for (let round = 0; round < tries && least > enough; round += 1) {
    least = Math.min(least, processorMs(doIt) / knownMs(maxAgeMs));
  }
  return least;
}
