// npm test [-- vitest's arguments]: everything from nothing. The last line is `N passed, N failed`.
import './nodeVersion.mjs';
import { ensureBuilt } from './build.mjs';
import { ensureServerPrograms } from './debianPackages.mjs';
import { ensureGenerated } from './generate.mjs';
import { ensureInstalled } from './install.mjs';

ensureInstalled();
ensureGenerated();
ensureBuilt();
ensureServerPrograms();

const { parseCLI, startVitest } = await import('vitest/node');
const { filter, options } = parseCLI(['vitest', 'run', ...process.argv.slice(2)]);
const vitest = await startVitest('test', filter, options);
const modules = vitest.state.getTestModules();
const tests = modules.flatMap((module) => [...module.children.allTests()]);
const passed = tests.filter((test) => test.result().state === 'passed').length;
const failedTests = tests.filter((test) => test.result().state === 'failed').length;
// What went wrong outside of any test: files that did not load, hooks, rejections that nobody handled.
const otherFailures = modules.flatMap((module) => [module, ...module.children.allSuites()]).filter((part) => part.errors().length > 0);
const failures = failedTests + otherFailures.length + vitest.state.getUnhandledErrors().length;
// vitest sets the exit code for what it does not list: a server that did not start, no test found.
const failed = Math.max(failures, Number(process.exitCode ?? 0) > 0 ? 1 : 0);
await vitest.close();
for (const test of tests) if (test.result().state === 'skipped') console.log(`skipped: ${test.fullName}`);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
