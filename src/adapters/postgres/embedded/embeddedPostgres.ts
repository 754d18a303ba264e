import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { type Cluster, openCluster } from './cluster.ts';
import { type DataDirLock, lockDataDir, socketDirectory } from './dataDirLock.ts';
import { findBinaries } from './programs.ts';
import { keepLogShort } from './logFile.ts';
import { ownServerUrl } from './ownServerUrl.ts';
import {
  isAlive,
  type Launch,
  launch,
  type Postmaster,
  readPostmaster,
  stopPostmaster,
  worksOn,
} from './postmaster.ts';

export type EmbeddedPostgresOptions = {
  /** Made when missing. The cluster is `postgres` in it, the server's log `postgres.log`. */
  dataDir: string;
  /** Receives a line for the operator about anything unusual. */
  log: (line: string) => void;
  /** Called when the server ends unexpectedly. At most once; not after `stop`. */
  onExit?: (reason: string) => void;
  /** Ends a start that is under way, which then rejects with its reason and leaves no server behind. */
  signal?: AbortSignal;
};

export type EmbeddedPostgres = {
  /** Of the database `readyline`: log-in by password over a unix socket that only this user can reach. */
  url: string;
  /** Fast shutdown; resolves when the server is gone and the data directory free. May be called again. */
  stop: () => Promise<void>;
};

type RunningServer = { postmaster: Postmaster; watch: (onEnd: (reason: string) => void) => void };

/** `.s.PGSQL.5432.lock` */
const longestSocketName = 19;

/**
 * Runs a PostgreSQL server on the data directory, and locks the directory against a second gateway. A server that
 * outlived its gateway (kill -9) is taken over when it answers, else replaced.
 *
 * @throws DataDirLockedError when another gateway uses the directory.
 * @throws EmbeddedPostgresError when PostgreSQL cannot work here.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { dataDir, log, onExit, signal } = options;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const directory = realpathSync(dataDir);
  const lock = await lockDataDir(directory);
  try {
    const binaries = findBinaries();
    const cluster = await openCluster(directory, binaries, log);
    signal?.throwIfAborted();
    const server = (await adopt(cluster, log, signal)) ?? (await launchAnew(directory, { cluster, binaries, signal }));
    return await useServer(server, cluster, lock, { directory, onExit });
  } catch (error) {
    await lock.release();
    signal?.throwIfAborted();
    throw error;
  }
}

async function useServer(
  { postmaster, watch }: RunningServer,
  cluster: Cluster,
  lock: DataDirLock,
  { directory, onExit }: { directory: string; onExit: EmbeddedPostgresOptions['onExit'] },
): Promise<EmbeddedPostgres> {
  let stopping: Promise<void> | null = null;
  const letLogBe = keepLogShort(logFileIn(directory));
  const stop = () => (stopping ??= stopPostmaster(postmaster.pid).then(letLogBe).then(lock.release));
  watch((reason) => {
    if (!stopping) onExit?.(reason);
  });
  try {
    return { url: await openDatabase(postmaster, cluster), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function logFileIn(dataDir: string): string {
  return join(dataDir, 'postgres.log');
}

async function launchAnew(
  dataDir: string,
  parts: Pick<Launch, 'cluster' | 'binaries' | 'signal'>,
): Promise<RunningServer> {
  const { postmaster, child } = await launch({
    ...parts,
    socketDirectory: socketDirectory(dataDir, 'socket', longestSocketName),
    logFile: logFileIn(dataDir),
  });
  return {
    postmaster,
    watch: (onEnd) => child.once('exit', (code, signal) => onEnd(signal ?? `exit code ${code}`)),
  };
}

/** The server that an earlier gateway left running, if it is healthy; an unhealthy one is stopped. */
async function adopt(
  cluster: Cluster,
  log: (line: string) => void,
  signal?: AbortSignal,
): Promise<RunningServer | null> {
  const postmaster = readPostmaster(cluster.directory);
  if (!postmaster || !worksOn(cluster.directory, postmaster.pid)) return null;
  const { pid } = postmaster;
  if (!(await answers(connectionUrl(postmaster, cluster, 'postgres'), signal))) {
    signal?.throwIfAborted();
    log(`the PostgreSQL server left behind by an earlier gateway (process ${pid}) does not answer; restarting it`);
    await stopPostmaster(pid);
    return null;
  }
  log(`took over the PostgreSQL server left behind by an earlier gateway (process ${pid})`);
  return { postmaster, watch: (onEnd) => watchStranger(pid, onEnd) };
}

/** Polls for its end: it is not a child of this process. */
function watchStranger(pid: number, onEnd: (reason: string) => void): void {
  const timer = setInterval(() => {
    if (isAlive(pid)) return;
    clearInterval(timer);
    onEnd('it is gone');
  }, 500);
  timer.unref();
}

/** Whether the server takes a log-in; one that is still recovering gets 30 s. */
async function answers(url: string, signal?: AbortSignal): Promise<boolean> {
  const deadline = performance.now() + 30_000;
  for (;;) {
    try {
      await ask(url, 'SELECT 1');
      return true;
    } catch (error) {
      if (!isStartingUp(error) || signal?.aborted || performance.now() > deadline) return false;
      await delay(50);
    }
  }
}

/** Makes the database on the first start. */
async function openDatabase(postmaster: Postmaster, cluster: Cluster): Promise<string> {
  const url = connectionUrl(postmaster, cluster, 'readyline');
  const unknownDatabase = '3D000';
  await ask(url, 'SELECT 1').catch(async (error: unknown) => {
    if (codeOf(error) !== unknownDatabase) throw error;
    await ask(connectionUrl(postmaster, cluster, 'postgres'), 'CREATE DATABASE readyline');
  });
  return url;
}

async function ask(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000, query_timeout: 10_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(statement);
  } finally {
    await client.end().catch(() => undefined);
  }
}

function connectionUrl(
  { port, socketDirectory: directory }: Postmaster,
  { password }: Cluster,
  database: string,
): string {
  return ownServerUrl({ password, port, directory, database });
}

function isStartingUp(error: unknown): boolean {
  return codeOf(error) === '57P03';
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
