/** Some 1 MiB, as the longest of what is read. */
const known = JSON.stringify(
  Array.from({ length: 12_800 }, (_, n) => ({ id: String(n), name: `Caller "${n}"`, phone: `+4930${n}` })),
);

/**
 * Looks at each letter, cuts, parses and writes, as readers do: what slows those down, such as a neighbour in the same
 * core, slows this down as much. Mere computing it does not.
 */
function readKnown(): number {
  let commas = 0;
  for (let at = 0; at < known.length; at += 1) if (known.charCodeAt(at) === 0x2c) commas += 1;
  return commas + known.split(',').length + JSON.stringify(JSON.parse(known)).length;
}
// The first runs are slower: they compile.
readKnown();
readKnown();

/** How often something is measured at most: what others do meanwhile makes a measurement longer, never shorter. */
const tries = 5;

function processorMs(doIt: () => void): number {
  const before = process.cpuUsage();
  doIt();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** A machine may be slower now than at the beginning. */
let latest = { at: -Infinity, ms: 0 };

function knownMs(maxAgeMs: number): number {
  if (performance.now() - latest.at > maxAgeMs) latest = { at: performance.now(), ms: processorMs(readKnown) };
  return latest.ms;
}

/**
 * What something costs, in the known piece of work (some 10 ms on the machine that the limits were set on): so it is
 * the same on every machine. Measured again until it is at most `enough`: the least of it by the least of the other.
 * @param maxAgeMs how long ago the known work was done; 0: beside each measurement, which takes longer
 */
export function costOf(doIt: () => void, enough: number, maxAgeMs = 2_000): number {
  let [least, leastKnown] = [Infinity, knownMs(maxAgeMs)];
  for (let round = 0; round < tries && least > enough * leastKnown; round += 1) {
    least = Math.min(least, processorMs(doIt));
    leastKnown = Math.min(leastKnown, knownMs(maxAgeMs));
  }
  return least / leastKnown;
}
