/**
 * SQL that deletes rows of quarters of an hour that began before $1, $2 at most, and notes since when the rest is
 * known, so that no report takes it for all that there was. Company by company: their keys have the rows in order of
 * time, and no other index is needed.
 * @param key the columns of the primary key: company, time, and what else there is
 */
export function forgetFigures(table: string, key: readonly string[]): string {
  const columns = key.join(', ');
  const arrays = key.map((column) => `ARRAY (SELECT ${column} FROM old)`);
  const same = key.map((column) => `t.${column} = k.${column}`);
  return `WITH old AS MATERIALIZED (
    SELECT o.* FROM company c CROSS JOIN LATERAL (
      SELECT ${columns} FROM ${table} WHERE company_id = c.id AND at < $1 ORDER BY company_id, at LIMIT $2
    ) AS o LIMIT $2
  ), shortened AS (
    UPDATE report_reach r SET known_since = $1 FROM (SELECT DISTINCT company_id FROM old) AS k
    WHERE r.company_id = k.company_id AND (r.known_since IS NULL OR r.known_since < $1)
  )
  DELETE FROM ${table} t USING unnest(${arrays.join(', ')}) AS k (${columns}) WHERE ${same.join(' AND ')}
  RETURNING t.company_id`;
}
