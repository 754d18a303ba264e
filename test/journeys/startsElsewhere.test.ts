import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import pg from 'pg';
import supertest from 'supertest';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { GatewayProcess } from '../../demo/cluster/gatewayProcess.ts';
import { startRedisServer } from '../../demo/cluster/redisServer.ts';
import { postgresOf, spawnGateway } from '../support/gateway/gatewayProcess.ts';
import { giveOtherDefaults } from '../support/stores/otherDefaults.ts';
import { createDatabase } from '../support/stores/postgres.ts';
import { startPooler } from '../support/stores/pooler.ts';
import { eventually } from '../support/time/waiting.ts';

const secrets = { JWT_SECRET: 's'.repeat(32), ENCRYPTION_KEY: 'ab'.repeat(32) };
const bootstrap = {
  BOOTSTRAP_COMPANY: 'Acme',
  BOOTSTRAP_ADMIN_EMAIL: 'chef@acme.example',
  BOOTSTRAP_ADMIN_PASSWORD: 'a password that is long',
};

describe('a gateway that is started', () => {
  let dataDir: string;
  let started: GatewayProcess[];
  let cleanUps: (() => Promise<unknown>)[];

  beforeEach(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'readyline-elsewhere-'));
    // Started by root, PostgreSQL runs under another account, which must be able to pass.
    await chmod(folder, 0o711);
    dataDir = join(folder, 'data');
    started = [];
    cleanUps = [() => rm(folder, { recursive: true, force: true })];
  });
  afterEach(async () => {
    await Promise.all(started.map((one) => one.stop()));
    for (const cleanUp of cleanUps.toReversed()) await cleanUp();
  });

  const start = async (env: Record<string, string>) => {
    const gateway = await spawnGateway(dataDir, { env: { ...bootstrap, ...env } });
    started.push(gateway);
    return gateway;
  };
  const openDatabase = async () => {
    const database = await createDatabase({ empty: true });
    cleanUps.push(() => database.drop());
    return database.url;
  };
  const refusal = async (env: Record<string, string>) => {
    const { code, stdout, stderr } = await (await start({ ...secrets, LOG_LEVEL: 'silent', ...env })).ended;
    expect([code, stdout]).toEqual([1, '']);
    return stderr;
  };
  /** A gateway with all its parts, which a change of its data goes through. */
  const works = async (gateway: GatewayProcess, since: Date) => {
    const api = supertest(await gateway.url());
    await eventually(async () => (await api.get('/api/health')).status === 200);
    const { body: login } = await api
      .post('/api/auth/login')
      .send({ email: bootstrap.BOOTSTRAP_ADMIN_EMAIL, password: bootstrap.BOOTSTRAP_ADMIN_PASSWORD })
      .expect(200);
    const authorization = { authorization: `Bearer ${login.token}` };
    const { body: contact } = await api
      .post('/api/crm/contacts')
      .set(authorization)
      .send({ phones: [{ phone_number: '+15551230001' }], name: 'Grace Hopper' })
      .expect(201);
    const { body: found } = await api.get('/api/crm/search?q=opper').set(authorization).expect(200);
    expect(found.contacts).toMatchObject([{ id: contact.id }]);
    const { body: listed } = await api.get('/api/crm/contacts').set(authorization).expect(200);
    expect(listed.contacts).toMatchObject([{ id: contact.id, created_at: contact.created_at }]);
    // A time zone is off by an hour or more, and nothing here takes that long.
    const age = Math.abs(new Date(contact.created_at as string).getTime() - since.getTime());
    expect(age).toBeLessThan(30 * 60_000);
  };

  it('in a shell for other PostgreSQL servers uses its own as ever', async () => {
    const shell = {
      PGHOST: 'db.example.com',
      PGPORT: '1',
      PGUSER: 'somebody',
      PGPASSWORD: 'hush',
      PGDATABASE: 'theirs',
      PGOPTIONS: '-c nosuch=1',
      PGAPPNAME: 'theirs',
      PGSSLMODE: 'require',
      PGSSLNEGOTIATION: 'direct',
      PGREPLICATION: 'database',
      PGCLIENT_ENCODING: 'LATIN1',
      PGTZ: 'Asia/Tokyo',
      PGDATESTYLE: 'German',
      PGCONNECT_TIMEOUT: '1',
      PGBINARY: '1',
      PGPASSFILE: '/nowhere',
      PGSERVICE: 'theirs',
      PGTARGETSESSIONATTRS: 'read-only',
    };
    await works(await start(shell), new Date());
  });

  it('on a database with other defaults behind PgBouncer, and as a user of Redis with the rights that it names, works in all its parts', async () => {
    const databaseUrl = await openDatabase();
    await giveOtherDefaults(databaseUrl);
    const pooler = await startPooler(databaseUrl);
    cleanUps.push(() => pooler.close());
    const redis = await startRedisServer();
    cleanUps.push(() => redis.stop());
    const admin = new Redis(redis.url);
    cleanUps.push(async () => admin.disconnect());
    // The defaults of Redis 7: no channels.
    await admin.call('ACL', 'SETUSER', 'app', 'on', '>hush', '~*', '+@all', 'resetchannels');
    const env = { ...secrets, DATABASE_URL: pooler.url, REDIS_URL: redis.url.replace('//', '//app:hush@') };

    const refused = await refusal(env);
    expect(refused).toMatch(
      /^Readyline cannot start: Redis [\d.]+ at 127\.0\.0\.1:\d+ does not let the user app run SPUBLISH, SSUBSCRIBE .+\n$/,
    );
    expect(refused).not.toContain('hush');
    const [, line = ''] = /ACL SETUSER (.+)\n$/.exec(refused) ?? [];
    await admin.call('ACL', 'SETUSER', 'app', 'resetkeys', '-@all');
    await admin.call('ACL', 'SETUSER', ...line.split(' '));

    const gateway = await start({ ...env, LOG_LEVEL: 'warn', DRAIN_SECONDS: '0' });
    await works(gateway, new Date());
    const sql = new pg.Client({ connectionString: databaseUrl });
    await sql.connect();
    await eventually(async () => {
      const { rows } = await sql.query(
        `SELECT query FROM pg_stat_activity WHERE datname = current_database()
          AND application_name = 'readyline notifications'`,
      );
      return rows.length === 1 && String(rows[0]?.query).startsWith('SELECT pg_notify');
    });
    await sql.end();
    expect(gateway.stdout).not.toMatch(/not heard|NOPERM/);
    expect(pooler.refused).toEqual([]);
    expect((await gateway.kill('SIGTERM')).code).toBe(0);
  });

  it('is refused in one line by a Redis that lacks a command, a foreign database and a URL with a schema, and leaves all as it was', async () => {
    const databaseUrl = await openDatabase();
    const sql = new pg.Client({ connectionString: databaseUrl });
    await sql.connect();
    await sql.query('CREATE TABLE call (n int)');
    const redis = await startRedisServer({ settings: { 'rename-command': 'SSUBSCRIBE ""' } });
    cleanUps.push(() => redis.stop());
    const lines = await Promise.all([
      refusal({ REDIS_URL: redis.url }),
      refusal({ DATABASE_URL: databaseUrl }),
      refusal({ DATABASE_URL: `${databaseUrl}&schema=readyline` }),
    ]);
    expect(lines).toEqual([
      expect.stringMatching(
        /^Readyline cannot start: Redis [\d.]+ at \S+ does not know SSUBSCRIBE: .*Redis 7\.0 or later.*\n$/,
      ),
      expect.stringMatching(/^Readyline cannot start: the schema public already has call, .*\n$/),
      expect.stringMatching(/^Readyline cannot start: DATABASE_URL must name no schema .*\n$/),
    ]);
    expect((await sql.query("SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace")).rows).toEqual([
      { relname: 'call' },
    ]);
    await sql.end();
    expect(postgresOf(dataDir)).toBeNull();
  });

  it('ends when it is asked to, whatever it waits for: a Redis that says nothing, the migrations of another gateway', async () => {
    const databaseUrl = await openDatabase();
    const other = new pg.Client({ connectionString: databaseUrl });
    await other.connect();
    await other.query('SELECT pg_advisory_lock(72707369)');
    const silent = createServer();
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    cleanUps.push(async () => void silent.close());
    const reached = once(silent, 'connection');
    const isStopped = { code: 0, stdout: '', stderr: '' };

    const waitsForRedis = await start({
      ...secrets,
      LOG_LEVEL: 'silent',
      REDIS_URL: `redis://127.0.0.1:${(silent.address() as AddressInfo).port}`,
    });
    const [socket] = await reached;
    expect(await waitsForRedis.kill('SIGTERM')).toMatchObject(isStopped);
    expect(postgresOf(dataDir)).toBeNull();
    socket.destroy();

    const waitsForTurn = await start({ ...secrets, LOG_LEVEL: 'silent', DATABASE_URL: databaseUrl });
    await eventually(
      async () =>
        (
          await other.query(
            `SELECT FROM pg_stat_activity WHERE datname = current_database()
              AND query LIKE 'SELECT pg_try_advisory_lock%'`,
          )
        ).rowCount === 1,
    );
    expect(await waitsForTurn.kill('SIGTERM')).toMatchObject(isStopped);
    await other.end();
  });
});
