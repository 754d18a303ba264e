import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFile,
  chmod,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  rename,
  rm,
  rmdir,
  stat,
  writeFile,
} from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { killWithParent } from '../../../../demo/cluster/orphans.ts';
import { DataDirLockedError, lockDataDir } from '../../../../src/adapters/postgres/embedded/dataDirLock.ts';
import { EmbeddedPostgresError } from '../../../../src/adapters/postgres/embedded/programs.ts';
import { cutLog } from '../../../../src/adapters/postgres/embedded/logFile.ts';
import { isAlive, readPostmaster } from '../../../../src/adapters/postgres/embedded/postmaster.ts';
import {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '../../../../src/adapters/postgres/embedded/embeddedPostgres.ts';
import { eventually } from '../../../support/time/waiting.ts';
import { postgresEndsWithUs } from '../../../support/stores/embeddedPostgres.ts';

describe('the embedded PostgreSQL', () => {
  /** Of a server that was used and stopped. */
  let usedDataDir: string;
  let folder: string;
  let dataDir: string;
  let servers: EmbeddedPostgres[];
  let gateways: ChildProcess[];
  let said: string[];
  /** What would be left behind if this process were killed. */
  let orphans: { forget: () => void }[];

  beforeAll(async () => {
    usedDataDir = await mkdtemp(join(tmpdir(), 'readyline-embedded-'));
    await (await startEmbeddedPostgres({ dataDir: usedDataDir, log: () => undefined })).stop();
  });
  afterAll(() => rm(usedDataDir, { recursive: true, force: true }));

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'readyline-embedded-'));
    // Started by root, PostgreSQL runs under another account, which has to get through.
    await chmod(folder, 0o711);
    dataDir = join(folder, 'data');
    // With owners and modes, which Node's own copy leaves behind.
    execFileSync('cp', ['-a', usedDataDir, dataDir]);
    servers = [];
    gateways = [];
    said = [];
    orphans = [];
  });
  afterEach(async () => {
    for (const gateway of gateways) gateway.kill('SIGKILL');
    await Promise.all(servers.map((server) => server.stop()));
    for (const orphan of orphans) orphan.forget();
    await rm(folder, { recursive: true, force: true });
  });

  async function start(onExit?: (reason: string) => void): Promise<EmbeddedPostgres> {
    const log = (line: string) => void said.push(line);
    const server = await startEmbeddedPostgres({ dataDir, log, ...(onExit && { onExit }) });
    servers.push(server);
    orphans.push(postgresEndsWithUs(dataDir));
    return server;
  }

  /** Another process that does what a gateway does with the data directory. Resolves when it has started. */
  async function startGatewayProcess(): Promise<ChildProcess> {
    const program = fileURLToPath(new URL('./gatewayProgram.ts', import.meta.url));
    const gateway = spawn(process.execPath, ['--import', 'tsx', program, dataDir], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    gateways.push(gateway);
    if (gateway.pid !== undefined) orphans.push(killWithParent(gateway.pid));
    await once(gateway.stdout, 'data');
    return gateway;
  }

  it('logs what went wrong, and nothing that anybody sent', async () => {
    const { url } = await start();
    await query(url, 'CREATE TABLE once (number text PRIMARY KEY)');
    const insert = "INSERT INTO once VALUES ('+15551230001')";
    await query(url, insert);
    await expect(query(url, insert)).rejects.toThrow('once_pkey');
    await eventually(async () =>
      expect(await readFile(join(dataDir, 'postgres.log'), 'utf8')).toContain(
        'duplicate key value violates unique constraint',
      ),
    );
    expect(await readFile(join(dataDir, 'postgres.log'), 'utf8')).not.toMatch(/15551230001|INSERT/);
  });

  it('begins a log anew that has grown too long, and keeps the one before', async () => {
    const { url } = await start();
    const log = join(dataDir, 'postgres.log');
    const fail = (name: string) => expect(query(url, `SELECT * FROM ${name}`)).rejects.toThrow(name);
    const says = (name: string) => eventually(async () => expect(await readFile(log, 'utf8')).toContain(name));
    await fail('first_fault');
    await says('first_fault');
    await cutLog(log, 1_000_000);
    await says('first_fault');
    await cutLog(log, 10);
    expect(await readFile(`${log}.1`, 'utf8')).toContain('first_fault');
    await fail('second_fault');
    await says('second_fault');
    // As long as what was written since, without a hole before it.
    expect(await readFile(log, 'utf8')).not.toMatch(/first_fault|\0/);
  });

  it('makes a database on the first start and keeps it over a restart', async () => {
    dataDir = join(folder, 'not', 'there', 'yet');
    const first = await start();
    await query(first.url, 'CREATE TABLE kept (n int); INSERT INTO kept VALUES (7)');
    await first.stop();
    const second = await start();
    expect(await query(second.url, 'SELECT n FROM kept')).toEqual([{ n: 7 }]);
    expect(said).toEqual([`made a new database in ${join(dataDir, 'postgres')}`]);
  });

  it('is a durable PostgreSQL 18 that checks its pages', async () => {
    const { url } = await start();
    const settings = `SELECT current_setting('server_version_num')::int / 10000 AS version,
      current_setting('fsync') AS fsync,
      current_setting('data_checksums') AS checksums, current_setting('server_encoding') AS encoding`;
    expect(await query(url, settings)).toEqual([{ version: 18, fsync: 'on', checksums: 'on', encoding: 'UTF8' }]);
  });

  it('listens on no TCP port and lets nobody in without the password', async () => {
    const { url } = await start();
    expect(await query(url, 'SHOW listen_addresses')).toEqual([{ listen_addresses: '' }]);
    const wrong = new URL(url);
    wrong.password = 'wrong';
    await expect(query(wrong.href, 'SELECT 1')).rejects.toThrow('password authentication failed');
    const { mode } = await stat(new URL(url).searchParams.get('host') ?? '');
    expect(mode & 0o777).toBe(0o700);
    expect((await stat(join(dataDir, 'postgres', 'readyline.password'))).mode & 0o777).toBe(0o600);
  });

  it('works where the path of the data directory is too long for a socket', async () => {
    const deep = join(folder, 'a'.repeat(60), 'b'.repeat(60));
    await mkdir(deep, { recursive: true });
    await rename(dataDir, join(deep, 'it’s, "my" data'));
    dataDir = join(deep, 'it’s, "my" data');
    const { url } = await start();
    expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await expect(start()).rejects.toThrow(DataDirLockedError);
    await servers[0]?.stop();
    const sockets = new URL(url).searchParams.get('host') ?? '';
    for (const directory of [sockets, sockets.replace(/socket$/, 'lock')]) await rmdir(directory);
  });

  it('takes over the server that outlived a killed gateway, with all that was committed', async () => {
    const gateway = await startGatewayProcess();
    const { pid } = postmaster();
    gateway.kill('SIGKILL');
    await once(gateway, 'exit');
    const server = await start();
    expect(postmaster().pid).toBe(pid);
    expect(said).toEqual([`took over the PostgreSQL server left behind by an earlier gateway (process ${pid})`]);
    expect(await query(server.url, 'SELECT note FROM gateway_was_here')).toEqual([{ note: 'committed' }]);
    await server.stop();
    expect(isAlive(pid)).toBe(false);
  });

  it('starts anew when gateway and server were killed alike', async () => {
    const gateway = await startGatewayProcess();
    gateway.kill('SIGKILL');
    process.kill(postmaster().pid, 'SIGKILL');
    const server = await start();
    expect(await query(server.url, 'SELECT note FROM gateway_was_here')).toEqual([{ note: 'committed' }]);
  });

  it('leaves a stranger alone whose process id a stale postmaster.pid names', async () => {
    const server = await start();
    await server.stop();
    const stranger = spawn('sleep', ['60']);
    gateways.push(stranger);
    const stale = [stranger.pid, join(dataDir, 'postgres'), 1, 5432, dataDir, '', '', 'ready'].join('\n');
    await writeFile(join(dataDir, 'postgres', 'postmaster.pid'), `${stale}\n`);
    const next = await start();
    expect(await query(next.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(stranger.exitCode ?? stranger.signalCode).toBeNull();
  });

  it('makes the database anew when making it was cut short', async () => {
    dataDir = join(folder, 'torn');
    await mkdir(join(dataDir, 'postgres.new'), { recursive: true });
    await writeFile(join(dataDir, 'postgres.new', 'PG_VERSION'), '18\n');
    await writeFile(join(dataDir, 'postgres.new.password'), 'half');
    const { url } = await start();
    expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('tells when the server dies, and only then', async () => {
    let reasons = 0;
    const died = new Promise<string>((resolve) => {
      void start((reason) => {
        reasons += 1;
        resolve(reason);
      }).then(() => process.kill(postmaster().pid, 'SIGKILL'));
    });
    expect(await died).toBe('SIGKILL');
    await servers[0]?.stop();
    await start(() => (reasons += 1));
    await servers[1]?.stop();
    expect(reasons).toBe(1);
  });

  it('tells when a server dies that it had taken over', async () => {
    const gateway = await startGatewayProcess();
    gateway.kill('SIGKILL');
    await once(gateway, 'exit');
    const died = new Promise<string>(
      (resolve) => void start(resolve).then(() => process.kill(postmaster().pid, 'SIGKILL')),
    );
    expect(await died).toBe('it is gone');
  });

  it('outlives the signal that a terminal sends to everything in its foreground', async () => {
    const gateway = await startGatewayProcess();
    const { pid } = postmaster();
    const processGroup = Number((await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ')[2]);
    expect(processGroup).toBe(pid);
    gateway.kill('SIGINT');
    expect(await once(gateway, 'exit')).toEqual([0, null]);
    expect(isAlive(pid)).toBe(false);
  });

  it('is ended before it takes connections, where the start is to end, and leaves nothing behind', async () => {
    // A recovery that waits for its log for good.
    await appendFile(join(dataDir, 'postgres/postgresql.auto.conf'), "restore_command = 'sleep 1000'\n");
    await writeFile(join(dataDir, 'postgres/recovery.signal'), '');
    const ending = new AbortController();
    const reason = new Error('it is to end');
    const starting = startEmbeddedPostgres({ dataDir, log: () => undefined, signal: ending.signal });
    const { pid } = await eventually(() => readPostmaster(join(dataDir, 'postgres')) ?? false);
    orphans.push(postgresEndsWithUs(dataDir));
    ending.abort(reason);
    await expect(starting).rejects.toBe(reason);
    expect(isAlive(pid)).toBe(false);
    await (await lockDataDir(dataDir)).release();
  });

  it('may be stopped by several callers', async () => {
    const server = await start();
    await Promise.all([server.stop(), server.stop()]);
    await server.stop();
  });

  it('keeps the environment of the gateway from the server', async () => {
    const gateway = await startGatewayProcess();
    const environment = await readFile(`/proc/${postmaster().pid}/environ`, 'utf8');
    expect(environment.split('\0').map((line) => line.split('=')[0])).not.toContain('HOME');
    expect(gateway.exitCode).toBeNull();
  });

  it('says what to do when PostgreSQL cannot work here', async () => {
    dataDir = join(folder, 'foreign');
    await mkdir(join(dataDir, 'postgres'), { recursive: true });
    const failure = start();
    await expect(failure).rejects.toThrow(EmbeddedPostgresError);
    await expect(failure).rejects.toThrow(/Set DATABASE_URL to use a PostgreSQL server of your own\.$/);
    await (await lockDataDir(dataDir)).release();
  });

  function postmaster() {
    const found = readPostmaster(join(dataDir, 'postgres'));
    if (!found) throw new Error('no server runs');
    return found;
  }
});

describe('the lock on the data directory', () => {
  let dataDir: string;

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'readyline-lock-'));
  });
  afterEach(() => rm(dataDir, { recursive: true, force: true }));

  it('refuses a second gateway in one line that names the directory and the process', async () => {
    const lock = await lockDataDir(dataDir);
    await expect(lockDataDir(dataDir)).rejects.toThrow(new DataDirLockedError(dataDir, process.pid));
    expect(new DataDirLockedError('/data', 42).message).toBe(
      'another gateway (process 42) already uses the data directory /data; stop it or set another DATA_DIR',
    );
    await lock.release();
    await lock.release();
    await (await lockDataDir(dataDir)).release();
  });

  it('takes the place of a gateway that died', async () => {
    const lockFile = new URL('../../../../src/adapters/postgres/embedded/dataDirLock.ts', import.meta.url);
    const program = `
      import { lockDataDir } from ${JSON.stringify(lockFile.href)};
      await lockDataDir(process.argv[1]);
      console.log('locked');
      setInterval(() => undefined, 1000);`;
    const args = ['--import', 'tsx', '--input-type=module', '--eval', program, dataDir];
    const holder = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(holder.stdout, 'data');
    holder.kill('SIGSTOP');
    await expect(lockDataDir(dataDir)).rejects.toThrow(`(process ${holder.pid})`);
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    await (await lockDataDir(dataDir)).release();
  });

  it('never lets two in, however many come at once', async () => {
    for (let round = 0; round < 10; round += 1) {
      const results = await Promise.allSettled(Array.from({ length: 5 }, () => lockDataDir(dataDir)));
      const holders = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
      expect(holders.length).toBeLessThanOrEqual(1);
      for (const result of results) {
        if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(DataDirLockedError);
      }
      await Promise.all(holders.map((holder) => holder.release()));
    }
    await (await lockDataDir(dataDir)).release();
  });

  it('does not hang on to whoever knocks', async () => {
    const lock = await lockDataDir(dataDir);
    const [name = ''] = await readdir(join(dataDir, 'lock'));
    await once(connect(join(dataDir, 'lock', name)), 'close');
    await lock.release();
  });
});

async function query(url: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}
