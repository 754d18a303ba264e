// npm test [-- vitest's arguments]: whether the product works, from nothing. npm run test:full: every proof that there is.
// `--times` prints the twenty slowest files. The last line is `N passed, N failed, N skipped`.
import './nodeVersion.mjs';
import { randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { ensureBuilt } from './build.mjs';
import { ensureServerPrograms } from './debianPackages.mjs';
import { ensureGenerated } from './generate.mjs';
import { ensureInstalled } from './install.mjs';
import { say } from './project.mjs';

/** What measures time, or is held to it: it gets the machine to itself, as many files at once as there are cores for. */
const timed = ['test/chaos/', 'test/bench/', 'test/interop/', 'test/cluster/'];
/** Proofs that take long and seldom fail alone: the timed ones, what is installed from npm, the guides' pictures, every page in every language. */
const slow = [...timed, 'test/packages/', 'test/deploy/', 'test/browser/guides', 'test/browser/consoleLanguages', 'test/browser/demoLanguages', 'test/browser/softphoneLanguages'];
/** More files than this do not fail by chance: they are not tried again. */
const mostTriedAgain = 10;

const args = process.argv.slice(2);
const isFull = takeFlag('--full');
const showsTimes = takeFlag('--times');

ensureInstalled();
ensureGenerated();
await ensureBuilt();
const { parseCLI } = await import('vitest/node');
const { filter, options } = parseCLI(['vitest', 'run', ...args]);
const isWhole = filter.length === 0 && options.config === undefined;
ensureServerPrograms({ withAll: isFull || filter.some((path) => /interop|deploy/.test(path)) });
const { PROPERTY_SEED: seed = isFull ? randomInt(2 ** 31) : undefined } = process.env;
if (seed !== undefined) {
  options.provide = { propertySeed: Number(seed) };
  say(`properties are tried by the examples of PROPERTY_SEED=${seed}`);
}

const { run } = await import('./testRun.mjs');
const first = [];
if (isFull) first.push(await run(timed, { ...options, maxWorkers: Math.max(2, availableParallelism()) }));
first.push(await run(filter, isWhole ? { ...options, exclude: (isFull ? timed : slow).map((path) => `${path}**`) } : options));

const files = new Map(first.flatMap((each) => [...each.files]));
const failures = first.flatMap((each) => each.failures);
const failing = [...files.values()].filter((file) => file.failures.length > 0);
if (isWhole && failing.length > 0 && failing.length <= mostTriedAgain) {
  say(`trying again, alone: ${failing.map(({ path }) => path).join(', ')}`);
  const again = await run(failing.map(({ path }) => path), { ...options, maxWorkers: 1 });
  failures.push(...again.failures);
  for (const { path, failures: before } of failing) {
    const now = again.files.get(path);
    if (now === undefined) continue;
    files.set(path, now);
    if (now.failures.length === 0) for (const failure of before) console.log(`flickered: ${failure}`);
  }
}

const all = [...files.values()];
if (showsTimes) {
  console.log('the slowest files, in seconds:');
  for (const { path, ms } of all.toSorted((a, b) => b.ms - a.ms).slice(0, 20)) console.log(`${(ms / 1_000).toFixed(1).padStart(7)}  ${path}`);
  console.log(`${(sum(all.map(({ ms }) => ms)) / 1_000).toFixed(1).padStart(7)}  all of ${all.length}`);
}
failures.push(...all.flatMap((file) => file.failures));
for (const name of all.flatMap(({ skipped }) => skipped)) console.log(`skipped: ${name}`);
for (const failure of failures) console.log(`failed: ${failure}`);
console.log(`${sum(all.map(({ passed }) => passed))} passed, ${failures.length} failed, ${sum(all.map(({ skipped }) => skipped.length))} skipped`);
process.exit(failures.length > 0 ? 1 : 0);

/** @param {string} flag */
function takeFlag(flag) {
  const place = args.indexOf(flag);
  if (place >= 0) args.splice(place, 1);
  return place >= 0;
}

/** @param {number[]} numbers */
function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}
