// npm test [-- vitest's arguments]: whether the product works, from nothing. npm run test:full: every proof that there
// is. `--times` prints the twenty slowest files. The last line is `N passed, N failed, N skipped`.
import './nodeVersion.mjs';
import { randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { ensureBuilt } from './build.mjs';
import { ensureGenerated } from './generate.mjs';
import { ensureInstalled } from './install.mjs';
import { adviceFor, ensurePrograms } from './programs.mjs';
import { say } from './project.mjs';
import { useRunFolder } from './runFolder.mjs';

/**
 * Proofs that take long and seldom fail alone: killed processes, real telephony, every page in every width,
 * theme and language.
 */
const slow = 'test/**/*.full.test.ts';
/**
 * Those of them that measure time, or are held to it: they get the machine to themselves,
 * as many files at once as there are cores for.
 */
const timed = ['test/chaos/', 'test/bench/', 'test/interop/', 'test/cluster/'];
/** More files than this do not fail by chance: they are not tried again. */
const mostTriedAgain = 10;

const args = process.argv.slice(2);
const isFull = takeFlag('--full');
const showsTimes = takeFlag('--times');

const databaseFolder = useRunFolder();
ensureInstalled();
ensureGenerated();
await ensureBuilt();
const { parseCLI } = await import('vitest/node');
const { filter, options } = parseCLI(['vitest', 'run', ...args]);
const isWhole = filter.length === 0 && options.config === undefined;
const missing = ensurePrograms({
  isFull:
    isFull || options.config !== undefined || filter.some((path) => /bench|chaos|cluster|deploy|interop/.test(path)),
});
const { PROPERTY_SEED: seed = isFull ? randomInt(2 ** 31) : undefined } = process.env;
options.provide = {
  databaseFolder,
  givenRedisUrl: process.env['TEST_REDIS_URL'] || null,
  hasAllPrograms: missing.length === 0,
  ...(seed === undefined ? {} : { propertySeed: Number(seed) }),
};
if (seed !== undefined) say(`properties are tried by the examples of PROPERTY_SEED=${seed}`);

const { run: runFiles } = await import('./testRun.mjs');
const run = (/** @type {string[]} */ paths, /** @type {import('vitest/node').CliOptions} */ how) =>
  runFiles(
    paths,
    how,
    missing.map(({ name }) => name),
  );
const first = [];
if (isFull) first.push(await run(timed, { ...options, maxWorkers: Math.max(2, availableParallelism()) }));
const some = isFull ? { exclude: timed.map((path) => `${path}**`) } : { exclude: [slow], tagsFilter: ['!full'] };
first.push(await run(filter, isWhole ? { ...options, ...some } : options));

const files = new Map(first.flatMap((each) => [...each.files]));
const failures = first.flatMap((each) => each.failures);
const failing = [...files.values()].filter((file) => file.failures.length > 0);
// A test that is left out in its middle leaves what it had begun to the files after it: what fails beside such is no
// proof yet, however many.
const isDisturbed = missing.length > 0;
if (isWhole && failing.length > 0 && (isDisturbed || failing.length <= mostTriedAgain)) {
  say(`trying again, alone: ${failing.map(({ path }) => path).join(', ')}`);
  const again = await run(
    failing.map(({ path }) => path),
    { ...options, ...(isFull ? {} : some), maxWorkers: 1, isolate: isDisturbed },
  );
  failures.push(...again.failures);
  for (const { path, failures: before } of failing) {
    const now = again.files.get(path);
    if (now === undefined) continue;
    files.set(path, now);
    if (now.failures.length === 0 && !isDisturbed) for (const failure of before) console.log(`flickered: ${failure}`);
  }
}

const all = [...files.values()];
if (showsTimes) {
  console.log('the slowest files, in seconds:');
  for (const { path, ms } of all.toSorted((a, b) => b.ms - a.ms).slice(0, 20))
    console.log(`${(ms / 1_000).toFixed(1).padStart(7)}  ${path}`);
  console.log(`${(sum(all.map(({ ms }) => ms)) / 1_000).toFixed(1).padStart(7)}  all of ${all.length}`);
}
failures.push(...all.flatMap((file) => file.failures));
for (const name of all.flatMap(({ skipped }) => skipped)) console.log(`skipped: ${name}`);
let leftOut = 0;
for (const program of missing) {
  const counts = all.flatMap((file) => file.leftOut.get(program.name) ?? []);
  leftOut += sum(counts);
  console.log(
    `left out, for ${program.name} is not installed: ${sum(counts)} tests of ${counts.length} files ` +
      `(${adviceFor(program)})`,
  );
}
for (const failure of failures) console.log(`failed: ${failure}`);
console.log(
  `${sum(all.map(({ passed }) => passed))} passed, ${failures.length} failed, ` +
    `${leftOut + sum(all.map(({ skipped }) => skipped.length))} skipped`,
);
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
