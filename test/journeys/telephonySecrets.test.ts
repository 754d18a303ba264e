import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { App } from '../../src/app.ts';
import { Gateway, startGateway, type TestAgent, type TestCompany } from '../support/gateway/gateway.ts';
import { spawnGateway } from '../support/gateway/gatewayProcess.ts';
import { createDatabase, type TestDatabase } from '../support/stores/postgres.ts';
import { connectedSoftphone, patchAgent, pbx, putTelephony, telephonyOf } from '../support/gateway/telephony.ts';

const secret = 'the secret of the PBX';
const turn = { urls: ['turn:turn.example.com:3478'], username: 'readyline' };
const credential = 'the credential of TURN';
const relay = { urls: ['turn:relay.example.com'], secret: 'the shared secret of TURN' };

describe('the secrets of telephones', () => {
  const secrets = { jwtSecret: randomBytes(32), encryptionKey: randomBytes(32) };
  let database: TestDatabase;
  let sql: pg.Pool;
  let gateway: Gateway;
  let company: TestCompany;
  let agent: TestAgent;
  let colleague: TestAgent;
  /** What the operator was told, with the company it is about. */
  const problems: { message: string; company: unknown }[] = [];

  const start = (encryptionKey: Buffer) =>
    startGateway('memory', {
      config: { ...secrets, encryptionKey, databaseUrl: database.url },
      wrap: (services) => {
        const problem = (message: string, _: unknown, fields?: Record<string, unknown>) =>
          void problems.push({ message, company: fields?.['company_id'] });
        return { ...services, observer: { ...services.observer, problem } };
      },
    });

  beforeAll(async () => {
    database = await createDatabase();
    sql = new pg.Pool({ connectionString: database.url, max: 1 });
    gateway = await start(secrets.encryptionKey);
    company = await gateway.company({ slug: 'secrets', agents: 2 });
    const [one, other] = company.agents;
    if (one === undefined || other === undefined) throw new Error('the company has two agents');
    [agent, colleague] = [one, other];
    await putTelephony(gateway, company, { ...pbx, ice_servers: [{ ...turn, credential }, relay] }).expect(200);
    await patchAgent(gateway, company, agent, { sip_user: '1001', sip_secret: secret }).expect(200);
    await patchAgent(gateway, company, colleague, { sip_user: '1002', sip_secret: 'another secret' }).expect(200);
  });
  afterEach(() => void problems.splice(0));
  afterAll(async () => {
    await sql.end();
    await gateway.close();
    await database.drop();
  });

  const settingsOf = async (of: TestAgent) => telephonyOf(await connectedSoftphone(gateway, of));
  const noAccount = { mode: 'none', why: 'no_account' };
  const reported = { message: 'an agent cannot telephone: a stored secret does not open', company: expect.any(String) };

  it('lie sealed in the database, and nowhere in clear', async () => {
    const { rows } = await sql.query('SELECT * FROM agent WHERE id = $1', [agent.id]);
    expect(rows).toMatchObject([{ sip_user: '1001', sip_secret_encrypted: expect.stringMatching(/^v1\./) }]);
    const { rows: telephony } = await sql.query('SELECT * FROM telephony');
    expect(telephony).toMatchObject([{ ice_servers_encrypted: expect.stringMatching(/^v1\./) }]);
    for (const { tablename } of (await sql.query("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")).rows) {
      const { rows: all } = await sql.query(`SELECT t::text AS line FROM "${tablename}" t`);
      expect(JSON.stringify(all)).not.toMatch(/secret of the PBX|(credential|secret) of TURN|another secret/);
    }
  });

  it('do not open for another agent of the company, nor for another company', async () => {
    const own = 'SELECT sip_secret_encrypted AS sealed FROM agent WHERE id = $1';
    const [{ sealed }] = (await sql.query(own, [colleague.id])).rows;
    await sql.query(
      'UPDATE agent SET sip_secret_encrypted = (SELECT sip_secret_encrypted FROM agent WHERE id = $2) WHERE id = $1',
      [colleague.id, agent.id],
    );
    expect(await settingsOf(colleague)).toEqual(noAccount);
    expect(problems).toEqual([reported]);
    await sql.query('UPDATE agent SET sip_secret_encrypted = $2 WHERE id = $1', [colleague.id, sealed]);
    expect(await settingsOf(colleague)).toMatchObject({ user: '1002', secret: 'another secret' });

    const other = await gateway.company({ slug: 'thieves', agents: 1 });
    const [thief] = other.agents;
    if (thief === undefined) throw new Error('the company has an agent');
    await putTelephony(gateway, other, pbx).expect(200);
    await patchAgent(gateway, other, thief, { sip_user: '1', sip_secret: 'own' }).expect(200);
    await sql.query(
      `UPDATE telephony SET ice_servers_encrypted = (SELECT ice_servers_encrypted FROM telephony WHERE company_id = $2)
        WHERE company_id = $1`,
      [other.id, company.id],
    );
    expect(await settingsOf(thief)).toEqual(noAccount);
  });

  it('are as good as not set where ENCRYPTION_KEY is lost, until they are entered again', async () => {
    await gateway.close();
    gateway = await start(randomBytes(32));
    expect(await settingsOf(agent)).toEqual(noAccount);
    expect(problems).toEqual([{ ...reported, company: company.id }]);
    const seen = await gateway.as(company).get('/api/telephony').expect(200);
    expect(seen.body).toMatchObject({ ...pbx, ice_servers: [] });
    expect(problems.at(-1)).toEqual({ message: 'the stored ICE servers do not open', company: company.id });

    await patchAgent(gateway, company, agent, { sip_secret: 'a new secret' }).expect(200);
    // The TURN credential is lost too: without it calls might have no sound.
    expect(await settingsOf(agent)).toEqual(noAccount);
    await putTelephony(gateway, company, { ice_servers: [turn] }).expect(400);
    await putTelephony(gateway, company, { ice_servers: [{ ...turn, credential: 'a new one' }] }).expect(200);
    expect(await settingsOf(agent)).toMatchObject({
      ...{ mode: 'sip', user: '1001', secret: 'a new secret' },
      ice_servers: [{ ...turn, credential: 'a new one' }],
    });
  });
});

describe('the log of a gateway that writes all it can', () => {
  it('holds no secret of a telephone, whatever became of the request', async () => {
    const [database, directory] = await Promise.all([
      createDatabase(),
      mkdtemp(join(tmpdir(), 'readyline-telephony-')),
    ]);
    const env = {
      LOG_LEVEL: 'trace',
      DATABASE_URL: database.url,
      JWT_SECRET: randomBytes(32).toString('base64'),
      ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    };
    const running = await spawnGateway(directory, { env });
    onTestFinished(async () => {
      await running.stop();
      await Promise.all([database.drop(), rm(directory, { recursive: true, force: true })]);
    });
    const app: App = {
      demo: null,
      hasEarlierDemo: false,
      listen: () => Promise.reject(new Error('the gateway listens already')),
      close: async () => void (await running.stop()),
    };
    const gateway = new Gateway(app, await running.url(), async () => {});
    const company = await gateway.company({ slug: 'logged', agents: 1 });
    const [agent] = company.agents;
    if (agent === undefined) throw new Error('the company has an agent');

    await putTelephony(gateway, company, { ...pbx, ice_servers: [{ ...turn, credential }, relay] }).expect(200);
    await patchAgent(gateway, company, agent, { sip_user: '1001', sip_secret: secret }).expect(200);
    const softphone = await connectedSoftphone(gateway, agent);
    expect(await telephonyOf(softphone)).toMatchObject({ secret });
    // Refused for its shape, its place, its type and its size.
    await patchAgent(gateway, company, agent, { sip_user: 'a b', sip_secret: secret }).expect(400);
    await patchAgent(gateway, company, agent, { sip_secret: [secret] }).expect(400);
    await gateway
      .as(company)
      .put('/api/telephony')
      .send({
        ice_servers: [
          { ...turn, credential, [secret]: 1 },
          { ...turn, ...relay },
        ],
      })
      .expect(400);
    const unfinished = `{"sip_secret": "${secret}"`;
    await gateway.as(company).patch(`/api/agents/${agent.id}`).type('json').send(unfinished).expect(400);
    const sql = new pg.Client({ connectionString: database.url });
    await sql.connect();
    await sql.query('UPDATE agent SET sip_secret_encrypted = sip_secret_encrypted || $1', ['x']);
    await sql.end();
    expect(await telephonyOf(softphone)).toEqual({ mode: 'none', why: 'no_account' });

    await gateway.close();
    const { stdout, stderr } = await running.ended;
    expect(stdout).toContain('"route":"/api/agents/{id}"');
    expect(stdout).toContain('an agent cannot telephone');
    expect(stdout + stderr).not.toMatch(/secret of the PBX|(credential|secret) of TURN|v1\./);
  });
});
