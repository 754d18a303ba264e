// Started once for the whole test run (vitest's globalSetup).
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '../../../src/adapters/postgres/embedded/embeddedPostgres.ts';
import { applyMigrations } from '../../../src/adapters/postgres/migrations.ts';
import { createPool } from '../../../src/adapters/postgres/pool.ts';
import { postgresEndsWithUs } from './embeddedPostgres.ts';
import { databaseUrl, templateName } from './postgres.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Of the run's server; its own database stays empty. */
    postgresUrl: string;
    /** Where it keeps them: in memory, where scripts/test.mjs finds enough, for a hundred files have one each. */
    databaseFolder: string;
  }
}

/** Starts the embedded server with a migrated database as the template for the test files. */
export default async function startPostgres(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(project.getProvidedContext().databaseFolder, 'postgres-'));
  const server = await startEmbeddedPostgres({
    dataDir,
    log: () => undefined,
    onExit: (reason) => console.error(`the PostgreSQL of the test run ended: ${reason}`),
  });
  const { forget } = postgresEndsWithUs(dataDir);
  await prepare(server.url);
  project.provide('postgresUrl', server.url);
  return async () => {
    await server.stop();
    forget();
    await rm(dataDir, { recursive: true, force: true });
  };
}

async function prepare(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  // Nothing here has to outlive the run.
  for (const setting of ['fsync', 'synchronous_commit', 'full_page_writes']) {
    await client.query(`ALTER SYSTEM SET ${setting} = off`);
  }
  await client.query('SELECT pg_reload_conf()');
  await client.query(`CREATE DATABASE ${templateName}`);
  await client.end();
  const pool = createPool({ url: databaseUrl(url, templateName), max: 1, applicationName: 'test template' });
  await applyMigrations(pool);
  await pool.end();
}
