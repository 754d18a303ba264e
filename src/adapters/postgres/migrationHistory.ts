import type { PoolClient } from 'pg';
import { schema } from './session.ts';

/** A migration of this version. */
export type Migration = {
  name: string;
  sql: string;
  checksum: string;
  /**
   * The migrations that it stands for, which are not there any more: their checksums by name.
   * Empty for all but a baseline.
   */
  former: ReadonlyMap<string, string>;
};

/** What the database notes of a migration. */
export type AppliedMigration = { checksum: string; finished: boolean };

/**
 * The migrations that count, of whichever program, by name and in the order of their names.
 * Empty where there never was one. Of a name that is there twice, one that did not finish counts, or else the last.
 */
export async function readHistory(client: PoolClient): Promise<Map<string, AppliedMigration>> {
  const { rows: found } = await client.query('SELECT WHERE to_regclass($1) IS NOT NULL', [
    `${schema}._prisma_migrations`,
  ]);
  if (found.length === 0) return new Map();
  const { rows } = await client.query<{ name: string; checksum: string; finished: boolean }>(
    `SELECT DISTINCT ON (migration_name) migration_name AS name, checksum, finished_at IS NOT NULL AS finished
     FROM ${schema}."_prisma_migrations" WHERE rolled_back_at IS NULL ORDER BY migration_name,
       finished_at DESC NULLS FIRST`,
  );
  return new Map(rows.map(({ name, checksum, finished }) => [name, { checksum, finished }]));
}

/** Notes that a migration was run, as Prisma does. */
export async function noteMigration(client: PoolClient, { name, checksum }: Migration): Promise<void> {
  await client.query(
    `INSERT INTO "_prisma_migrations"(id, checksum, migration_name, started_at, finished_at, applied_steps_count)
     VALUES (gen_random_uuid()::text, $1, $2, now(), clock_timestamp(), 1)`,
    [checksum, name],
  );
}

/** So many names suffice to know whose they are. */
const namesTold = 3;

export function someOf(names: readonly string[]): string {
  const more = names.length - namesTold;
  return names.slice(0, namesTold).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** As Prisma's schema engine makes it. Asks first: `IF NOT EXISTS` would put a notice into the log of every start. */
export const createHistory = `
DO $$ BEGIN
  IF to_regclass('"_prisma_migrations"') IS NULL THEN
    CREATE TABLE "_prisma_migrations" (
      "id" VARCHAR(36) PRIMARY KEY NOT NULL,
      "checksum" VARCHAR(64) NOT NULL,
      "finished_at" TIMESTAMPTZ,
      "migration_name" VARCHAR(255) NOT NULL,
      "logs" TEXT,
      "rolled_back_at" TIMESTAMPTZ,
      "started_at" TIMESTAMPTZ NOT NULL DEFAULT now(),
      "applied_steps_count" INTEGER NOT NULL DEFAULT 0
    );
  END IF;
END $$`;
