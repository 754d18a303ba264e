import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { diffSchema } from '../../../scripts/schemaDiff.mjs';
import { MigrationError } from '../../../src/adapters/postgres/migrationError.ts';
import { applyMigrations } from '../../../src/adapters/postgres/migrations.ts';
import { createPool } from '../../../src/adapters/postgres/pool.ts';
import { eventually } from '../../support/time/waiting.ts';
import { createDatabase, type TestDatabase } from '../../support/stores/postgres.ts';

describe('migrations', () => {
  let database: TestDatabase;
  let pool: Pool;
  let folder: string;

  beforeEach(async () => {
    database = await createDatabase({ empty: true });
    pool = createPool({ url: database.url, max: 4, applicationName: 'migrations test' });
    folder = await mkdtemp(join(tmpdir(), 'readyline-migrations-'));
  });
  afterEach(async () => {
    await pool.end();
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  async function write(name: string, sql: string): Promise<void> {
    await mkdir(join(folder, name), { recursive: true });
    await writeFile(join(folder, name, 'migration.sql'), sql);
  }

  async function tables(): Promise<string[]> {
    const { rows } = await pool.query<{ name: string }>(
      `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> '_prisma_migrations'
        ORDER BY 1`,
    );
    return rows.map(({ name }) => name);
  }

  it('has migrations that add up to schema.prisma', async () => {
    await applyMigrations(pool);
    expect(await diffSchema(pool)).toBeNull();
  });

  it('sees when schema.prisma and the migrations differ', async () => {
    await applyMigrations(pool);
    await pool.query('ALTER TABLE "call" DROP COLUMN "trigger"');
    expect(await diffSchema(pool)).toContain('ADD COLUMN     "trigger" TEXT NOT NULL');
  });

  it('has the partial indexes that schema.prisma cannot describe', async () => {
    await applyMigrations(pool);
    const { rows } = await pool.query(`SELECT indexname FROM pg_indexes WHERE indexdef LIKE '% WHERE %' ORDER BY 1`);
    const names = rows.map(({ indexname }) => indexname);
    expect(names).toEqual([
      'call_active_key',
      'call_contact_idx',
      'call_conversation_idx',
      'call_platform_key',
      'call_platform_silent_idx',
      'call_popped_contact_idx',
      'call_sip_call_id_idx',
      'call_transferred_to_idx',
      'contact_do_not_call_idx',
      'contact_duplicate_open_idx',
      'contact_language_idx',
      'contact_tier_idx',
      'crm_delivery_dead_idx',
      'crm_delivery_due_idx',
      'cti_connection_listens_idx',
      'import_due_idx',
      'import_row_remarks_idx',
      'screen_pop_entry_expires_idx',
      'screen_pop_entry_undecided_idx',
      'task_remind_idx',
      'webhook_delivery_dead_idx',
      'webhook_delivery_due_idx',
    ]);
  });

  it('applies what is missing, oldest first, and nothing twice', async () => {
    await write('2_fill', 'INSERT INTO one VALUES (1)');
    await write('1_make', 'CREATE TABLE one (n int)');
    expect(await applyMigrations(pool, folder)).toEqual(['1_make', '2_fill']);
    expect(await applyMigrations(pool, folder)).toEqual([]);
    await write('3_more', 'CREATE TABLE two (n int); CREATE TABLE three (n int)');
    expect(await applyMigrations(pool, folder)).toEqual(['3_more']);
    expect(await tables()).toEqual(['one', 'three', 'two']);
    expect((await pool.query('SELECT n FROM one')).rows).toEqual([{ n: 1 }]);
  });

  it('writes the history as Prisma does', async () => {
    await write('1_make', 'CREATE TABLE one (n int)');
    await applyMigrations(pool, folder);
    const { rows } = await pool.query('SELECT * FROM "_prisma_migrations"');
    expect(rows).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        // printf 'CREATE TABLE one (n int)' | sha256sum
        checksum: '7216d5caf9b4db4b881f06186b108a36ee2edf44695e361e4d54536e83ed40cf',
        migration_name: '1_make',
        started_at: expect.any(Date),
        finished_at: expect.any(Date),
        rolled_back_at: null,
        logs: null,
        applied_steps_count: 1,
      },
    ]);
  });

  it('rolls a failing migration back whole and keeps those before it', async () => {
    await write('1_make', 'CREATE TABLE one (n int)');
    await write('2_break', 'CREATE TABLE two (n int); SELECT nonsense');
    await expect(applyMigrations(pool, folder)).rejects.toThrow(
      new MigrationError('the migration 2_break failed and was rolled back: column "nonsense" does not exist'),
    );
    expect(await tables()).toEqual(['one']);
    await write('2_break', 'CREATE TABLE two (n int)');
    expect(await applyMigrations(pool, folder)).toEqual(['2_break']);
  });

  it('refuses a database in which a migration failed under another tool', async () => {
    await write('1_make', 'CREATE TABLE one (n int)');
    await applyMigrations(pool, folder);
    await pool.query('UPDATE "_prisma_migrations" SET finished_at = NULL');
    await expect(applyMigrations(pool, folder)).rejects.toThrow(/^the migration 1_make failed earlier/);
    await pool.query('UPDATE "_prisma_migrations" SET rolled_back_at = now()');
    await pool.query('DROP TABLE one');
    expect(await applyMigrations(pool, folder)).toEqual(['1_make']);
  });

  it('refuses a migration that was edited after it was applied', async () => {
    await write('1_make', 'CREATE TABLE one (n int)');
    await applyMigrations(pool, folder);
    await write('1_make', 'CREATE TABLE one (n bigint)');
    await write('2_more', 'CREATE TABLE two (n int)');
    await expect(applyMigrations(pool, folder)).rejects.toThrow(
      /^the migration 1_make was edited after it was applied/,
    );
    expect(await tables()).toEqual(['one']);
  });

  it('leaves migrations of a newer version alone', async () => {
    await write('1_make', 'CREATE TABLE one (n int)');
    const older = await mkdtemp(join(tmpdir(), 'readyline-migrations-'));
    await cp(folder, older, { recursive: true });
    await write('2_more', 'CREATE TABLE two (n int)');
    await applyMigrations(pool, folder);
    expect(await applyMigrations(pool, older)).toEqual([]);
    await rm(older, { recursive: true });
  });

  it('applies each migration once when several gateways start together', async () => {
    await write('1_make', 'CREATE TABLE one (n int)');
    await write('2_fill', 'INSERT INTO one VALUES (1)');
    const applied = await Promise.all([1, 2, 3, 4].map(() => applyMigrations(pool, folder)));
    expect(applied.flat().toSorted()).toEqual(['1_make', '2_fill']);
    expect((await pool.query('SELECT n FROM one')).rows).toEqual([{ n: 1 }]);
  });

  it('keeps nobody from a table while it waits for one who has been reading it for long', async () => {
    await write('1_make', 'CREATE TABLE one (n int)');
    await applyMigrations(pool, folder);
    await write('2_more', 'ALTER TABLE one ADD COLUMN m int');
    const reader = await pool.connect();
    await reader.query('BEGIN; SELECT FROM one');
    const applying = applyMigrations(pool, folder, { lockMs: 200, againMs: 50 });
    await eventually(async () => {
      const { rowCount } = await pool.query("SELECT FROM pg_locks WHERE relation = 'one'::regclass AND NOT granted");
      return rowCount === 1;
    });
    expect((await pool.query('SELECT n FROM one')).rows).toEqual([]);
    await reader.query('COMMIT');
    reader.release();
    expect(await applying).toEqual(['2_more']);
    expect((await pool.query('SHOW lock_timeout')).rows).toEqual([{ lock_timeout: '4s' }]);
  });

  describe('an index that is built beside those who write', () => {
    const build = 'CREATE UNIQUE INDEX CONCURRENTLY "one_n_key" ON "one"("n");\n';
    beforeEach(async () => {
      await write('1_make', 'CREATE TABLE one (n int)');
      await applyMigrations(pool, folder);
      await write('2_index', `-- Why.\n${build}`);
    });

    it('keeps nobody from writing, and waits for who is writing; gateways that start then wait for it', async () => {
      const writer = await pool.connect();
      await writer.query('BEGIN; INSERT INTO one VALUES (1)');
      const applying = applyMigrations(pool, folder);
      await eventually(async () => {
        const { rowCount } = await pool.query(
          "SELECT FROM pg_stat_progress_create_index WHERE phase LIKE 'waiting for writers%'",
        );
        return rowCount === 1;
      });
      const another = createPool({ url: database.url, max: 1, applicationName: 'another gateway' });
      const alsoApplying = applyMigrations(another, folder);
      await pool.query('INSERT INTO one VALUES (2)');
      await writer.query('COMMIT');
      writer.release();
      expect([await applying, await alsoApplying]).toEqual([['2_index'], []]);
      await another.end();
      await expect(pool.query('INSERT INTO one VALUES (2)')).rejects.toMatchObject({ constraint: 'one_n_key' });
    });

    it('lets an older gateway go first that waits inside PostgreSQL, where PostgreSQL ends the build for that', async () => {
      const [writer, older] = [await pool.connect(), await pool.connect()];
      await writer.query('BEGIN; INSERT INTO one VALUES (1)');
      const applying = applyMigrations(pool, folder, { lockMs: 2_000, againMs: 50 });
      await eventually(async () => {
        const { rowCount } = await pool.query(
          "SELECT FROM pg_stat_progress_create_index WHERE phase LIKE 'waiting for writers%'",
        );
        return rowCount === 1;
      });
      // It notices the deadlock later than the build does.
      await older.query("SET statement_timeout = 0; SET deadlock_timeout = '1h'");
      const itsTurn = older.query('SELECT pg_advisory_lock(72707369)');
      await eventually(
        async () =>
          (await pool.query("SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")).rowCount === 1,
      );
      await writer.query('COMMIT');
      writer.release();
      await itsTurn;
      await older.query('SELECT pg_advisory_unlock(72707369)');
      older.release(true);
      expect(await applying).toEqual(['2_index']);
      await expect(pool.query('INSERT INTO one VALUES (1)')).rejects.toMatchObject({ constraint: 'one_n_key' });
    });

    it('is built anew after a build that failed, of which nothing is kept', async () => {
      await pool.query('INSERT INTO one VALUES (1), (1)');
      await expect(applyMigrations(pool, folder)).rejects.toThrow(
        /^the migration 2_index failed: could not create unique index/,
      );
      await pool.query('DELETE FROM one');
      expect(await applyMigrations(pool, folder)).toEqual(['2_index']);
      expect((await pool.query('SELECT FROM pg_index WHERE NOT indisvalid')).rowCount).toBe(0);
      await pool.query('INSERT INTO one VALUES (1)');
      await expect(pool.query('INSERT INTO one VALUES (1)')).rejects.toMatchObject({ constraint: 'one_n_key' });
    });
  });

  describe('a database that is not the gateway’s alone', () => {
    const relations = async () =>
      (
        await pool.query<{ name: string }>(
          "SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace ORDER BY 1",
        )
      ).rows.map(({ name }) => name);
    const refusal = () =>
      applyMigrations(pool).then(String, (error: unknown) =>
        error instanceof MigrationError ? error.message : String(error),
      );

    it('is left as it is where a table, a view, a type or a function has one of the gateway’s names, however late that would be made', async () => {
      await pool.query(`CREATE TABLE call (n int); CREATE VIEW report_view AS SELECT n
        FROM call; CREATE TYPE telephony AS ENUM ('yes');
        CREATE FUNCTION crm_fold(text) RETURNS text LANGUAGE sql AS 'SELECT $1'`);
      const before = await relations();
      expect(await refusal()).toBe(
        'the schema public already has call, crm_fold, report_view and 1 more, ' +
          'and no note in _prisma_migrations that the gateway made them. ' +
          'Nothing was changed. Set DATABASE_URL to a database of the gateway’s own (CREATE DATABASE readyline)',
      );
      expect(await relations()).toEqual(before);
    });

    it('is left as it is where another program’s migrations are noted', async () => {
      await write('1_theirs', 'CREATE TABLE theirs (n int)');
      await applyMigrations(pool, folder);
      await pool.query('UPDATE "_prisma_migrations" SET finished_at = NULL');
      const before = await relations();
      expect(await refusal()).toMatch(
        /^the database is another program’s: its table _prisma_migrations holds 1_theirs, which .+\. Nothing was changed\. /,
      );
      expect(await relations()).toEqual(before);
    });

    it('keeps its tables of other names, and those of the gateway’s names in other schemas', async () => {
      await pool.query(
        'CREATE TABLE invoice (n int); CREATE SCHEMA theirs; CREATE TABLE theirs.call (n int); ' +
          'CREATE TABLE theirs._prisma_migrations (n int)',
      );
      expect((await applyMigrations(pool)).length).toBeGreaterThan(0);
      expect(await applyMigrations(pool)).toEqual([]);
      expect((await pool.query('SELECT FROM theirs.call')).rowCount).toBe(0);
    });

    it('is refused where a newer migration meets a foreign table, before the first of the new ones', async () => {
      await write('1_make', 'CREATE TABLE one (n int)');
      await applyMigrations(pool, folder);
      await pool.query('CREATE TABLE three (n int)');
      await write('2_more', 'CREATE TABLE two (n int)');
      await write('3_more', 'CREATE TABLE three (n int); CREATE INDEX "one_n" ON one (n)');
      await expect(applyMigrations(pool, folder)).rejects.toThrow(/^the schema public already has three, /);
      expect(await tables()).toEqual(['one', 'three']);
      await pool.query('DROP TABLE three');
      await write('4_again', 'DROP INDEX "one_n"; CREATE INDEX "one_n" ON one (n)');
      expect(await applyMigrations(pool, folder)).toEqual(['2_more', '3_more', '4_again']);
      await write('5_again', 'DROP INDEX "one_n"; CREATE INDEX "one_n" ON one (n)');
      expect(await applyMigrations(pool, folder)).toEqual(['5_again']);
    });

    it('says which right is missing, or which schema', async () => {
      const name = new URL(database.url).pathname.slice(1);
      await pool.query(`CREATE ROLE ${name} LOGIN PASSWORD 'secret'`);
      const url = new URL(database.url);
      [url.username, url.password] = [name, 'secret'];
      const guest = createPool({ url: url.href, max: 1, applicationName: 'guest' });
      await expect(applyMigrations(guest)).rejects.toThrow(
        `as the database’s owner, GRANT USAGE, CREATE ON SCHEMA public TO ${name}`,
      );
      await pool.query(`GRANT USAGE, CREATE ON SCHEMA public TO ${name}`);
      expect((await applyMigrations(guest)).length).toBeGreaterThan(0);
      await pool.query('ALTER TABLE call OWNER TO CURRENT_USER; ALTER TABLE agent OWNER TO CURRENT_USER');
      await pool.query(`GRANT SELECT ON agent TO ${name}`);
      await expect(applyMigrations(guest)).rejects.toThrow(
        'may not read and change agent, call: as the tables’ owner, ' +
          `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${name}`,
      );
      await guest.end();
      await pool.query(`DROP OWNED BY ${name} CASCADE; DROP ROLE ${name}; DROP SCHEMA public CASCADE`);
      await expect(applyMigrations(pool)).rejects.toThrow('the database has no schema public');
    });
  });

  describe('a start that is to end', () => {
    const reason = new Error('it was stopped');

    it('waits no longer for its turn', async () => {
      const other = await pool.connect();
      await other.query('SELECT pg_advisory_lock(72707369)');
      const ending = new AbortController();
      const applying = applyMigrations(pool, folder, { signal: ending.signal });
      await eventually(
        async () =>
          (
            await pool.query(
              `SELECT FROM pg_stat_activity WHERE datname = current_database()
                AND query LIKE 'SELECT pg_try_advisory_lock%'`,
            )
          ).rowCount === 1,
      );
      ending.abort(reason);
      await expect(applying).rejects.toBe(reason);
      other.release(true);
    });

    it('ends what PostgreSQL does for it, which is rolled back and frees its locks', async () => {
      await write('1_make', 'CREATE TABLE one (n int)');
      await applyMigrations(pool, folder);
      await write('2_long', 'CREATE TABLE two (n int); SELECT pg_sleep(1000)');
      const ending = new AbortController();
      const applying = applyMigrations(pool, folder, { signal: ending.signal });
      await eventually(
        async () =>
          (
            await pool.query(
              "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'",
            )
          ).rowCount === 1,
      );
      ending.abort(reason);
      await expect(applying).rejects.toBe(reason);
      expect(await tables()).toEqual(['one']);
      await write('2_long', 'CREATE TABLE two (n int)');
      expect(await applyMigrations(pool, folder)).toEqual(['2_long']);
    });
  });

  it('gives connections back as they were', async () => {
    await applyMigrations(pool, folder);
    expect((await pool.query('SHOW statement_timeout')).rows).toEqual([{ statement_timeout: '10s' }]);
    expect(pool.idleCount).toBe(pool.totalCount);
  });
});
