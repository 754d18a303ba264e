import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  commandAs,
  type EmbeddedBinaries,
  EmbeddedPostgresError,
  type Owner,
  ownerOf,
  possibleOwners,
} from './programs.ts';

/** A database cluster on disk. */
export type Cluster = {
  /** Absolute path, without symbolic links. */
  directory: string;
  owner: Owner;
  /** Of the only database user, `readyline`. */
  password: string;
};

/** Kept inside the cluster, so that the two are copied or lost together; PostgreSQL ignores files it does not know. */
const passwordFile = 'readyline.password';

/**
 * The cluster `<dataDir>/postgres`, made when missing: UTF-8, checksums, log-in by password (SCRAM) only.
 *
 * @param dataDir absolute path of an existing directory that this process has locked
 * @throws EmbeddedPostgresError when PostgreSQL's programs do not run here.
 */
export async function openCluster(
  dataDir: string,
  binaries: EmbeddedBinaries,
  log: (line: string) => void,
): Promise<Cluster> {
  const directory = join(dataDir, 'postgres');
  letOwnersPass(dataDir);
  if (existsSync(directory)) return readCluster(directory);
  const failures: string[] = [];
  for (const owner of possibleOwners()) {
    try {
      await initialize(join(dataDir, 'postgres.new'), binaries, owner);
      renameSync(join(dataDir, 'postgres.new'), directory);
      log(`made a new database in ${directory}`);
      return readCluster(directory);
    } catch (error) {
      failures.push(describe(owner, error));
    }
  }
  const asRoot = process.getuid?.() === 0 ? ' PostgreSQL refuses to run as root; start as an ordinary user.' : '';
  throw new EmbeddedPostgresError(`no database can be made in ${directory}.${asRoot} (${failures.join('; ')})`);
}

/** Where root starts it, PostgreSQL runs under another account: that may walk through the directory, not list it. */
function letOwnersPass(dataDir: string): void {
  const { uid, mode } = statSync(dataDir);
  if (process.getuid?.() === 0 && uid === 0) chmodSync(dataDir, mode | 0o011);
}

function readCluster(directory: string): Cluster {
  const file = join(directory, passwordFile);
  try {
    return { directory, owner: ownerOf(directory), password: readFileSync(file, 'utf8').trim() };
  } catch (error) {
    if (error instanceof EmbeddedPostgresError) throw error;
    throw new EmbeddedPostgresError(`${directory} is not a database of this gateway`, error);
  }
}

/** Under a name of its own, so that a cluster named `postgres` is always a whole one. */
async function initialize(directory: string, { initdb }: EmbeddedBinaries, owner: Owner): Promise<void> {
  const password = randomBytes(24).toString('base64url');
  const givenPassword = `${directory}.password`;
  rmSync(directory, { recursive: true, force: true });
  rmSync(givenPassword, { force: true });
  mkdirSync(directory, { mode: 0o700 });
  writeFileSync(givenPassword, password, { mode: 0o600, flag: 'wx' });
  if (owner.kind === 'account') [directory, givenPassword].forEach((path) => chownSync(path, owner.uid, owner.gid));
  try {
    const args = ['--username=readyline', `--pwfile=${givenPassword}`, '--auth=scram-sha-256', '--encoding=UTF8'];
    const locale = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'];
    const command = commandAs(owner, initdb, ['-D', directory, ...args, ...locale, '--no-instructions']);
    await promisify(execFile)(command.file, command.args, command.options);
    renameSync(givenPassword, join(directory, passwordFile));
  } catch (error) {
    rmSync(directory, { recursive: true, force: true });
    rmSync(givenPassword, { force: true });
    throw error;
  }
}

function describe(owner: Owner, error: unknown): string {
  const who = { self: 'as this user', account: 'as another account', namespace: 'in a user namespace' }[owner.kind];
  const said =
    error instanceof Error && 'stderr' in error && typeof error.stderr === 'string' ? error.stderr.trim() : '';
  const reason = said || (error instanceof Error ? error.message : String(error));
  return `${who}: ${reason.split('\n').slice(-3).join(' ')}`;
}
