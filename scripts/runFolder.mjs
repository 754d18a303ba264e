import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { constants, freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { say } from './project.mjs';

/** `readyline-tests-<process id>-<random>` */
const folderName = /^readyline-tests-(\d+)-\w{6}$/;

/** Where files are kept in memory (Linux), and how much of it has to be free. */
const memory = '/dev/shm';
const enoughMemory = 4 * 1024 ** 3;

/**
 * Makes the folder that all this run's programs have as their temporary one (TMPDIR), and one for databases, in memory
 * where there is enough. When this process ends they go, and what still runs in them is killed, also after Ctrl-C. What
 * a run left that was itself killed goes with the next one.
 * @returns the one for databases
 */
export function useRunFolder() {
  // macOS' own leaves too few of the 103 bytes that the path of a socket may have.
  const folder = makeFolder(process.platform === 'darwin' ? '/tmp' : tmpdir());
  const databases = hasEnoughMemory() ? makeFolder(memory) : folder;
  process.env['TMPDIR'] = folder;
  let isInterrupted = false;
  process.on('exit', () => {
    const left = [...clear(folder), ...clear(databases)];
    if (!isInterrupted) {
      for (const command of left) say(`still running at the end, and killed: ${command.slice(0, 200)}`);
    }
  });
  for (const signal of /** @type {const} */ (['SIGHUP', 'SIGINT', 'SIGTERM'])) {
    process.once(signal, () => {
      isInterrupted = true;
      process.exit(128 + constants.signals[signal]);
    });
  }
  return databases;
}

/** @param {string} parent is freed from what killed runs left there */
function makeFolder(parent) {
  const place = realpathSync(parent);
  for (const name of readdirSync(place)) {
    const pid = Number(folderName.exec(name)?.[1]);
    if (pid > 0 && !isRunning(pid) && isOwn(join(place, name))) clear(join(place, name));
  }
  const folder = mkdtempSync(join(place, `readyline-tests-${process.pid}-`));
  // PostgreSQL, which root starts under another account, has to get through.
  chmodSync(folder, 0o711);
  return folder;
}

function hasEnoughMemory() {
  if (!existsSync(memory)) return false;
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize >= enoughMemory && freemem() >= enoughMemory;
}

/**
 * @param {string} folder
 * @returns the commands that it killed
 */
function clear(folder) {
  /** @type {Set<string>} */
  const killed = new Set();
  // Who is killed may have started another one just before.
  for (let round = 0; round < 10; round += 1) {
    const left = processesIn(folder);
    if (left.length === 0) break;
    for (const { pid, command } of left) {
      killed.add(command);
      kill(pid);
    }
    pause();
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  return killed;
}

/** While a process exits nothing else can be waited for. */
function pause() {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
}

/**
 * Processes that were started with something of the folder, or work in it, but for this one.
 * @param {string} folder
 */
function processesIn(folder) {
  return (existsSync('/proc/self/environ') ? ofProc(folder) : ofPs(folder)).filter(({ pid }) => pid !== process.pid);
}

/** @param {string} folder */
function ofProc(folder) {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const read = (/** @type {string} */ file) =>
          readFileSync(`/proc/${name}/${file}`, 'utf8').replaceAll('\0', ' ').trim();
        const command = read('cmdline');
        // One that has ended and waits for its parent has no command any more.
        const isIn =
          command !== '' && `${command} ${read('environ')} ${readlinkSync(`/proc/${name}/cwd`)}`.includes(folder);
        return isIn ? [{ pid: Number(name), command }] : [];
      } catch {
        // Gone meanwhile, or somebody else's.
        return [];
      }
    });
}

/** @param {string} folder */
function ofPs(folder) {
  const { stdout } = spawnSync('ps', ['axeww', '-o', 'pid=,command='], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    env: { PATH: process.env['PATH'] },
  });
  return stdout
    .split('\n')
    .filter((line) => line.includes(folder))
    .map((line) => {
      const [pid = '', ...command] = line.trim().split(' ');
      return { pid: Number(pid), command: command.join(' ') };
    });
}

/** @param {number} pid */
function kill(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It was faster.
  }
}

/** @param {number} pid */
function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** @param {string} folder */
function isOwn(folder) {
  return statSync(folder).uid === process.getuid?.();
}
