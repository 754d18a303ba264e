import type { PoolClient } from 'pg';
import { MigrationError } from './migrationError.ts';
import { readHistory, someOf, type Migration } from './migrationHistory.ts';
import { schema } from './session.ts';

/**
 * What a migration makes under names that others may have taken.
 * An index built beside writers replaces what a failed build left.
 */
const makes = /^ *CREATE (?:TABLE|FUNCTION|(?:UNIQUE )?INDEX(?! CONCURRENTLY)) "?(\w+)"?/gim;

const advice = 'Nothing was changed. Set DATABASE_URL to a database of the gateway’s own (CREATE DATABASE readyline)';

/**
 * Looks whether the gateway may make its tables here, before it makes the first: the database may be another program's,
 * whose tables have the same names, or lie beside them. Changes nothing.
 * @param migrations of this version
 * @throws MigrationError
 */
export async function refuseForeign(client: PoolClient, migrations: readonly Migration[]): Promise<void> {
  const done = [...(await readHistory(client)).keys()];
  const isKnown = (name: string) => migrations.some((one) => one.name === name);
  if (done.length > 0 && !done.some(isKnown)) {
    throw new MigrationError(
      `the database is another program’s: its table _prisma_migrations holds ${someOf(done)}, ` +
        `which the gateway does not know. ${advice}`,
    );
  }
  const missing = migrations.filter(({ name }) => !done.includes(name));
  if (missing.length === 0) return;
  await refuseWithoutRights(client);
  // An earlier migration may have made what a later one makes anew.
  const before = new Set(
    migrations.filter(({ name }) => done.includes(name)).flatMap(({ sql }) => sql.match(/\w+/g) ?? []),
  );
  const names = missing
    .flatMap(({ sql }) => [...sql.matchAll(makes)].flatMap(([, name]) => name ?? []))
    .filter((name) => !before.has(name));
  const { rows } = await client.query<{ name: string }>(taken, [schema, names]);
  if (rows.length === 0) return;
  const which = someOf(rows.map(({ name }) => name));
  throw new MigrationError(
    `the schema ${schema} already has ${which}, and no note in _prisma_migrations that the gateway made them. ` +
      `${advice}`,
  );
}

/**
 * Looks whether the gateway may use the tables that there are: another user may have made them,
 * in an earlier version or from a backup.
 * @throws MigrationError
 */
export async function refuseForbidden(client: PoolClient, migrations: readonly Migration[]): Promise<void> {
  const names = migrations.flatMap(({ sql }) => [...sql.matchAll(makes)].flatMap(([, name]) => name ?? []));
  const { rows } = await client.query<{ name: string; user: string }>(forbidden, [schema, names]);
  const [first] = rows;
  if (first === undefined) return;
  throw new MigrationError(
    `the user of DATABASE_URL may not read and change ${someOf(rows.map(({ name }) => name))}: as the tables’ owner, ` +
      `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO ${first.user}`,
  );
}

async function refuseWithoutRights(client: PoolClient): Promise<void> {
  const { rows } = await client.query<{ user: string; may: boolean | null }>(
    `SELECT quote_ident(current_user) AS user,
       has_schema_privilege(to_regnamespace($1), 'CREATE')
         AND has_schema_privilege(to_regnamespace($1), 'USAGE') AS may`,
    [schema],
  );
  const [row] = rows;
  if (row === undefined || row.may === true) return;
  if (row.may === null) {
    throw new MigrationError(
      `the database has no schema ${schema}, where the gateway’s tables are: CREATE SCHEMA ${schema}`,
    );
  }
  throw new MigrationError(
    'the user of DATABASE_URL may not make tables: as the database’s owner, GRANT USAGE, ' +
      `CREATE ON SCHEMA ${schema} TO ${row.user}`,
  );
}

/** $1 the schema, $2 names. A table has a type of its name, too. */
const taken = `
  SELECT relname::text AS name FROM pg_class WHERE relnamespace = to_regnamespace($1) AND relname = ANY ($2)
  UNION SELECT typname::text FROM pg_type WHERE typnamespace = to_regnamespace($1) AND typname = ANY ($2)
  UNION SELECT proname::text FROM pg_proc WHERE pronamespace = to_regnamespace($1) AND proname = ANY ($2)
  ORDER BY name`;

/** $1 the schema, $2 names. */
const forbidden = `
  SELECT relname::text AS name, quote_ident(current_user) AS user FROM pg_class
  WHERE relnamespace = to_regnamespace($1) AND relname = ANY ($2) AND relkind IN ('r', 'p') AND NOT (
    has_table_privilege(oid, 'SELECT') AND has_table_privilege(oid, 'INSERT')
    AND has_table_privilege(oid, 'UPDATE') AND has_table_privilege(oid, 'DELETE')
  )
  ORDER BY name`;
