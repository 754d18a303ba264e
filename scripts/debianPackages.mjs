import { spawnSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { mustRun, say } from './project.mjs';

/** What the tests start as it is in production. Each is the name of a program and of Debian's package of it. */
const wanted = [
  { name: 'redis-server', release: '7', asks: '--version' },
  { name: 'haproxy', release: '2.6', asks: '-v' },
];

/** Debian asks this program whether a package may start its service; 101 is no. */
const servicePolicy = '/usr/sbin/policy-rc.d';

/** Makes sure that the tests can start redis-server and haproxy, by Debian's packages where that is possible. */
export function ensureServerPrograms() {
  const missing = wanted.filter(({ name, asks }) => !isThere(name, asks));
  if (missing.length === 0) return;
  const names = missing.map(({ name }) => name);
  if (process.getuid?.() !== 0 || !isThere('apt-get', '--version')) {
    const releases = missing.map(({ name, release }) => `${name} (${release} or later)`).join(' and ');
    console.error(`The tests need ${releases}. Install what is missing (Debian: apt-get install ${names.join(' ')}) and run them again.`);
    process.exit(1);
  }
  say(`installing ${names.join(' and ')}`);
  const ownPolicy = !existsSync(servicePolicy);
  if (ownPolicy) writeFileSync(servicePolicy, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  process.on('exit', () => ownPolicy && rmSync(servicePolicy, { force: true }));
  const quietly = { DEBIAN_FRONTEND: 'noninteractive' };
  mustRun('apt-get', ['-qq', 'update'], quietly);
  mustRun('apt-get', ['-qq', '-y', 'install', '--no-install-recommends', ...names], quietly);
  if (ownPolicy) rmSync(servicePolicy, { force: true });
}

/**
 * @param {string} program
 * @param {string} asks the option by which it says its version
 */
function isThere(program, asks) {
  return spawnSync(program, [asks], { stdio: 'ignore' }).status === 0;
}
