import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { EmbeddedPostgresError } from './embeddedPostgresError.ts';

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
