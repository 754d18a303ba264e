import pg from 'pg';

/** A call as PostgreSQL has it; times in milliseconds since the epoch. */
export type CallRow = {
  id: string;
  companyId: string;
  agentId: string;
  clickId: string | null;
  state: string;
  endReason: string | null;
  endDetail: string | null;
  createdAt: number;
  answeredAt: number | null;
  endedAt: number | null;
  disposed: boolean;
};

/** A row of the outbox. */
export type DeliveryRow = {
  id: string;
  companyId: string;
  event: string;
  callId: string | null;
  state: string;
  attempts: number;
};

/** What is durable of the companies of a scenario. */
export class Records {
  readonly #url: string;
  readonly #companyIds: readonly string[];

  constructor(url: string, companyIds: readonly string[]) {
    this.#url = url;
    this.#companyIds = companyIds;
  }

  calls(): Promise<CallRow[]> {
    return this.#query<CallRow>(
      `SELECT id, company_id AS "companyId", agent_id AS "agentId", external_id AS "clickId", state,
              end_reason AS "endReason", end_detail AS "endDetail", disposed_at IS NOT NULL AS disposed,
              ${ms('created_at')} AS "createdAt", ${ms('answered_at')} AS "answeredAt", ${ms('ended_at')} AS "endedAt"
       FROM call WHERE company_id = ANY($1) ORDER BY id`,
    );
  }

  deliveries(): Promise<DeliveryRow[]> {
    return this.#query<DeliveryRow>(
      `SELECT id, company_id AS "companyId", event, call_id AS "callId", state, attempts
       FROM webhook_delivery WHERE company_id = ANY($1) ORDER BY id`,
    );
  }

  /**
   * Lets so much time pass for the deliveries that what waits for another attempt,
   * or was lent to a dead gateway, is due.
   */
  async hurryDeliveries(): Promise<void> {
    await this.#query(
      `UPDATE webhook_delivery SET due_at = due_at - interval '10 minutes'
        WHERE company_id = ANY($1) AND state <> 'delivered'`,
    );
  }

  async #query<Row extends pg.QueryResultRow>(statement: string): Promise<Row[]> {
    const client = new pg.Client({ connectionString: this.#url });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query<Row>(statement, [this.#companyIds])).rows;
    } finally {
      await client.end();
    }
  }
}

function ms(column: string): string {
  return `(extract(epoch FROM ${column}) * 1000)::float8`;
}
