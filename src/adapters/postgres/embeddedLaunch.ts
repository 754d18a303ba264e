import { spawn, type ChildProcess } from 'node:child_process';
import { chownSync, closeSync, existsSync, openSync, readFileSync, renameSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { EmbeddedBinaries } from './embeddedBinaries.ts';
import type { Cluster } from './embeddedCluster.ts';
import { commandAs } from './embeddedOwner.ts';
import { EmbeddedPostgresError } from './embeddedPostgresError.ts';
import { readPostmaster, stopPostmaster, type Postmaster } from './embeddedPostmaster.ts';

export type Launch = {
  cluster: Cluster;
  binaries: EmbeddedBinaries;
  /** Absolute path of a directory (mode 0700). */
  socketDirectory: string;
  /** Absolute path; the log of the start before is kept beside it as `<logFile>.1`. */
  logFile: string;
};

export type LaunchedPostmaster = { postmaster: Postmaster; child: ChildProcess };

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
    const failure = await becomesReady(options.cluster.directory, child);
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
  };
  const stale = readPostmaster(directory);
  const command = commandAs(
    owner,
    binaries.postgres,
    ['-D', directory, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    // The process that a stale postmaster.pid names was found to be a stranger. Telling PostgreSQL that it is a
    // relative lets it pass that check, and still look itself for sessions that have outlived their server.
    stale ? { PG_GRANDPARENT_PID: String(stale.pid) } : {},
  );
  if (existsSync(logFile)) renameSync(logFile, `${logFile}.1`);
  const output = openSync(logFile, 'w', 0o600);
  // In a process group of its own: a terminal's Ctrl-C must not end it before the gateway has drained.
  const child = spawn(command.file, command.args, { ...command.options, stdio: ['ignore', output, output], detached: true });
  closeSync(output);
  child.unref();
  return child;
}

/** The running server, or why there is none. */
async function becomesReady(cluster: string, child: ChildProcess): Promise<Postmaster | string> {
  let failure: string | null = null;
  child.once('error', (error) => (failure = error.message));
  child.once('exit', (code, signal) => (failure = `it ended with ${signal ?? `code ${code}`}`));
  const deadline = performance.now() + startPatience;
  while (failure === null && performance.now() < deadline) {
    const postmaster = readPostmaster(cluster);
    if (postmaster?.ready && postmaster.pid === child.pid) return postmaster;
    await delay(5);
  }
  if (failure !== null) return failure;
  if (child.pid !== undefined) await stopPostmaster(child.pid);
  return `not ready after ${startPatience / 1_000} s`;
}

function lastLines(logFile: string): string {
  return readFileSync(logFile, 'utf8').trim().split('\n').slice(-4).join(' ');
}
