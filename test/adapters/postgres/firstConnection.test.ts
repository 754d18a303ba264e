import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../../demo/cluster/freePort.ts';
import { startProgram } from '../../../demo/cluster/program.ts';
import { openCluster } from '../../../src/adapters/postgres/embedded/cluster.ts';
import { commandAs, findBinaries } from '../../../src/adapters/postgres/embedded/programs.ts';
import { checkServer, DatabaseRefusedError } from '../../../src/adapters/postgres/firstConnection.ts';
import { createPool } from '../../../src/adapters/postgres/pool.ts';
import { createDatabase, type TestDatabase } from '../../support/stores/postgres.ts';
import { startPooler, type Pooler } from '../../support/stores/pooler.ts';

describe('the first connection', () => {
  let database: TestDatabase;
  let pooler: Pooler;

  beforeAll(async () => {
    database = await createDatabase({ empty: true });
    pooler = await startPooler(database.url);
  });
  afterAll(async () => {
    await pooler.close();
    await database.drop();
  });

  /** Null: it may work there. */
  const refusalOf = async (url: string): Promise<string | null> => {
    const pool = createPool({ url, max: 2, applicationName: 'first connection test' });
    try {
      return await checkServer(pool).then(
        () => null,
        (error: unknown) => (error instanceof DatabaseRefusedError ? error.message : String(error)),
      );
    } finally {
      await pool.end();
    }
  };

  it('comes through PgBouncer in session mode, which takes hardly any parameter to begin with', async () => {
    expect([await refusalOf(pooler.url), pooler.refused]).toEqual([null, []]);
  });

  it('names the parameter that PgBouncer does not take, and where it comes from', async () => {
    expect(await refusalOf(`${pooler.url}?options=-c%20work_mem%3D8MB`)).toMatch(
      /^PgBouncer takes no options when .+ out of the URL and of PGOPTIONS, or .+ ignore_startup_parameters$/,
    );
    expect(await refusalOf(`${pooler.url}?statement_timeout=1000`)).toMatch(/^PgBouncer takes no statement_timeout /);
  });

  it('says what is wrong with TLS, a password that is missing and an address where nobody is', async () => {
    expect(await refusalOf(`${pooler.url}?sslmode=require`)).toBe(
      'the server does not speak TLS, which sslmode in the URL or PGSSLMODE asks for',
    );
    const withoutPassword = new URL(pooler.url);
    withoutPassword.password = '';
    expect(await refusalOf(withoutPassword.href)).toBe('the server asks for a password, and the URL has none');
    const port = await freePort();
    expect(await refusalOf(`postgresql://user:hush@127.0.0.1:${port}/x`)).toBe(
      `connect ECONNREFUSED 127.0.0.1:${port}`,
    );
  });

  it('finds out that a pooler gives one session to two connections', async () => {
    const pool = createPool({ url: database.url, max: 1, applicationName: 'first connection test' });
    const session = await pool.connect();
    const shared = { query: session.query.bind(session), release: () => undefined };
    await expect(checkServer({ connect: async () => shared } as unknown as Pool)).rejects.toThrow(
      'a pooler in transaction mode',
    );
    session.release();
    await pool.end();
  });

  it('is refused at a standby, which would take no change', { tags: 'full' }, async () => {
    const dataDir = await realpath(await mkdtemp(join(tmpdir(), 'readyline-standby-')));
    const binaries = findBinaries();
    const { directory, owner, password } = await openCluster(dataDir, binaries, () => undefined);
    await writeFile(join(directory, 'standby.signal'), '');
    const port = await freePort();
    const settings = {
      listen_addresses: '127.0.0.1',
      port: String(port),
      unix_socket_directories: '',
      log_min_messages: 'log',
    };
    const { file, args, options } = commandAs(owner, binaries.postgres, [
      '-D',
      directory,
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ]);
    const server = startProgram(file, args, options);
    try {
      await server.says(/ready to accept read-only connections/);
      expect(await refusalOf(`postgresql://readyline:${password}@127.0.0.1:${port}/postgres`)).toBe(
        'the server is a standby, which takes no changes: name the primary',
      );
    } finally {
      await server.stop('SIGINT');
      await rm(dataDir, { recursive: true, force: true });
    }
  });
});
