import { randomUUID } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { setTimeout as delay } from 'node:timers/promises';
import type { WebhookEnvelope } from '../../src/contract/webhooks.ts';
import type { BareMessage } from '../bare/webhooks.ts';
import type { BenchEndpoint } from './endpoints.ts';
import type { CaseRoom } from './room.ts';

export type BenchDelivery = BareMessage & Pick<BenchEndpoint, 'companyId'> & { callId: string };

const rowsPerInsert = 5_000;
const lookEveryMs = 20;

/** So many events of calls that are all different, dealt out among the endpoints. A body has about 600 bytes. */
export function someDeliveries(endpoints: readonly BenchEndpoint[], count: number): BenchDelivery[] {
  return Array.from({ length: count }, (_, index) => {
    const endpoint = endpoints[index % endpoints.length];
    if (endpoint === undefined) throw new Error('there is no endpoint');
    const { companyId, origin, path } = endpoint;
    const callId = uuidv7();
    return { id: uuidv7(), companyId, origin, path, callId, body: bodyOf(companyId, callId, index) };
  });
}

function bodyOf(companyId: string, callId: string, index: number): string {
  const body: WebhookEnvelope = {
    event: 'call_started',
    company_id: companyId,
    occurred_at: new Date().toISOString(),
    crm_provider: 'custom',
    cti_connector: 'none',
    data: {
      call_id: callId,
      sequence: 1,
      phone: `+1555${1_000_000 + index}`,
      caller: null,
      direction: 'outbound',
      agent: { id: randomUUID(), agent_code: 'a1' },
      external_id: `C-${index}`,
      contact_id: randomUUID(),
      campaign_id: randomUUID(),
      metadata: {
        source: 'account page',
        ticket: `T-${index}`,
        note: 'asked to be called back about the invoice',
        queue: 'billing',
      },
    },
  };
  return JSON.stringify(body);
}

/** Writes them as waiting, all in one transaction: they fall due at one moment, that of its commit. */
export async function addWaiting(
  { pool }: Pick<CaseRoom, 'pool'>,
  deliveries: readonly BenchDelivery[],
): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    for (let written = 0; written < deliveries.length; written += rowsPerInsert) {
      const rows = deliveries.slice(written, written + rowsPerInsert);
      await client.query(
        `INSERT INTO webhook_delivery (id, company_id, event, call_id, sequence, body, due_at)
        SELECT id, company_id, 'call_started', call_id, 1, body, now()
        FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[]) AS d (id, company_id, call_id, body)`,
        [
          rows.map(({ id }) => id),
          rows.map((row) => row.companyId),
          rows.map(({ callId }) => callId),
          rows.map(({ body }) => body),
        ],
      );
    }
    // The planner must not take the table for what it was before.
    await client.query('ANALYZE webhook_delivery');
    await client.query('COMMIT');
  } finally {
    client.release();
  }
}

/** Resolves when none of these companies' deliveries waits or is in flight. */
export async function allSettled(
  { pool }: Pick<CaseRoom, 'pool'>,
  companyIds: readonly string[],
  patienceMs: number,
): Promise<void> {
  for (const giveUpAt = Date.now() + patienceMs; Date.now() < giveUpAt; await delay(lookEveryMs)) {
    const { rows } = await pool.query<{ waits: boolean }>(
      `SELECT EXISTS (
        SELECT FROM webhook_delivery WHERE company_id = ANY($1) AND state = 'pending'
      ) AS waits`,
      [companyIds],
    );
    if (rows[0]?.waits === false) return;
  }
  throw new Error('some deliveries were not settled');
}

/** Throws unless each of them was delivered at the first attempt, and the log has that attempt. */
export async function mustBeDelivered({ pool }: Pick<CaseRoom, 'pool'>, ids: readonly string[]): Promise<void> {
  const { rows } = await pool.query<{ delivered: number; logged: number }>(
    `SELECT count(*) FILTER (WHERE d.state = 'delivered') AS delivered, count(a.id) AS logged
    FROM webhook_delivery d
    LEFT JOIN webhook_attempt a ON a.delivery_id = d.id AND a.status_code = 204
    WHERE d.id = ANY($1)`,
    [ids],
  );
  const { delivered = 0, logged = 0 } = rows[0] ?? {};
  if (delivered === ids.length && logged === ids.length) return;
  throw new Error(`of ${ids.length} deliveries ${delivered} are delivered and ${logged} attempts are logged`);
}
