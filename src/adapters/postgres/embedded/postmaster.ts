import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chownSync, closeSync, existsSync, openSync, readFileSync, readlinkSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Cluster } from './cluster.ts';
import { commandAs, type EmbeddedBinaries, EmbeddedPostgresError } from './programs.ts';

/** PostgreSQL's main process, as its `postmaster.pid` describes it. */
export type Postmaster = {
  pid: number;
  port: number;
  /** Where its unix socket lies. */
  socketDirectory: string;
  /** It takes connections. */
  ready: boolean;
};

/** What `postmaster.pid` in the cluster says, even if it is stale; null when it is missing or incomplete. */
export function readPostmaster(cluster: string): Postmaster | null {
  let lines: string[];
  try {
    lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return null;
  }
  const [pid, , , port, directory, , , status] = lines;
  // A server that fails to start may write its process id negated.
  if (!Number(pid) || !Number(port) || !directory) return null;
  return {
    pid: Math.abs(Number(pid)),
    port: Number(port),
    socketDirectory: directory,
    ready: status?.trim() === 'ready',
  };
}

/** Whether the process is a server on this cluster: after a reboot its id may belong to any program. */
export function worksOn(cluster: string, pid: number): boolean {
  try {
    if (process.platform === 'linux') return readlinkSync(`/proc/${pid}/cwd`) === cluster;
    return execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }).includes(cluster);
  } catch {
    return false;
  }
}

/** Whether the process runs. A zombie counts as gone. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
  if (process.platform !== 'linux') return true;
  try {
    // The state follows the program's name, which may itself hold parentheses.
    return !/\) Z [^)]*$/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/**
 * Ends a server in PostgreSQL's own steps: "fast" (open transactions are rolled back, a checkpoint is written), then
 * "immediate" (the next start replays the log), then by force. No step loses what was committed.
 */
export async function stopPostmaster(pid: number): Promise<void> {
  const steps = [
    ['SIGINT', 30_000],
    ['SIGQUIT', 5_000],
    ['SIGKILL', 5_000],
  ] as const;
  for (const [signal, patience] of steps) {
    try {
      process.kill(pid, signal);
    } catch {
      return;
    }
    if (await ends(pid, patience)) return;
  }
}

/** Waits until the process is gone, at most so many milliseconds. */
async function ends(pid: number, patience: number): Promise<boolean> {
  const deadline = performance.now() + patience;
  while (isAlive(pid)) {
    if (performance.now() > deadline) return false;
    await delay(5);
  }
  return true;
}

export type Launch = {
  cluster: Cluster;
  binaries: EmbeddedBinaries;
  /** Absolute path of a directory (mode 0700). */
  socketDirectory: string;
  /**
   * Absolute path; the log of the start before, or the last that grew too large, is kept beside it as `<logFile>.1`.
   */
  logFile: string;
  /** Ends the server again where it does not take connections yet. */
  signal?: AbortSignal | undefined;
};

type LaunchedPostmaster = { postmaster: Postmaster; child: ChildProcess };

/** Crash recovery of a large database takes a while. Milliseconds. */
const startPatience = 120_000;
/** How long the sessions of a killed server may take to notice that it is gone. Milliseconds. */
const orphanPatience = 5_000;

/**
 * Starts a server on the cluster and waits until it takes connections.
 * @throws EmbeddedPostgresError with the last lines of the server's log when it does not start.
 */
export async function launch(options: Launch): Promise<LaunchedPostmaster> {
  const orphansGone = performance.now() + orphanPatience;
  for (;;) {
    const child = start(options);
    const failure = await becomesReady(options.cluster.directory, child, options.signal);
    if (typeof failure !== 'string') return { postmaster: failure, child };
    const said = `${failure}; ${lastLines(options.logFile)}`;
    if (!said.includes('pre-existing shared memory') || performance.now() > orphansGone) {
      throw new EmbeddedPostgresError(`the server does not start (${said})`);
    }
    await delay(100);
  }
}

function start({ cluster, binaries, socketDirectory, logFile }: Launch): ChildProcess {
  const { owner, directory } = cluster;
  if (owner.kind === 'account') chownSync(socketDirectory, owner.uid, owner.gid);
  const settings = {
    listen_addresses: '',
    unix_socket_directories: `"${socketDirectory.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    max_connections: '100',
    shared_buffers: '128MB',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // Of an error that one line which says what went wrong: statements and details are long,
    // and hold what people have sent.
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
  };
  const stale = readPostmaster(directory);
  const command = commandAs(
    owner,
    binaries.postgres,
    ['-D', directory, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    // The process that a stale postmaster.pid names is another program. Declaring it a parent process lets PostgreSQL
    // pass that check, and still look for sessions that outlived their server.
    stale ? { PG_GRANDPARENT_PID: String(stale.pid) } : {},
  );
  if (existsSync(logFile)) renameSync(logFile, `${logFile}.1`);
  // To be appended to, so that what follows a cut begins at the new end.
  const output = openSync(logFile, 'a', 0o600);
  // In its own process group: Ctrl-C in a terminal must not end it before the gateway has drained.
  const child = spawn(command.file, command.args, {
    ...command.options,
    stdio: ['ignore', output, output],
    detached: true,
  });
  closeSync(output);
  child.unref();
  return child;
}

/** The running server, or why there is none. */
async function becomesReady(cluster: string, child: ChildProcess, signal?: AbortSignal): Promise<Postmaster | string> {
  let failure: string | null = null;
  child.once('error', (error) => (failure = error.message));
  child.once('exit', (code, signal) => (failure = `it ended with ${signal ?? `code ${code}`}`));
  const deadline = performance.now() + startPatience;
  while (failure === null && !signal?.aborted && performance.now() < deadline) {
    const postmaster = readPostmaster(cluster);
    if (postmaster?.ready && postmaster.pid === child.pid) return postmaster;
    await delay(5);
  }
  if (failure !== null) return failure;
  if (child.pid !== undefined) await stopPostmaster(child.pid);
  return signal?.aborted ? 'it was to end' : `not ready after ${startPatience / 1_000} s`;
}

function lastLines(logFile: string): string {
  return readFileSync(logFile, 'utf8').trim().split('\n').slice(-4).join(' ');
}
