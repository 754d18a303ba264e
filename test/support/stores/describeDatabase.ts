import type { Pool } from 'pg';

/** Of the schema public; what an extension brought is the extension's. The columns of a table are in no order. */
const statement = `
WITH own AS (SELECT * FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relname NOT LIKE '\\_prisma%'),
  brought AS (SELECT objid FROM pg_depend WHERE deptype = 'e')
SELECT line FROM (
  SELECT format('relation %s %s %s %s %s %s comment %s rights %s', relname, relkind, relpersistence, relrowsecurity,
    relreplident, reloptions,
    obj_description(oid, 'pg_class'), relacl) FROM own
  UNION ALL SELECT format('column %s.%s %s not null %s default %s identity %s generated %s collation %s storage %s '
      'statistics %s options %s comment %s rights %s',
    c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, pg_get_expr(d.adbin, d.adrelid),
    a.attidentity, a.attgenerated,
    a.attcollation::regcollation, a.attstorage, a.attstattarget, a.attoptions,
    col_description(c.oid, a.attnum), a.attacl)
    FROM own c JOIN pg_attribute a ON a.attrelid = c.oid LEFT JOIN pg_attrdef d ON d.adrelid = c.oid
      AND d.adnum = a.attnum
    WHERE a.attnum > 0 AND NOT a.attisdropped AND c.relkind <> 'i'
  UNION ALL SELECT format('index %s valid %s clustered %s replica %s statistics %s', pg_get_indexdef(i.indexrelid),
    i.indisvalid, i.indisclustered, i.indisreplident,
    ARRAY(SELECT attstattarget FROM pg_attribute WHERE attrelid = c.oid ORDER BY attnum))
      FROM own c JOIN pg_index i ON i.indexrelid = c.oid
  UNION ALL SELECT format('constraint %s.%s %s deferrable %s %s validated %s comment %s', c.relname, o.conname,
    pg_get_constraintdef(o.oid), o.condeferrable,
    o.condeferred, o.convalidated, obj_description(o.oid, 'pg_constraint'))
      FROM pg_constraint o JOIN own c ON c.oid = o.conrelid
  UNION ALL SELECT format('trigger %s enabled %s comment %s', pg_get_triggerdef(t.oid), t.tgenabled,
    obj_description(t.oid, 'pg_trigger'))
    FROM pg_trigger t JOIN own c ON c.oid = t.tgrelid WHERE NOT t.tgisinternal
  UNION ALL SELECT format('function %s comment %s rights %s', pg_get_functiondef(oid),
    obj_description(oid, 'pg_proc'), proacl)
    FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND oid NOT IN (SELECT objid FROM brought)
  UNION ALL SELECT format('type %s %s', typname, typtype)
    FROM pg_type WHERE typnamespace = 'public'::regnamespace AND typtype NOT IN ('b', 'c')
      AND oid NOT IN (SELECT objid FROM brought)
  UNION ALL SELECT format('rule %s', pg_get_ruledef(r.oid)) FROM pg_rewrite r JOIN own c ON c.oid = r.ev_class
  UNION ALL SELECT format('policy %s', polname) FROM pg_policy
  UNION ALL SELECT format('statistics %s', pg_get_statisticsobjdef(oid)) FROM pg_statistic_ext
  UNION ALL SELECT format('event trigger %s', evtname) FROM pg_event_trigger
  UNION ALL SELECT format('extension %s in %s', extname, extnamespace::regnamespace) FROM pg_extension
  UNION ALL SELECT format('schema %s %s', nspname, nspacl) FROM pg_namespace WHERE nspname NOT LIKE 'pg\\_%'
  UNION ALL SELECT format('setting %s', setconfig) FROM pg_db_role_setting
  WHERE setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database())
  UNION ALL SELECT format('rows of %s', relname) FROM own
    WHERE relkind IN ('r', 'p') AND query_to_xml(format('SELECT FROM public.%I LIMIT 1', relname), true, false,
      '')::text LIKE '%<row%'
) AS described (line) ORDER BY line COLLATE "C"`;

/**
 * All that a database has of the gateway's, down to its settings and comments: a line for each thing,
 * in the same order whatever made it.
 */
export async function describeDatabase(pool: Pool): Promise<string[]> {
  return (await pool.query<{ line: string }>(statement)).rows.map(({ line }) => line);
}
