import { spawnSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { mustRun, say } from './project.mjs';

/** Debian asks this program whether a package may start its service; 101 is no. */
const servicePolicy = '/usr/sbin/policy-rc.d';

/** Makes sure that the tests can start a redis-server, by Debian's package where that is possible. */
export function ensureRedisServer() {
  if (isThere('redis-server')) return;
  if (process.getuid?.() !== 0 || !isThere('apt-get')) {
    console.error('The tests need redis-server 6.2 or later. Install it (Debian: apt-get install redis-server) and run them again.');
    process.exit(1);
  }
  say('installing redis-server');
  const ownPolicy = !existsSync(servicePolicy);
  if (ownPolicy) writeFileSync(servicePolicy, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  process.on('exit', () => ownPolicy && rmSync(servicePolicy, { force: true }));
  const quietly = { DEBIAN_FRONTEND: 'noninteractive' };
  mustRun('apt-get', ['-qq', 'update'], quietly);
  mustRun('apt-get', ['-qq', '-y', 'install', '--no-install-recommends', 'redis-server'], quietly);
  if (ownPolicy) rmSync(servicePolicy, { force: true });
}

/** @param {string} program */
function isThere(program) {
  return spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0;
}
