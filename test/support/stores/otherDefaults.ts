import pg from 'pg';

/**
 * Defaults that other programs want, and that would break the gateway where a session had them.
 * Time-outs are long: they must not end the test's own.
 */
const settings = {
  TimeZone: 'Asia/Tokyo',
  DateStyle: 'SQL, DMY',
  IntervalStyle: 'sql_standard',
  bytea_output: 'escape',
  extra_float_digits: '-15',
  array_nulls: 'off',
  transform_null_equals: 'on',
  client_encoding: 'LATIN1',
  standard_conforming_strings: 'off',
  statement_timeout: '1h',
  lock_timeout: '1h',
  idle_in_transaction_session_timeout: '1h',
  idle_session_timeout: '1h',
  transaction_timeout: '1h',
  default_transaction_isolation: 'serializable',
  default_transaction_deferrable: 'on',
  max_parallel_workers_per_gather: '4',
  jit: 'on',
  search_path: 'elsewhere, pg_catalog',
  default_transaction_read_only: 'on',
};

/**
 * Gives a database other defaults, half of them to its user alone;
 * a schema of its own to the extensions, as providers do; and another schema, which comes first.
 */
export async function giveOtherDefaults(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ database: string; user: string }>(
      'SELECT quote_ident(current_database()) AS database, quote_ident(current_user) AS user',
    );
    const { database, user } = rows[0] ?? { database: '', user: '' };
    await client.query(`CREATE SCHEMA elsewhere; CREATE SCHEMA extensions;
      CREATE EXTENSION pg_trgm SCHEMA extensions; CREATE EXTENSION btree_gin SCHEMA extensions`);
    for (const [place, [name, value]] of Object.entries(settings).entries()) {
      const whose = place % 2 === 0 ? `DATABASE ${database}` : `ROLE ${user} IN DATABASE ${database}`;
      await client.query(`ALTER ${whose} SET ${name} = ${name === 'search_path' ? value : `'${value}'`}`);
    }
  } finally {
    await client.end();
  }
}
