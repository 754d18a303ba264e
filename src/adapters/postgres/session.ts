import type { ClientBase } from 'pg';

/**
 * Where all of the gateway's tables are. Prisma writes it before each name;
 * `search_path` says it to all other statements.
 */
export const schema = 'public';

/** How long a session's statements may take. Milliseconds; 0: as long as they like. */
export type SessionLimits = { statementMs: number; lockMs: number; idleInTransactionMs: number };

/**
 * What statements and the driver rely on. A database or a role may have other defaults (`ALTER DATABASE … SET`), set by
 * whoever runs the server, for programs of another kind. How durable a commit is (`synchronous_commit`) and what plans
 * cost is theirs to say.
 */
const relied = {
  // The driver reads times and bytes in these forms alone, and Prisma every time as UTC.
  TimeZone: 'UTC',
  DateStyle: 'ISO, MDY',
  IntervalStyle: 'postgres',
  bytea_output: 'hex',
  client_encoding: 'UTF8',
  extra_float_digits: '1',
  // Texts and arrays mean what they mean everywhere.
  standard_conforming_strings: 'on',
  array_nulls: 'on',
  transform_null_equals: 'off',
  // What competes for a row is decided by its version, not by a serialization failure.
  default_transaction_isolation: 'read committed',
  default_transaction_read_only: 'off',
  default_transaction_deferrable: 'off',
  // What one company asks for takes one of the server's processors: with workers beside it a report would take all.
  max_parallel_workers_per_gather: '0',
  // To compile a plan takes a processor longer than most of these statements.
  jit: 'off',
  // An idle connection is kept for the next click, and the one for notifications for good.
  idle_session_timeout: '0',
  transaction_timeout: '0',
};

/**
 * Makes a fresh connection the same whatever the database's and the role's defaults are. To be awaited before its first
 * statement. After connecting, for PgBouncer refuses most settings in the startup packet. Settings that the server is
 * too old to know are left out.
 */
export async function prepareSession(
  client: ClientBase,
  { statementMs, lockMs, idleInTransactionMs }: SessionLimits,
): Promise<void> {
  const limits = {
    statement_timeout: statementMs,
    lock_timeout: lockMs,
    idle_in_transaction_session_timeout: idleInTransactionMs,
  };
  const settings = Object.entries({ ...relied, ...limits }).map(([name, value]) => `('${name}', '${value}')`);
  // By the names of pg_catalog: until this has run, others may come first.
  // What the extensions bring may lie in a schema of their own.
  await client.query(`
    SELECT pg_catalog.set_config(name, value, false) FROM (
      VALUES ${settings.join(', ')}, ('search_path', pg_catalog.concat_ws(', ', '${schema}', (
        SELECT pg_catalog.string_agg(DISTINCT pg_catalog.quote_ident(n.nspname), ', ')
        FROM pg_catalog.pg_extension e JOIN pg_catalog.pg_namespace n ON n.oid OPERATOR(pg_catalog.=) e.extnamespace
        WHERE e.extname::pg_catalog.text OPERATOR(pg_catalog.=) ANY (ARRAY['pg_trgm', 'btree_gin'])
          AND n.nspname::pg_catalog.text OPERATOR(pg_catalog.<>) '${schema}'
      )))
    ) AS s (name, value)
    WHERE pg_catalog.current_setting(name, true) IS NOT NULL`);
}

/**
 * The server's number of the session that runs a connection's statements.
 * The driver's own is a pooler's, where there is one.
 */
export async function sessionOf(client: ClientBase): Promise<number | undefined> {
  return (await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]?.pid;
}
