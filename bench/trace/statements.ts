import type pg from 'pg';
import type { Entry } from './entries.ts';

/** Settings of a PostgreSQL that counts its statements, and tells their planning from their execution. */
export const countingStatements = {
  shared_preload_libraries: 'pg_stat_statements',
  'pg_stat_statements.track_planning': 'on',
};

/** Counts from now on. */
export async function forgetStatements(pool: pg.Pool): Promise<void> {
  await pool.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
  await pool.query('SELECT pg_stat_statements_reset()');
}

/** Every statement that has ended since then, with how long planning and one execution took. */
export async function readStatements(pool: pg.Pool): Promise<Entry[]> {
  const { rows } = await pool.query<{ query: string; calls: number; planned: number; executed: number }>(
    `SELECT query, calls::float8 AS calls, total_plan_time * 1000 / calls AS planned, mean_exec_time * 1000 AS executed
    FROM pg_stat_statements WHERE calls > 0 AND query NOT LIKE '%pg_stat_statements%' ORDER BY calls DESC, query`,
  );
  return rows.map(({ query, calls, planned, executed }) => ({
    kind: 'statement',
    what: touches(query),
    times: calls,
    each: `${planned.toFixed(0)} + ${executed.toFixed(0)} µs`,
  }));
}

/** What a statement does, in few words: the tables that it writes, or else those that it reads. */
function touches(query: string): string {
  const found = (pattern: RegExp) => [...query.matchAll(pattern)].map(([, verb = '', table]) => `${verb} ${table}`);
  const written = found(/\b(INSERT INTO|UPDATE|DELETE FROM) "?(\w+)/gi).filter(
    (words) => !/ (OF|SET|OR)$/i.test(words),
  );
  const read = found(/\b(FROM) "?(\w+)/gi);
  const words = [...new Set((written.length > 0 ? written : read).map((each) => each.toLowerCase()))];
  if (words.length > 0) return words.slice(0, 6).join(', ');
  return query.replace(/\s+/g, ' ').slice(0, 40);
}
