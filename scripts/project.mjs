import { spawnSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Absolute path of a file or folder of this package.
 * @param {string} path relative to the package's root
 */
export function fromRoot(path) {
  return fileURLToPath(new URL(`../${path}`, import.meta.url));
}

/**
 * Tells what takes a while.
 * @param {string} line
 */
export function say(line) {
  console.log(`readyline: ${line}`);
}

/**
 * Runs a program in the package's root and ends this process when it fails. Its output is shown.
 * @param {string} file
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [env] in addition to this process's own
 */
export function mustRun(file, args, env = {}) {
  const options = { cwd: fromRoot('.'), env: { ...process.env, ...env } };
  const { status, error } = spawnSync(file, args, { ...options, stdio: ['ignore', 'inherit', 'inherit'] });
  if (status === 0) return;
  console.error(`readyline: ${[file, ...args].join(' ')} failed${error ? `: ${error.message}` : ''}`);
  process.exit(status ?? 1);
}

/**
 * Whether the module was started as a program rather than imported.
 * @param {string} moduleUrl its import.meta.url
 */
export function isProgram(moduleUrl) {
  const [, program] = process.argv;
  return program !== undefined && realpathSync(program) === fileURLToPath(moduleUrl);
}
