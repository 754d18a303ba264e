import type { Pool, PoolClient } from 'pg';
import { sessionOf } from './session.ts';

/**
 * The server of the URL does not take the gateway, or is none for it.
 * The message says why, without the variable that names it.
 */
export class DatabaseRefusedError extends Error {
  override name = 'DatabaseRefusedError';
}

/** What the driver or a pooler says of a connection that comes about by what somebody has set, and what to do. */
const faults: readonly (readonly [RegExp, (...found: string[]) => string])[] = [
  [
    /unsupported startup parameter(?: in options)?: (\w+)/,
    (name = '') =>
      `PgBouncer takes no ${name} when a connection begins: take it out of the URL and of PGOPTIONS, ` +
      'or add it to its ignore_startup_parameters',
  ],
  [
    /server does not support SSL/,
    () => 'the server does not speak TLS, which sslmode in the URL or PGSSLMODE asks for',
  ],
  [/password must be a (?:non-empty )?string/, () => 'the server asks for a password, and the URL has none'],
];

/**
 * Connects for the first time, and looks whether the gateway can work there.
 * @param pool of at least two connections
 * @throws DatabaseRefusedError
 */
export async function checkServer(pool: Pool): Promise<void> {
  const one = await connect(pool);
  let two: PoolClient | null = null;
  try {
    const { rows } = await one.query<{ standby: boolean }>('SELECT pg_is_in_recovery() AS standby');
    if (rows[0]?.standby === true)
      throw new DatabaseRefusedError('the server is a standby, which takes no changes: name the primary');
    two = await connect(pool);
    // Between transactions, a pooler of that kind gives the same session to both.
    if ((await sessionOf(one)) === (await sessionOf(two))) {
      throw new DatabaseRefusedError(
        'a pooler in transaction mode stands before the server: ' +
          'the gateway needs sessions of its own (PgBouncer: pool_mode = session)',
      );
    }
  } finally {
    one.release();
    two?.release();
  }
}

async function connect(pool: Pool): Promise<PoolClient> {
  try {
    return await pool.connect();
  } catch (cause) {
    const said = cause instanceof Error ? cause.message : String(cause);
    for (const [fault, tell] of faults) {
      const found = fault.exec(said);
      if (found !== null) throw new DatabaseRefusedError(tell(...found.slice(1)), { cause });
    }
    // Of several addresses there is no message.
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'no connection';
    throw new DatabaseRefusedError(said || code, { cause });
  }
}
