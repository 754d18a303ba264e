import pg from 'pg';

/** A committed event. */
export type EventRow = {
  id: string;
  companyId: string;
  event: string;
  callId: string;
  sequence: number;
  body: string;
  state: string;
};

/** An attempt that the log of deliveries tells of. `startedAt`: seconds since the epoch, as they are signed. */
export type LoggedAttempt = { deliveryId: string; number: number; startedAt: number; status: number | null };

/** What a call should have announced. `sequence`: of its latest event; `clickId`: null where it was dialed by hand. */
export type AnnouncedCall = {
  id: string;
  sequence: number;
  state: string;
  clickId: string | null;
  answered: boolean;
  disposed: boolean;
};

/** The outbox as PostgreSQL has it, and a way to keep the gateways from settling. */
export class OutboxRecords {
  readonly #pool: pg.Pool;

  constructor(url: string) {
    this.#pool = new pg.Pool({ connectionString: url, max: 4 });
    this.#pool.on('error', () => undefined);
  }

  async events(): Promise<EventRow[]> {
    const { rows } = await this.#pool.query<EventRow>(
      `SELECT id, company_id AS "companyId", event, call_id AS "callId", sequence, body, state
       FROM webhook_delivery ORDER BY call_id, sequence`,
    );
    return rows;
  }

  async attempts(): Promise<LoggedAttempt[]> {
    const { rows } = await this.#pool.query<LoggedAttempt>(
      `SELECT delivery_id AS "deliveryId", number, floor(extract(epoch FROM started_at))::float8 AS "startedAt",
              status_code AS status
       FROM webhook_attempt ORDER BY delivery_id, number`,
    );
    return rows;
  }

  /** How many deliveries wait. */
  async waiting(): Promise<number> {
    const { rows } = await this.#pool.query<{ count: number }>(
      "SELECT count(*)::int FROM webhook_delivery WHERE state = 'pending'",
    );
    return rows[0]?.count ?? 0;
  }

  async calls(): Promise<AnnouncedCall[]> {
    const { rows } = await this.#pool.query<AnnouncedCall>(
      `SELECT id, sequence, state, external_id AS "clickId", answered_at IS NOT NULL AS answered,
              disposed_at IS NOT NULL AS disposed
       FROM call ORDER BY id`,
    );
    return rows;
  }

  /** Makes what waits for another attempt due now. */
  async hurry(): Promise<void> {
    await this.#pool.query(`UPDATE webhook_delivery SET due_at = now() WHERE state = 'pending' AND due_at > now()`);
  }

  /** The gateway that serves the endpoint of a delivery; null: nobody. */
  async holderOf(deliveryId: string): Promise<string | null> {
    const { rows } = await this.#pool.query<{ holder: string | null }>(
      'SELECT holder FROM webhook_endpoint JOIN webhook_delivery USING (company_id) WHERE id = $1',
      [deliveryId],
    );
    return rows[0]?.holder ?? null;
  }

  /** Nobody can settle these deliveries until the grip is loosened. */
  async grip(deliveryIds: readonly string[]): Promise<Grip> {
    const client = await this.#pool.connect();
    await client.query('BEGIN');
    await client.query('SELECT FROM webhook_delivery WHERE id = ANY($1) FOR UPDATE', [deliveryIds]);
    return new Grip(client);
  }

  close(): Promise<void> {
    return this.#pool.end();
  }
}

/** pg_stat_activity would stay as it was when the transaction looked first. */
const waiting = 'FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))';

/** An open transaction that holds deliveries. */
export class Grip {
  readonly #client: pg.PoolClient;

  constructor(client: pg.PoolClient) {
    this.#client = client;
  }

  /** How many statements of others wait for it. */
  async waiters(): Promise<number> {
    return (await this.#client.query(`SELECT ${waiting}`)).rowCount ?? 0;
  }

  /** Ends who waits for it, as if the statement had been lost on its way, and lets go. */
  async loosen(): Promise<void> {
    await this.#client.query(`SELECT pg_terminate_backend(pid, 10000) ${waiting}`);
    await this.#client.query('ROLLBACK');
    this.#client.release();
  }
}
