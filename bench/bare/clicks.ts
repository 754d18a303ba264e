// The bare stack for clicks: Express 5, Socket.IO with the Redis adapter, and nothing of what makes a click safe.
import { randomUUID } from 'node:crypto';
import { createShardedAdapter } from '@socket.io/redis-adapter';
import express, { type Request, type Response } from 'express';
import { Redis } from 'ioredis';
import pg from 'pg';
import { serveVerbs } from '../worker.ts';
import { authenticateBy, type Credentials } from './authenticate.ts';
import { createBareIo, roomOf, type BareIo } from './bareIo.ts';
import { bareIdleKey } from './keys.ts';
import { createApp, listen } from './server.ts';

export type BareClicksOptions = Credentials & { databaseUrl: string; redisUrl: string };
export type BareClicks = { start(options: BareClicksOptions): Promise<{ url: string }> };

/** The gateway's pool has as many. */
const poolSize = 20;
const acknowledgeWithinMs = 2_000;

const find = {
  name: 'find',
  text: `SELECT phone, data, external_system, external_id, tier FROM screen_pop_entry
    WHERE company_id = $1 AND phone = $2`,
};
const insert = {
  name: 'insert',
  text: 'INSERT INTO bare_call (id, company_id, agent_id, phone, state, created_at) VALUES ($1, $2, $3, $4, $5, now())',
};
const update = { name: 'update', text: 'UPDATE bare_call SET state = $2 WHERE id = $1' };

serveVerbs({
  async start(options: BareClicksOptions) {
    const app = createApp(false);
    app.use(authenticateBy(options));
    const { server, url } = await listen(app, false);
    const io = createBareIo(server, options.jwtSecret);
    io.adapter(createShardedAdapter(new Redis(options.redisUrl), new Redis(options.redisUrl)));
    const pool = new pg.Pool({ connectionString: options.databaseUrl, max: poolSize });
    const redis = new Redis(options.redisUrl);
    app.post('/click', express.json(), (request, response) => click({ io, pool, redis }, request, response));
    app.get('/select', async (request, response) => {
      const { rows } = await pool.query({ ...find, values: [request.companyId, request.query['phone']] });
      response.json({ found: rows[0] !== undefined, screen_pop: rows[0] ?? null });
    });
    serveSoftphones({ io, pool, redis });
    return { url };
  },
} satisfies BareClicks);

type Parts = { io: BareIo; pool: pg.Pool; redis: Redis };

/** Takes the agent idle longest, asks its socket wherever that is, and records the call. */
async function click({ io, pool, redis }: Parts, request: Request, response: Response): Promise<void> {
  const companyId = request.companyId ?? '';
  const { phone_number } = request.body as { phone_number: string };
  const [[agentId], { rows }] = await Promise.all([
    redis.zpopmin(bareIdleKey(companyId)),
    pool.query<{ data: object }>({ ...find, values: [companyId, phone_number] }),
  ]);
  if (agentId === undefined) {
    response.status(503).json({ error: 'no_ready_agent' });
    return;
  }
  const call_id = randomUUID();
  const offer = { call_id, phone_number, screen_pop: rows[0]?.data ?? {} };
  await io.to(roomOf(agentId)).timeout(acknowledgeWithinMs).emitWithAck('click_to_dial', offer);
  await pool.query({ ...insert, values: [call_id, companyId, agentId, phone_number, 'dialing'] });
  response.status(201).json({ agent_id: agentId, ...offer });
}

/** What makes an agent Ready again: two more writes, as in the gateway. */
function serveSoftphones({ io, pool, redis }: Parts): void {
  io.on('connection', (socket) => {
    const { agentId, companyId } = socket.data;
    const becomeReady = () => redis.zadd(bareIdleKey(companyId), Date.now(), agentId);
    socket.on('ready', (acknowledge) => void becomeReady().then(() => acknowledge()));
    socket.on('ended', ({ call_id }, acknowledge) => {
      void pool.query({ ...update, values: [call_id, 'ended'] }).then(() => acknowledge());
    });
    socket.on('disposition', ({ call_id, code }, acknowledge) => {
      void pool
        .query({ ...update, values: [call_id, code] })
        .then(becomeReady)
        .then(() => acknowledge());
    });
  });
}
