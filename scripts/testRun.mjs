import { startVitest } from 'vitest/node';
import { fromRoot } from './project.mjs';

/**
 * What a file of tests came to. `leftOut`: by the program that they need and that is not installed, how many tests.
 * `ms`: of its tests, its hooks, and loading it.
 * @typedef
 * {{ path: string, passed: number, skipped: string[], leftOut: Map<string, number>, failures: string[], ms: number }}
 * FileResult
 */

/**
 * Runs files of tests once.
 * @param {string[]} paths beginnings of paths; none: all
 * @param {import('vitest/node').CliOptions} options
 * @param {readonly string[]} missing programs that are not installed: what needs one of them is left out
 * @returns {Promise<{ files: Map<string, FileResult>, failures: string[] }>} by path; `failures`: of no file
 */
export async function run(paths, options, missing) {
  process.exitCode = 0;
  const vitest = await startVitest('test', paths, options);
  const files = new Map(
    vitest.state
      .getTestModules()
      .map((module) => [module.relativeModuleId, resultOf(module, missing, options.tagsFilter === undefined)]),
  );
  /** @type {string[]} */
  const failures = [];
  for (const error of vitest.state.getUnhandledErrors()) {
    // vitest marks most with the file during which they came.
    const { VITEST_TEST_PATH: path } = /** @type {{ VITEST_TEST_PATH?: string }} */ (error);
    const file = path === undefined ? undefined : files.get(path.replace(fromRoot(''), ''));
    (file?.failures ?? failures).push(
      `${file?.path ?? 'outside of any file'} > outside of any test${because([/** @type {Error} */ (error)])}`,
    );
  }
  // vitest sets the exit code for what it does not list: a server that did not start, no test found.
  const isListed = [...files.values()].some((file) => file.failures.length > 0 || file.leftOut.size > 0);
  if (failures.length === 0 && !isListed && Number(process.exitCode ?? 0) > 0)
    failures.push('the run itself: see above');
  await vitest.close();
  return { files, failures };
}

/**
 * @param {import('vitest/node').TestModule} module
 * @param {readonly string[]} missing
 * @param {boolean} isFull
 * @returns {FileResult}
 */
function resultOf(module, missing, isFull) {
  const path = module.relativeModuleId;
  const { collectDuration, duration, environmentSetupDuration, prepareDuration, setupDuration } = module.diagnostic();
  const ms = collectDuration + duration + environmentSetupDuration + prepareDuration + setupDuration;
  /** @type {FileResult} */
  const result = { path, passed: 0, skipped: [], leftOut: new Map(), failures: [], ms };
  const isLeftToFull = (/** @type {import('vitest/node').TestCase} */ { tags }) => !isFull && tags.includes('full');
  const fail = (/** @type {string} */ name, /** @type {Errors} */ errors) =>
    result.failures.push([path, ...(name === '' ? [] : [name])].join(' > ') + because(errors));
  // What goes wrong outside of any test: files that do not load, hooks.
  for (const part of [module, ...module.children.allSuites()]) {
    if (part.errors().length > 0 && needs(part.errors(), missing) === null)
      fail('fullName' in part ? part.fullName : '', part.errors());
  }
  for (const test of module.children.allTests()) {
    const { state, errors } = test.result();
    // Those of the full run are no less there for not being asked for.
    if (state === 'skipped' && isLeftToFull(test)) continue;
    const program = neededBy(test, missing);
    if (state === 'passed') result.passed += 1;
    else if (program !== null) result.leftOut.set(program, (result.leftOut.get(program) ?? 0) + 1);
    else if (state === 'skipped') result.skipped.push(test.fullName);
    else fail(test.fullName, errors);
  }
  return result;
}

/** @typedef {readonly { message: string }[] | undefined} Errors */

/**
 * The missing program for which a test, or what it is part of, did not run; null: there is none.
 * @param {import('vitest/node').TestCase} test
 * @param {readonly string[]} missing
 * @returns {string | null}
 */
function neededBy(test, missing) {
  const found = needs(test.result().errors, missing);
  if (found !== null) return found;
  for (let part = test.parent; ; part = part.parent) {
    const program = needs(part.errors(), missing);
    if (program !== null || part.type === 'module') return program;
  }
}

/**
 * @param {Errors} errors of which one is the cause, and others may follow from it
 * @param {readonly string[]} missing
 */
function needs(errors, missing) {
  for (const { message } of errors ?? []) {
    const name = /\b(\S+) is not installed|\bspawn (\S+) (?:ENOENT|EACCES)/.exec(message)?.slice(1).find(Boolean);
    if (name !== undefined && missing.includes(name)) return name;
  }
  return null;
}

/** @param {Errors} errors */
function because(errors) {
  return (errors ?? []).map(({ message }) => `: ${message.split('\n')[0]}`).join('');
}
