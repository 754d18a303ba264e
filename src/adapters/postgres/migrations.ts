import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as wait } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { takeAsBaseline } from './baseline.ts';
import { refuseForbidden, refuseForeign } from './foreignTables.ts';
import { MigrationError } from './migrationError.ts';
import { createHistory, noteMigration, readHistory, type Migration } from './migrationHistory.ts';
import { isDeadlock, isLockTimeout } from './postgresErrors.ts';
import { sessionOf } from './session.ts';

/** At the package's root, at the same distance from the sources as from the build. */
const migrationsDirectory = fileURLToPath(new URL('../../../prisma/migrations', import.meta.url));

/** Prisma's own lock, so that its tools and this applier never work at the same time. */
const advisoryLock = 72_707_369;

/**
 * How long a migration, or the wait for another gateway's, may take: far longer than the pool's time-outs.
 * Half an hour, in milliseconds.
 */
const patience = 1_800_000;

/**
 * A migration that waits for a table's lock blocks every later statement on it. So it waits no longer than `lockMs`
 * (well within the statements' 10 s), and lets serving gateways go on for `againMs` before the next try. Milliseconds.
 */
const politeWaits = { lockMs: 2_000, againMs: 1_000 };
type Waits = typeof politeWaits;

/** Between two looks at whether another gateway still migrates. Milliseconds. */
const turnMs = 100;

/**
 * The index that a migration builds while gateways write. It is alone in its file,
 * since PostgreSQL builds none so inside of a transaction, and takes several statements that it gets at once for one.
 */
const indexBesideWriters = /^(?:--.*\n)*CREATE (?:UNIQUE )?INDEX CONCURRENTLY "(\w+)"[^;]*;\s*$/;

/**
 * Brings the database up to this version: runs every migration it lacks, oldest first, each in a transaction of its
 * own, and notes it in `_prisma_migrations` as Prisma does. A database that has all the migrations which a baseline
 * stands for is at the baseline. Gateways that start together wait for each other. Migrations of a newer version are
 * left alone, so that an older gateway may run beside it during a roll-out.
 *
 * An index built `CONCURRENTLY` is outside any transaction: an index left invalid by a failed build is
 * dropped and built again.
 *
 * A table that something holds for long (a `pg_dump`) is waited for without blocking the gateways that use it.
 *
 * An older gateway that starts waits for its turn inside PostgreSQL, and building an index concurrently waits for that
 * gateway's transaction: a deadlock. If PostgreSQL ends the build, the older gateway goes first.
 *
 * @returns the names of the migrations it ran; empty when there was nothing to do.
 * @throws MigrationError when the database is another program's, or of a version before the baseline, or a migration
 * fails (it is rolled back whole), failed earlier under another tool, or was edited after it was applied. The signal's
 * reason when that ends it: what was under way is rolled back.
 */
export async function applyMigrations(
  pool: Pool,
  directory = migrationsDirectory,
  how: Partial<Waits> & { signal?: AbortSignal } = {},
): Promise<string[]> {
  const { signal, ...waits } = { ...politeWaits, signal: new AbortController().signal, ...how };
  const migrations = readMigrations(directory);
  const client = await pool.connect();
  let letGo = async () => {};
  try {
    letGo = endsWith(signal, pool, await sessionOf(client));
    await run(client, 'SET statement_timeout = 0; SET lock_timeout = 0');
    const applied: string[] = [];
    const giveUpAt = performance.now() + patience;
    for (;;) {
      await takeTurn(client, giveUpAt, signal);
      try {
        await applyMissing(client, migrations, { ...waits, signal }, applied);
        return applied;
      } catch (error) {
        if (!(error instanceof MigrationError && isDeadlock(error.cause)) || performance.now() >= giveUpAt) throw error;
        await run(client, `ROLLBACK; SELECT pg_advisory_unlock(${advisoryLock})`);
        await wait(waits.againMs, undefined, { signal });
      }
    }
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    await letGo();
    // Closing the session frees the lock whatever state it is in, and nobody gets one without time-outs.
    client.release(true);
  }
}

/**
 * Lets PostgreSQL end the statements of a session once the signal is given: a session that was only left would go on,
 * with its locks. Again and again, for between two statements there is none to end.
 * @returns to be called when nothing is to be ended any more
 */
function endsWith(signal: AbortSignal, pool: Pool, session: number | undefined): () => Promise<void> {
  const isOver = new AbortController();
  let ending: Promise<void> | null = null;
  const end = async () => {
    while (!isOver.signal.aborted) {
      await pool.query('SELECT pg_cancel_backend($1)', [session]).catch(() => undefined);
      await wait(turnMs, undefined, { signal: isOver.signal }).catch(() => undefined);
    }
  };
  const begin = () => void (ending = end());
  if (signal.aborted) begin();
  else signal.addEventListener('abort', begin, { once: true });
  return async () => {
    signal.removeEventListener('abort', begin);
    isOver.abort();
    await ending;
  };
}

/** Polls: waiting inside PostgreSQL would deadlock with a gateway that builds an index concurrently. */
async function takeTurn(client: PoolClient, giveUpAt: number, signal: AbortSignal): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ mine: boolean }>(`SELECT pg_try_advisory_lock(${advisoryLock}) AS mine`);
    if (rows[0]?.mine === true) return;
    if (performance.now() >= giveUpAt) throw new MigrationError('another gateway has been migrating for half an hour');
    await wait(turnMs, undefined, { signal });
  }
}

function readMigrations(directory: string): Migration[] {
  return readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => {
      const sql = readFileSync(join(directory, name, 'migration.sql'), 'utf8');
      return {
        name,
        sql,
        checksum: createHash('sha256').update(sql).digest('hex'),
        former: readFormer(join(directory, name, 'former.txt')),
      };
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** The lines of the file are those of `sha256sum`. */
function readFormer(file: string): Map<string, string> {
  if (!existsSync(file)) return new Map();
  return new Map(
    [...readFileSync(file, 'utf8').matchAll(/^(\w+) {2}(\w+)$/gm)].map(([, checksum = '', name = '']) => [
      name,
      checksum,
    ]),
  );
}

/** @param names receives those that were run */
async function applyMissing(
  client: PoolClient,
  migrations: Migration[],
  waits: Waits & { signal: AbortSignal },
  names: string[],
): Promise<void> {
  await takeAsBaseline(client, migrations);
  await refuseForeign(client, migrations);
  await run(client, createHistory);
  const applied = await readHistory(client);
  for (const [name, { finished }] of applied) {
    if (!finished)
      throw new MigrationError(`the migration ${name} failed earlier; resolve it first (prisma migrate resolve)`);
  }
  const missing = migrations.filter(({ name, checksum }) => {
    const before = applied.get(name);
    if (before && before.checksum !== checksum) {
      throw new MigrationError(`the migration ${name} was edited after it was applied; restore it and add a new one`);
    }
    return !before;
  });
  for (const migration of missing) {
    await apply(client, migration, waits);
    names.push(migration.name);
  }
  await refuseForbidden(client, migrations);
}

async function apply(
  client: PoolClient,
  migration: Migration,
  { lockMs, againMs, signal }: Waits & { signal: AbortSignal },
): Promise<void> {
  const giveUpAt = performance.now() + patience;
  const [, index] = indexBesideWriters.exec(migration.sql) ?? [];
  for (;;) {
    signal.throwIfAborted();
    try {
      return index === undefined
        ? await attempt(client, migration, lockMs)
        : await buildIndex(client, migration, index);
    } catch (error) {
      if (!isLockTimeout(error) || performance.now() >= giveUpAt) {
        const reason = error instanceof Error ? error.message : String(error);
        const what = index === undefined ? 'failed and was rolled back' : 'failed';
        throw new MigrationError(`the migration ${migration.name} ${what}: ${reason}`, { cause: error });
      }
      await run(client, 'ROLLBACK');
      await wait(againMs, undefined, { signal });
    }
  }
}

async function attempt(client: PoolClient, migration: Migration, lockMs: number): Promise<void> {
  await run(client, `BEGIN; SET LOCAL lock_timeout = ${lockMs}`);
  await run(client, migration.sql);
  await noteMigration(client, migration);
  await run(client, 'COMMIT');
}

async function buildIndex(client: PoolClient, migration: Migration, index: string): Promise<void> {
  await run(client, `DROP INDEX CONCURRENTLY IF EXISTS "${index}"`);
  await run(client, migration.sql);
  await noteMigration(client, migration);
}

async function run(client: PoolClient, text: string): Promise<void> {
  const query: { text: string; query_timeout: number } = { text, query_timeout: patience };
  await client.query(query);
}
