// npm run migration:new -- <name>: writes prisma/migrations/<UTC time>_<name>/ with what schema.prisma has that the
// migrations lack, found in a scratch database of the embedded PostgreSQL.
import './nodeVersion.mjs';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureInstalled } from './install.mjs';
import { fromRoot, say } from './project.mjs';

const [name] = process.argv.slice(2);
if (!name || !/^[a-z][a-z0-9_]*$/.test(name)) {
  console.error('usage: npm run migration:new -- <name>   (lower-case letters, digits and _)');
  process.exit(1);
}
ensureInstalled();
const sql = await withScratchDatabase(async (pool) => {
  const { diffSchema } = await import('./schemaDiff.mjs');
  return diffSchema(pool);
});
if (sql === null) {
  say('the migrations add up to schema.prisma already; nothing to write');
} else {
  const time = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
  const folder = fromRoot(`prisma/migrations/${time}_${name}`);
  mkdirSync(folder);
  writeFileSync(join(folder, 'migration.sql'), sql);
  writeFileSync(
    fromRoot('prisma/migrations/migration_lock.toml'),
    '# Which database the migrations are for. Prisma refuses to mix.\nprovider = "postgresql"\n',
  );
  say(`wrote ${join(folder, 'migration.sql')}; read it before you commit it`);
}

/**
 * @template T
 * @param {(pool: import('pg').Pool) => Promise<T>} work on a database to which all migrations were applied
 * @returns {Promise<T>}
 */
async function withScratchDatabase(work) {
  const { register } = await import('tsx/esm/api');
  register();
  const { startEmbeddedPostgres } = await import('../src/adapters/postgres/embedded/embeddedPostgres.ts');
  const { applyMigrations } = await import('../src/adapters/postgres/migrations.ts');
  const { createPool } = await import('../src/adapters/postgres/pool.ts');
  const dataDir = mkdtempSync(join(tmpdir(), 'readyline-migration-'));
  const server = await startEmbeddedPostgres({ dataDir, log: () => undefined });
  const pool = createPool({ url: server.url, max: 2, applicationName: 'migration:new' });
  try {
    mkdirSync(fromRoot('prisma/migrations'), { recursive: true });
    await applyMigrations(pool);
    return await work(pool);
  } finally {
    await pool.end();
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
