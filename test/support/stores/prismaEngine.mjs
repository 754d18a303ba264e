#!/usr/bin/env node
// Stands in for the schema engine that Prisma's command line downloads: the same engine from npm, spoken to
// as that program is.
import { createInterface } from 'node:readline';
import pg from 'pg';
import { openSchemaEngine } from '../../../scripts/schemaDiff.mjs';

const { url } = JSON.parse(process.argv[process.argv.indexOf('--datasource') + 1] ?? '{}');
const pool = new pg.Pool({ connectionString: url, max: 1 });
if (process.argv.includes('cli')) {
  // can-connect-to-database, create-database
  await pool.query('SELECT');
} else {
  const engine = await openSchemaEngine(pool);
  for await (const line of createInterface({ input: process.stdin })) {
    const { id, method, params } = JSON.parse(line);
    const command = /** @type {(input: object) => Promise<unknown>} */ (Reflect.get(engine, method));
    const answer = await command.call(engine, params).then(
      (result) => ({ result: result ?? null }),
      (/** @type {unknown} */ error) => ({
        error: { code: 4466, message: String(error), data: { message: String(error) } },
      }),
    );
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`);
  }
}
await pool.end();
