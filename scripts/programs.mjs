import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { findChromium } from './chromium.mjs';
import { fromRoot, say } from './project.mjs';

/**
 * What the tests start as it is in production. `debian`: the packages that it comes with;
 * `macos`: Homebrew's, where it has one.
 * @typedef {{ name: string, isHere: () => boolean, debian: string[], macos?: string }} TestProgram
 */

/** @type {TestProgram[]} */
const needed = [
  {
    name: 'redis-server',
    isHere: () => answers('redis-server', '--version') || answers('valkey-server', '--version'),
    debian: ['redis-server'],
    macos: 'redis',
  },
  {
    name: 'chromium',
    isHere: () => findChromium() !== null,
    debian: ['chromium-headless-shell'],
    macos: '--cask google-chrome',
  },
];

/** What stands before gateways, what watches them, and a company's telephony in small. @type {TestProgram[]} */
const neededByFull = [
  { name: 'haproxy', isHere: () => answers('haproxy', '-v'), debian: ['haproxy'], macos: 'haproxy' },
  { name: 'prometheus', isHere: () => answers('prometheus', '--version'), debian: ['prometheus'], macos: 'prometheus' },
  { name: 'promtool', isHere: () => answers('promtool', '--version'), debian: ['prometheus'], macos: 'prometheus' },
  {
    name: 'kamailio',
    isHere: () => answers('dpkg', '-s', 'kamailio-websocket-modules'),
    debian: ['kamailio', 'kamailio-websocket-modules'],
  },
  { name: 'rtpengine', isHere: () => answers('which', 'rtpengine'), debian: ['rtpengine-daemon', 'iproute2'] },
  { name: 'turnserver', isHere: () => answers('which', 'turnserver'), debian: ['coturn'], macos: 'coturn' },
  { name: 'sipp', isHere: () => answers('which', 'sipp'), debian: ['sip-tester'] },
  { name: 'baresip', isHere: () => answers('which', 'baresip'), debian: ['baresip-core'] },
  { name: 'linphone-daemon', isHere: () => answers('which', 'linphone-daemon'), debian: ['linphone-cli'] },
  { name: 'pulseaudio', isHere: () => answers('which', 'pulseaudio'), debian: ['pulseaudio'] },
];

/**
 * Sees to what the tests start: as root on Debian by its packages.
 * With CI=true this process ends where something is missing after that.
 * @param {{ isFull: boolean }} wanted what the full run needs, too
 * @returns what is still missing: the tests that need it are left out
 */
export function ensurePrograms({ isFull }) {
  const wanted = isFull ? [...needed, ...neededByFull] : needed;
  const isMissing = (/** @type {TestProgram} */ { isHere }) => !isHere();
  const before = wanted.filter(isMissing);
  if (before.length > 0 && process.getuid?.() === 0 && answers('apt-get', '--version'))
    install(before.flatMap(({ debian }) => debian));
  const missing = before.filter(isMissing);
  if (missing.length > 0 && process.env['CI'] === 'true') {
    for (const program of missing) console.error(`readyline: ${program.name} is not installed: ${adviceFor(program)}`);
    process.exit(1);
  }
  return missing;
}

/**
 * The command that brings it.
 * @param {TestProgram} program
 */
export function adviceFor({ debian, macos }) {
  const onMac = macos === undefined ? '' : `; macOS: brew install ${macos}`;
  return `Debian: apt-get install --no-install-recommends ${debian.join(' ')}${onMac}`;
}

/** Debian asks this program whether a package may start its service; 101 is no. */
const servicePolicy = '/usr/sbin/policy-rc.d';
const noService = '#!/bin/sh\n# Of the tests of Readyline, while they install packages.\nexit 101\n';

/** @param {string[]} packages */
function install(packages) {
  say(`installing ${packages.join(', ')}`);
  // One that is there already is the machine's own; or of a run that was killed.
  const isOurs = !existsSync(servicePolicy) || readFileSync(servicePolicy, 'utf8') === noService;
  const takeBack = () => isOurs && rmSync(servicePolicy, { force: true });
  process.once('exit', takeBack);
  if (isOurs) writeFileSync(servicePolicy, noService, { mode: 0o755 });
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  const aptGet = (/** @type {string[]} */ ...args) =>
    spawnSync('apt-get', ['-qq', ...args], { cwd: fromRoot('.'), env, stdio: ['ignore', 'inherit', 'inherit'] })
      .status === 0;
  if (!aptGet('update') || !aptGet('-y', 'install', '--no-install-recommends', ...packages))
    say(`${packages.join(', ')} could not be installed`);
  takeBack();
}

/** Whether a question succeeds. @param {string} program @param {string[]} args */
function answers(program, ...args) {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0;
}
