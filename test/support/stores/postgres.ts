import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

/** A database of a test file's own. */
export type TestDatabase = {
  url: string;
  /** Fails when somebody is still connected: whoever opened a pool has to end it first. */
  drop: () => Promise<void>;
};

/** The migrated database that the others are copies of. */
export const templateName = 'readyline_template';

/** A fresh database with every migration applied; `{empty: true}`: without. */
export async function createDatabase({ empty = false } = {}): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await administer(`CREATE DATABASE ${name} TEMPLATE ${empty ? 'template0' : templateName}`);
  return {
    url: databaseUrl(inject('postgresUrl'), name),
    drop: () => administer(`DROP DATABASE ${name}`),
  };
}

/** The same server, another database. */
export function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = name;
  return url.href;
}

async function administer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject('postgresUrl') });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
