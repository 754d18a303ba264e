import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fromRoot, mustRun, say } from './project.mjs';

const lockFile = fromRoot('package-lock.json');
/** npm's own record of what lies in node_modules, written when an installation is complete. */
const installedFile = fromRoot('node_modules/.package-lock.json');
const stampFile = fromRoot('node_modules/.readyline-installed');

/** Runs `npm ci` unless node_modules already holds what package-lock.json asks for. */
export function ensureInstalled() {
  const lock = readFileSync(lockFile, 'utf8');
  const stamp = createHash('sha256').update(`${process.platform} ${process.arch} ${lock}`).digest('hex');
  if (readIfThere(stampFile) === stamp) return;
  if (!isInstalled(lock)) {
    say('installing packages (npm ci)');
    npm('ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error');
  }
  writeFileSync(stampFile, stamp);
}

/**
 * True after a complete `npm ci` or `npm install` by hand.
 * @param {string} lock
 */
function isInstalled(lock) {
  const installed = readIfThere(installedFile);
  if (installed === null) return false;
  const present = JSON.parse(installed).packages;
  return Object.entries(JSON.parse(lock).packages).every(
    ([path, wanted]) =>
      path === '' || (present[path] ? present[path].version === wanted.version : mayBeMissing(wanted)),
  );
}

/**
 * Packages for other machines are left out, and so is what only they need.
 * @param {{ optional?: boolean, os?: string[], cpu?: string[], libc?: string[] }} wanted
 */
function mayBeMissing({ optional = false, os, cpu, libc }) {
  if (!optional || (!os && !cpu)) return optional;
  return !(os?.includes(process.platform) ?? true) || !(cpu?.includes(process.arch) ?? true) || libc !== undefined;
}

/** @param {string[]} args */
function npm(...args) {
  const cli = process.env['npm_execpath'];
  if (cli?.endsWith('.js')) mustRun(process.execPath, [cli, ...args]);
  else mustRun('npm', args);
}

/** @param {string} path */
function readIfThere(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}
