import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdtemp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Pool } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { root, searchPath } from '../../../demo/cluster/program.ts';
import { applyMigrations } from '../../../src/adapters/postgres/migrations.ts';
import { createPool } from '../../../src/adapters/postgres/pool.ts';
import { describeDatabase } from '../../support/stores/describeDatabase.ts';
import { createDatabase, type TestDatabase } from '../../support/stores/postgres.ts';

const baseline = join(root, 'prisma/migrations/0001_baseline');

/**
 * Of the lines that described a database which the former migrations had made, with PostgreSQL 18.
 * The baseline is never edited.
 */
const madeByTheFormer = '4ba151f6bd2794d4bd56edec2f9512c01f19ddd4a6cd0f09ff83337d5333f803';

describe('the baseline', () => {
  let database: TestDatabase;
  let pool: Pool;
  let folder: string;

  beforeEach(async () => {
    database = await createDatabase({ empty: true });
    pool = createPool({ url: database.url, max: 4, applicationName: 'baseline test' });
    folder = await mkdtemp(join(tmpdir(), 'readyline-migrations-'));
    await cp(baseline, join(folder, '0001_baseline'), { recursive: true });
  });
  afterEach(async () => {
    await pool.end();
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  const history = async () =>
    (await pool.query<{ name: string }>('SELECT migration_name AS name FROM "_prisma_migrations" ORDER BY 1')).rows.map(
      ({ name }) => name,
    );

  /** Brings the database to where the former migrations left it. */
  async function makeFormer(): Promise<string[]> {
    await applyMigrations(pool, folder);
    const lines = (await readFile(join(baseline, 'former.txt'), 'utf8'))
      .trim()
      .split('\n')
      .map((line) => line.split('  '));
    await pool.query('TRUNCATE "_prisma_migrations"');
    await pool.query(
      `INSERT INTO "_prisma_migrations" (id, checksum, migration_name, finished_at, applied_steps_count)
       SELECT gen_random_uuid()::text, checksum, name, now(), 1
       FROM unnest($1::text[], $2::text[]) AS former (checksum, name)`,
      [lines.map(([checksum]) => checksum), lines.map(([, name]) => name)],
    );
    return lines.map(([, name = '']) => name);
  }

  /** Prisma's own command. @returns what it says, and its exit code in front where that is not 0 */
  async function prisma(...args: string[]): Promise<string> {
    const env = {
      PATH: searchPath,
      DATABASE_URL: database.url,
      PRISMA_SCHEMA_ENGINE_BINARY: join(root, 'test/support/stores/prismaEngine.mjs'),
      CHECKPOINT_DISABLE: '1',
      PRISMA_HIDE_UPDATE_MESSAGE: '1',
      NO_COLOR: '1',
    };
    const command = promisify(execFile)(process.execPath, [join(root, 'node_modules/prisma/build/index.js'), ...args], {
      cwd: root,
      env,
    });
    return command.then(
      ({ stdout }) => stdout,
      (error: unknown) => {
        const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
        return `${code} ${stdout}${stderr}`;
      },
    );
  }

  it('makes what the former migrations made, to the last comment and setting', async () => {
    expect(await applyMigrations(pool, folder)).toEqual(['0001_baseline']);
    const lines = await describeDatabase(pool);
    expect(lines.length).toBeGreaterThan(1_500);
    expect(createHash('sha256').update(lines.join('\n')).digest('hex')).toBe(madeByTheFormer);
  });

  it('is what a database with all the former migrations is at, once, however many gateways start; rows and newer migrations stay', async () => {
    await makeFormer();
    const before = await describeDatabase(pool);
    await pool.query(`INSERT INTO "_prisma_migrations" (id, checksum, migration_name, finished_at)
      VALUES ('1', 'c', '20990101000000_newer', now());
      INSERT INTO company (id, slug, name, dispositions, not_ready_reasons, updated_at)
      VALUES (gen_random_uuid(), 'acme', 'Acme', '[]', '[]', now())`);
    expect((await Promise.all([1, 2, 3].map(() => applyMigrations(pool, folder)))).flat()).toEqual([]);
    expect(await history()).toEqual(['0001_baseline', '20990101000000_newer']);
    const { rows } = await pool.query(
      `SELECT checksum, finished_at, applied_steps_count AS steps FROM "_prisma_migrations"
        WHERE migration_name = '0001_baseline'`,
    );
    const checksum = createHash('sha256')
      .update(await readFile(join(baseline, 'migration.sql')))
      .digest('hex');
    expect(rows).toEqual([{ checksum, finished_at: expect.any(Date), steps: 1 }]);
    expect((await describeDatabase(pool)).filter((line) => line !== 'rows of company')).toEqual(before);
    expect((await pool.query('SELECT slug FROM company')).rows).toEqual([{ slug: 'acme' }]);
  });

  it('is followed by later migrations there as elsewhere', async () => {
    await makeFormer();
    await mkdir(join(folder, '20990101000000_later'));
    await writeFile(join(folder, '20990101000000_later/migration.sql'), 'CREATE TABLE later (n int)');
    expect(await applyMigrations(pool, folder)).toEqual(['20990101000000_later']);
    expect(await history()).toEqual(['0001_baseline', '20990101000000_later']);
  });

  it.each([
    [
      'lacks some',
      `DELETE FROM "_prisma_migrations" WHERE migration_name >= '20261127180000'`,
      '20261127180000_phones_by_contact, 20261127180100_shared_phones, 20261127180200_import_keys_by_name and 1 more',
    ],
    [
      'has one that failed',
      `UPDATE "_prisma_migrations" SET finished_at = NULL WHERE migration_name LIKE '%_draft_at'`,
      '20261127190000_draft_at',
    ],
    [
      'has one that was edited',
      `UPDATE "_prisma_migrations" SET checksum = 'other' WHERE migration_name LIKE '%_init'`,
      '20261121100659_init',
    ],
    [
      'took one back',
      `UPDATE "_prisma_migrations" SET rolled_back_at = now() WHERE migration_name LIKE '%_deals'`,
      '20261123050500_deals',
    ],
  ])('is refused, with what to do, by a database in between, which %s', async (_, change, lacking) => {
    await makeFormer();
    await pool.query(change);
    const [before, noted] = [await describeDatabase(pool), await history()];
    await expect(applyMigrations(pool, folder)).rejects.toThrow(
      `the database is of a version before 0001_baseline and lacks ${lacking} of the 98 migrations that it stands ` +
        'for. Nothing was changed. Start the last version before it once, which adds them, and then this one',
    );
    expect([await describeDatabase(pool), await history()]).toEqual([before, noted]);
  });

  it('is applied by `prisma migrate deploy` as by a gateway, and each agrees with what the other noted', async () => {
    expect(await prisma('migrate', 'deploy')).toContain('All migrations have been successfully applied.');
    const byPrisma = await describeDatabase(pool);
    expect(await applyMigrations(pool)).toEqual([]);
    await pool.query(
      'DROP SCHEMA public CASCADE; CREATE SCHEMA public AUTHORIZATION pg_database_owner; ' +
        'GRANT USAGE ON SCHEMA public TO PUBLIC',
    );
    await makeFormer();
    await applyMigrations(pool);
    expect(await describeDatabase(pool)).toEqual(byPrisma);
    expect(await prisma('migrate', 'deploy')).toContain('No pending migrations to apply.');
    expect(await prisma('migrate', 'status')).toContain('Database schema is up to date!');
  });

  it('is not applied by Prisma where DATABASE_URL names another schema, in which the gateway would look for nothing', async () => {
    database = { ...database, url: `${database.url}${database.url.includes('?') ? '&' : '?'}schema=other` };
    expect(await prisma('migrate', 'deploy')).toMatch(/^1 [^]*DATABASE_URL must name no schema/);
    expect((await pool.query(`SELECT FROM pg_namespace WHERE nspname = 'other'`)).rowCount).toBe(0);
  });
});
