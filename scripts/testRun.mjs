import { startVitest } from 'vitest/node';
import { fromRoot } from './project.mjs';

/**
 * What a file of tests came to. `ms`: of its tests, its hooks, and loading it.
 * @typedef {{ path: string, passed: number, skipped: string[], failures: string[], ms: number }} FileResult
 */

/**
 * Runs files of tests once.
 * @param {string[]} paths beginnings of paths; none: all
 * @param {import('vitest/node').CliOptions} options
 * @returns {Promise<{ files: Map<string, FileResult>, failures: string[] }>} by path; `failures`: of no file
 */
export async function run(paths, options) {
  process.exitCode = 0;
  const vitest = await startVitest('test', paths, options);
  const files = new Map(vitest.state.getTestModules().map((module) => [module.relativeModuleId, resultOf(module)]));
  /** @type {string[]} */
  const failures = [];
  for (const error of vitest.state.getUnhandledErrors()) {
    // vitest marks most with the file during which they came.
    const { VITEST_TEST_PATH: path } = /** @type {{ VITEST_TEST_PATH?: string }} */ (error);
    const file = path === undefined ? undefined : files.get(path.replace(fromRoot(''), ''));
    (file?.failures ?? failures).push(`${file?.path ?? 'outside of any file'} > outside of any test${because([/** @type {Error} */ (error)])}`);
  }
  // vitest sets the exit code for what it does not list: a server that did not start, no test found.
  if (failures.length === 0 && [...files.values()].every((file) => file.failures.length === 0) && Number(process.exitCode ?? 0) > 0) failures.push('the run itself: see above');
  await vitest.close();
  return { files, failures };
}

/**
 * @param {import('vitest/node').TestModule} module
 * @returns {FileResult}
 */
function resultOf(module) {
  const path = module.relativeModuleId;
  const tests = [...module.children.allTests()];
  const { collectDuration, duration, environmentSetupDuration, prepareDuration, setupDuration } = module.diagnostic();
  return {
    path,
    passed: tests.filter((test) => test.result().state === 'passed').length,
    skipped: tests.filter((test) => test.result().state === 'skipped').map((test) => test.fullName),
    failures: [
      ...tests.filter((test) => test.result().state === 'failed').map((test) => `${path} > ${test.fullName}${because(test.result().errors)}`),
      // What went wrong outside of any test: files that did not load, hooks.
      ...(module.errors().length > 0 ? [`${path}${because(module.errors())}`] : []),
      ...[...module.children.allSuites()].filter((suite) => suite.errors().length > 0).map((suite) => `${path} > ${suite.fullName}${because(suite.errors())}`),
    ],
    ms: collectDuration + duration + environmentSetupDuration + prepareDuration + setupDuration,
  };
}

/** @param {readonly { message: string }[] | undefined} errors */
function because(errors) {
  return (errors ?? []).map(({ message }) => `: ${message.split('\n')[0]}`).join('');
}
