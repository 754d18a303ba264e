import { createHash, randomBytes } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { tmpdir } from 'node:os';

/** Another gateway works on this data directory. */
export class DataDirLockedError extends Error {
  override name = 'DataDirLockedError';

  constructor(dataDir: string, pid: number) {
    super(
      `another gateway (process ${pid}) already uses the data directory ${dataDir}; stop it or set another DATA_DIR`,
    );
  }
}

export type DataDirLock = { release: () => Promise<void> };

/** `<process id>-<random>.lock` */
const lockName = /^(\d+)-[0-9a-f]{8}\.lock$/;
const longestLockName = 24;
const attempts = 5;

/**
 * Takes the data directory for this process, until `release` or the end of the process, however it ends.
 *
 * A contender listens on a unix socket with a name of its own and only then looks for others: whoever answers is alive,
 * whoever does not is dead and swept away. So two can never both find themselves alone, a stale lock holds nobody up,
 * and sweeping cannot hit a living one. Contenders that meet step back and try again at different times.
 *
 * @param dataDir absolute path of an existing directory
 * @throws DataDirLockedError when another process holds it.
 */
export async function lockDataDir(dataDir: string): Promise<DataDirLock> {
  const directory = socketDirectory(dataDir, 'lock', longestLockName);
  for (let attempt = 1; ; attempt += 1) {
    const name = `${process.pid}-${randomBytes(4).toString('hex')}.lock`;
    const server = await listen(join(directory, name));
    const holder = await findHolder(directory, name);
    if (holder === null) return { release: () => close(server) };
    await close(server);
    if (attempt === attempts) throw new DataDirLockedError(dataDir, holder);
    await delay(10 + Math.random() * 60);
  }
}

/** The process id of another living contender, or null. */
async function findHolder(directory: string, ownName: string): Promise<number | null> {
  for (const name of readdirSync(directory)) {
    const pid = lockName.exec(name)?.[1];
    if (pid === undefined || name === ownName) continue;
    const path = join(directory, name);
    if (await answers(path)) return Number(pid);
    rmSync(path, { force: true });
  }
  return null;
}

/** The kernel accepts for a living listener, even a stopped one, and refuses for a dead one. */
function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path, () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      resolve(error.code !== 'ECONNREFUSED' && error.code !== 'ENOENT');
    });
  });
}

function listen(path: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', reject);
    server.listen(path, () => {
      server.unref();
      resolve(server);
    });
  });
}

/** Closing removes the socket's file. May be called twice. */
function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}

/** The kernel takes 103 (macOS) or 107 (Linux) bytes for the path of a unix socket. */
const longestSocketPath = 103;

/**
 * A directory (mode 0700, made when missing) for unix sockets whose file names have at most `longestName` bytes:
 * `<dataDir>/<name>`, or, where that path is too long for the kernel, one under the system's temporary directory that
 * belongs to this data directory alone. The same input gives the same directory.
 *
 * @throws when somebody else made the directory under the temporary one.
 */
export function socketDirectory(dataDir: string, name: string, longestName: number): string {
  const inside = join(dataDir, name);
  const fits = Buffer.byteLength(inside) + 1 + longestName <= longestSocketPath;
  const hash = createHash('sha256').update(dataDir).digest('hex').slice(0, 12);
  const directory = fits ? inside : join(tmpdir(), `readyline-${hash}-${name}`);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const { mode, uid } = lstatSync(directory);
  const ours = process.getuid?.() === 0 || uid === process.getuid?.();
  if (!ours || (mode & 0o170_077) !== 0o040_000) {
    throw new Error(
      `${directory} must be a directory that only this user can enter; remove it or choose another DATA_DIR`,
    );
  }
  return directory;
}
