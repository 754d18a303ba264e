import { spawnSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { mustRun, say } from './project.mjs';

/**
 * What the tests start as it is in production: Debian's package, and a question that succeeds where it is installed.
 * @typedef {{ name: string, release: string, asks: string[] }} Wanted
 */

/** Without these a run of the tests says little. @type {Wanted[]} */
const needed = [
  { name: 'redis-server', release: '7', asks: ['redis-server', '--version'] },
  { name: 'haproxy', release: '2.6', asks: ['haproxy', '-v'] },
  { name: 'chromium-headless-shell', release: '120', asks: ['/usr/bin/chromium-headless-shell', '--version'] },
];

/** A company's telephony in small, and what watches gateways. Where one is missing, the one file of tests about it fails and says so. @type {Wanted[]} */
const ofOneFile = [
  { name: 'prometheus', release: '2.42', asks: ['promtool', '--version'] },
  { name: 'kamailio', release: '5.6', asks: ['dpkg', '-s', 'kamailio'] },
  { name: 'kamailio-websocket-modules', release: '5.6', asks: ['dpkg', '-s', 'kamailio-websocket-modules'] },
  { name: 'rtpengine-daemon', release: '10.5', asks: ['dpkg', '-s', 'rtpengine-daemon'] },
  { name: 'sip-tester', release: '3.6', asks: ['dpkg', '-s', 'sip-tester'] },
  { name: 'iproute2', release: '6', asks: ['ip', '-V'] },
];

/** Debian asks this program whether a package may start its service; 101 is no. */
const servicePolicy = '/usr/sbin/policy-rc.d';

/**
 * Makes sure that the tests can start what they need, by Debian's packages where that is possible.
 * @param {{ withAll: boolean }} wanted what one file of tests needs, too
 */
export function ensureServerPrograms({ withAll }) {
  const canInstall = process.getuid?.() === 0 && answers(['apt-get', '--version']);
  const missing = [...needed, ...(withAll ? ofOneFile : [])].filter(({ asks }) => !answers(asks));
  if (missing.length === 0) return;
  if (canInstall) {
    install(missing.map(({ name }) => name));
    return;
  }
  const releases = missing.map(({ name, release }) => `${name} (${release} or later)`).join(', ');
  const advice = `Debian: apt-get install --no-install-recommends ${missing.map(({ name }) => name).join(' ')}`;
  if (missing.some((wanted) => needed.includes(wanted))) {
    console.error(`The tests need ${releases}. Install what is missing (${advice}) and run them again.`);
    process.exit(1);
  }
  say(`the tests of a company's telephony, or of its monitoring, will fail without ${releases}. ${advice}`);
}

/** @param {string[]} names of packages */
function install(names) {
  say(`installing ${names.join(', ')}`);
  const ownPolicy = !existsSync(servicePolicy);
  if (ownPolicy) writeFileSync(servicePolicy, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  process.on('exit', () => ownPolicy && rmSync(servicePolicy, { force: true }));
  const quietly = { DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  mustRun('apt-get', ['-qq', 'update'], quietly);
  mustRun('apt-get', ['-qq', '-y', 'install', '--no-install-recommends', ...names], quietly);
  if (ownPolicy) rmSync(servicePolicy, { force: true });
}

/** @param {string[]} question a program and its arguments */
function answers([program = '', ...args]) {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0;
}
