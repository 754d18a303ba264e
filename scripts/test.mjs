// npm test [-- vitest's arguments]: everything from nothing. The last line is `N passed, N failed`.
import './nodeVersion.mjs';
import { availableParallelism } from 'node:os';
import { ensureBuilt } from './build.mjs';
import { ensureServerPrograms } from './debianPackages.mjs';
import { ensureGenerated } from './generate.mjs';
import { ensureInstalled } from './install.mjs';

ensureInstalled();
ensureGenerated();
await ensureBuilt();
ensureServerPrograms();

const { parseCLI, startVitest } = await import('vitest/node');
const { filter, options } = parseCLI(['vitest', 'run', ...process.argv.slice(2)]);
/** What measures time, or is held to it, gets the machine to itself: as many at once as there are cores for. */
const timed = ['test/chaos/', 'test/bench/', 'test/interop/', 'test/cluster/'];
const isWhole = filter.length === 0 && options.config === undefined;
const rounds = isWhole
  ? [
      { filter: timed, options: { ...options, maxWorkers: Math.max(2, availableParallelism()) } },
      { filter, options: { ...options, exclude: timed.map((folder) => `${folder}**`) } },
    ]
  : [{ filter, options }];
const results = [];
for (const round of rounds) results.push(await run(round.filter, round.options));
for (const { failures } of results) for (const failure of failures) console.log(`failed: ${failure}`);
const passed = sum(results.map((result) => result.passed));
const failed = sum(results.map((result) => result.failures.length));
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);

/**
 * @param {string[]} files
 * @param {import('vitest/node').CliOptions} settings
 */
async function run(files, settings) {
  process.exitCode = 0;
  const vitest = await startVitest('test', files, settings);
  const modules = vitest.state.getTestModules();
  const tests = modules.flatMap((module) => [...module.children.allTests()]);
  const failures = [
    ...tests.filter((test) => test.result().state === 'failed').map((test) => `${test.module.relativeModuleId} > ${test.fullName}${because(test.result().errors)}`),
    // What went wrong outside of any test: files that did not load, hooks, rejections that nobody handled.
    ...modules.filter((module) => module.errors().length > 0).map((module) => `${module.relativeModuleId}${because(module.errors())}`),
    ...modules
      .flatMap((module) => [...module.children.allSuites()])
      .filter((suite) => suite.errors().length > 0)
      .map((suite) => `${suite.module.relativeModuleId} > ${suite.fullName}${because(suite.errors())}`),
    ...vitest.state.getUnhandledErrors().map((error) => `outside of any test${because([/** @type {Error} */ (error)])}`),
  ];
  // vitest sets the exit code for what it does not list: a server that did not start, no test found.
  if (failures.length === 0 && Number(process.exitCode ?? 0) > 0) failures.push('the run itself: see above');
  await vitest.close();
  for (const test of tests) if (test.result().state === 'skipped') console.log(`skipped: ${test.fullName}`);
  return { passed: tests.filter((test) => test.result().state === 'passed').length, failures };
}

/** @param {readonly { message: string }[] | undefined} errors */
function because(errors) {
  return (errors ?? []).map(({ message }) => `: ${message.split('\n')[0]}`).join('');
}

/** @param {number[]} numbers */
function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}
