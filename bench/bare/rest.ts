// The bare stack for REST: Express 5 with authentication and one statement, and nothing else.
import { createInterface } from 'node:readline';
import express, { type ErrorRequestHandler, type Express, type Request, type Response } from 'express';
import { Redis } from 'ioredis';
import pg from 'pg';
import { serveVerbs } from '../worker.ts';
import { authenticateBy, type Credentials } from './authenticate.ts';
import { bareEntryKey } from './keys.ts';
import { createApp, listen } from './server.ts';

export type BareRestOptions = Credentials & { databaseUrl: string; redisUrl: string; tuned: boolean };
export type BareRest = { start(options: BareRestOptions): Promise<{ url: string }> };

type Push = { phone_number: string; data: object; external_system?: string; external_id?: string; tier?: string };

/** The gateway's pool has as many. */
const poolSize = 20;
const batchRows = 500;

const find = {
  name: 'find',
  text: `SELECT phone, data, external_system, external_id, tier FROM screen_pop_entry
    WHERE company_id = $1 AND phone = $2`,
};
const upsert = {
  name: 'upsert',
  text: `INSERT INTO screen_pop_entry (company_id, phone, data, external_system, external_id, tier)
  VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (company_id, phone) DO UPDATE SET data = excluded.data, external_system = excluded.external_system,
    external_id = excluded.external_id, tier = excluded.tier, updated_at = excluded.updated_at`,
};
const upsertMany = {
  name: 'upsert_many',
  text: `INSERT INTO screen_pop_entry (company_id, phone, data, external_system, external_id, tier)
  SELECT $1, * FROM unnest($2::text[], $3::jsonb[], $4::text[], $5::text[], $6::text[])
  ON CONFLICT (company_id, phone) DO UPDATE SET data = excluded.data, external_system = excluded.external_system,
    external_id = excluded.external_id, tier = excluded.tier, updated_at = excluded.updated_at`,
};

serveVerbs({
  async start(options: BareRestOptions) {
    const app = createApp(options.tuned);
    app.use(authenticateBy(options));
    const pool = new pg.Pool({ connectionString: options.databaseUrl, max: poolSize });
    serveReads(app, pool, new Redis(options.redisUrl));
    servePushes(app, pool);
    app.use(dropAborted);
    const { url } = await listen(app, options.tuned);
    return { url };
  },
} satisfies BareRest);

/** At the end of a measurement the generator hangs up in the middle of what it sends. */
const dropAborted: ErrorRequestHandler = (error: Error, request, response, next) => {
  if (request.destroyed) response.destroy();
  else next(error);
};

function serveReads(app: Express, pool: pg.Pool, redis: Redis): void {
  app.get('/select', async (request, response) => {
    const { rows } = await pool.query({ ...find, values: [request.companyId, request.query['phone']] });
    if (rows[0] === undefined) response.status(404).json({ found: false });
    else response.json({ found: true, screen_pop: rows[0] });
  });
  app.get('/redis', async (request, response) => {
    const entry = await redis.get(bareEntryKey(request.companyId ?? '', request.query['phone'] as string));
    if (entry === null) response.status(404).json({ found: false });
    else response.json({ found: true, screen_pop: JSON.parse(entry) });
  });
}

function servePushes(app: Express, pool: pg.Pool): void {
  app.post('/push', express.json(), async (request, response) => {
    const { phone_number, data, external_system, external_id, tier } = request.body as Push;
    await pool.query({
      ...upsert,
      values: [request.companyId, phone_number, data, external_system, external_id, tier],
    });
    response.json({ ok: true });
  });
  app.post('/bulk', async (request: Request, response: Response) => {
    let rows: Push[] = [];
    let accepted = 0;
    for await (const line of createInterface({ input: request })) {
      rows.push(JSON.parse(line) as Push);
      if (rows.length < batchRows) continue;
      accepted += await writeBatch(pool, request.companyId, rows);
      rows = [];
    }
    accepted += await writeBatch(pool, request.companyId, rows);
    response.json({ accepted });
  });
}

async function writeBatch(pool: pg.Pool, companyId: string | undefined, rows: Push[]): Promise<number> {
  if (rows.length === 0) return 0;
  const columns = [
    rows.map((row) => row.phone_number),
    rows.map((row) => JSON.stringify(row.data)),
    rows.map((row) => row.external_system ?? null),
    rows.map((row) => row.external_id ?? null),
    rows.map((row) => row.tier ?? null),
  ];
  await pool.query({ ...upsertMany, values: [companyId, ...columns] });
  return rows.length;
}
