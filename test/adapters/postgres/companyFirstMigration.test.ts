import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Pool } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { applyMigrations } from '../../../src/adapters/postgres/migrations.ts';
import { createPool } from '../../../src/adapters/postgres/pool.ts';
import { createDatabase, type TestDatabase } from '../../support/stores/postgres.ts';

const migrations = fileURLToPath(new URL('../../../prisma/migrations', import.meta.url));
const firstOfThem = '20261122114000_attempts_name_their_company';

const uuid = (n: number) => `00000000-0000-7000-8000-00000000000${n}`;
const [acme, beta] = [uuid(1), uuid(2)];

/** Two companies, each with an agent, a call, its webhook, two attempts and a change of state. */
const rowsOfTwo = [1, 2].map((n) => `
  INSERT INTO company (id, slug, name, dispositions, not_ready_reasons, updated_at) VALUES ('${uuid(n)}', 'c${n}', 'c', '[]', '[]', now());
  INSERT INTO agent (id, company_id, agent_code, name, role, password_hash, updated_at)
    VALUES ('${uuid(n + 2)}', '${uuid(n)}', 'Ada', 'a', 'agent', 'h', now());
  INSERT INTO call (id, company_id, agent_id, direction, trigger, state, phone, created_at)
    VALUES ('${uuid(n + 4)}', '${uuid(n)}', '${uuid(n + 2)}', 'outbound', 'manual_dial', 'ended', '+1', now());
  INSERT INTO webhook_delivery (id, company_id, event, call_id, sequence, body, state, claim_id, due_at)
    VALUES ('${uuid(n + 6)}', '${uuid(n)}', 'call_started', '${uuid(n + 4)}', 1, '{}', 'in_flight', '${uuid(9)}', now());
  INSERT INTO webhook_attempt (id, delivery_id, number, started_at, latency_ms, url, request_headers)
    SELECT gen_random_uuid(), '${uuid(n + 6)}', number, now(), 1, 'https://c${n}', '{}' FROM generate_series(1, 2) number;
  INSERT INTO agent_state_change (company_id, agent_id, at, version, state)
    VALUES ('${uuid(n)}', '${uuid(n + 2)}', now(), 1, 'ready');`).join('');

/** The end of an attempt as a gateway of the version before writes it: by ids alone. */
const settledBefore = `WITH settled AS (
    UPDATE webhook_delivery d SET state = 'delivered', claim_id = NULL, attempts = 3
    WHERE d.id = $1 AND d.claim_id = $2 AND d.state = 'in_flight' RETURNING d.id
  )
  INSERT INTO webhook_attempt (id, delivery_id, number, started_at, latency_ms, url, request_headers)
  SELECT gen_random_uuid(), settled.id, 3, now(), 1, 'https://before', '{}' FROM settled`;

describe('the migrations that put the company first', () => {
  let database: TestDatabase;
  let pool: Pool;
  let folder: string;

  beforeEach(async () => {
    database = await createDatabase({ empty: true });
    pool = createPool({ url: database.url, max: 4, applicationName: 'company first test' });
    folder = await mkdtemp(join(tmpdir(), 'readyline-migrations-'));
    for (const name of await readdir(migrations)) {
      if (name < firstOfThem) await cp(join(migrations, name), join(folder, name), { recursive: true });
    }
    await applyMigrations(pool, folder);
    await pool.query(rowsOfTwo);
  });
  afterEach(async () => {
    await pool.end();
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  const attempts = async () =>
    (await pool.query('SELECT company_id, url, number FROM webhook_attempt ORDER BY company_id, number')).rows;

  it('keep every row, name the company of each attempt, and leave nothing unchecked', async () => {
    const counted = `SELECT (SELECT count(*) FROM agent) + (SELECT count(*) FROM call) + (SELECT count(*) FROM webhook_delivery)
      + (SELECT count(*) FROM agent_state_change) AS count`;
    const before = (await pool.query(counted)).rows;
    await applyMigrations(pool);
    expect((await pool.query(counted)).rows).toEqual(before);
    expect(await attempts()).toEqual(
      [acme, beta].flatMap((company_id, n) => [1, 2].map((number) => ({ company_id, url: `https://c${n + 1}`, number }))),
    );
    const unchecked = `SELECT conname FROM pg_constraint WHERE NOT convalidated
      UNION ALL SELECT indexrelid::regclass::text FROM pg_index WHERE NOT indisvalid`;
    expect((await pool.query(unchecked)).rows).toEqual([]);
  });

  it('let a gateway of the version before write attempts that do not name it, from the first of them on', async () => {
    const first = join(folder, firstOfThem);
    await cp(join(migrations, firstOfThem), first, { recursive: true });
    await applyMigrations(pool, folder);
    await pool.query(settledBefore, [uuid(7), uuid(9)]);
    expect((await attempts())[0]).toEqual({ company_id: acme, url: 'https://before', number: 3 });
    await applyMigrations(pool);
    await pool.query(settledBefore, [uuid(8), uuid(9)]);
    expect((await attempts()).map(({ company_id, number }) => [company_id, number])).toEqual(
      [acme, beta].flatMap((company) => [1, 2, 3].map((number) => [company, number])),
    );
    // It prunes by id; the attempts go with their delivery.
    await pool.query('DELETE FROM webhook_delivery WHERE id = ANY ($1)', [[uuid(7), uuid(8)]]);
    expect(await attempts()).toEqual([]);
  });

  it('let it tell whose code or call there is already, by the names of the indexes that it knows', async () => {
    await applyMigrations(pool);
    const agent = `INSERT INTO agent (id, company_id, agent_code, name, role, password_hash, updated_at)
      VALUES (gen_random_uuid(), $1, $2, 'a', 'agent', 'h', now())`;
    for (const code of ['Ada', ' ADA']) {
      await expect(pool.query(agent, [acme, code])).rejects.toMatchObject({ constraint: 'agent_company_id_agent_code_key' });
    }
    const call = `INSERT INTO call (id, company_id, agent_id, direction, trigger, state, phone, created_at)
      VALUES (gen_random_uuid(), $1, $2, 'outbound', 'manual_dial', 'dialing', '+1', now())`;
    await pool.query(call, [acme, uuid(3)]);
    await expect(pool.query(call, [acme, uuid(3)])).rejects.toMatchObject({ constraint: 'call_active_key' });
    const change = `INSERT INTO agent_state_change (company_id, agent_id, at, version, state)
      SELECT company_id, agent_id, at, version, 'offline' FROM agent_state_change ON CONFLICT DO NOTHING`;
    expect((await pool.query(change)).rowCount).toBe(0);
  });

  it('let an agent, call or delivery be of its own company alone', async () => {
    await applyMigrations(pool);
    await expect(pool.query('UPDATE call SET agent_id = $1 WHERE id = $2', [uuid(4), uuid(5)])).rejects.toMatchObject({
      constraint: 'call_company_id_agent_id_fkey',
    });
    await expect(pool.query('UPDATE webhook_attempt SET delivery_id = $1 WHERE delivery_id = $2', [uuid(8), uuid(7)])).rejects.toMatchObject({
      constraint: 'webhook_attempt_company_id_delivery_id_fkey',
    });
  });
});
