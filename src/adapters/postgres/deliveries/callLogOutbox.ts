import { v7 as newId } from 'uuid';
import type { Pool } from 'pg';
import type { CallId, CompanyId, DeliveryId } from '../../../domain/ids.ts';
import type {
  CallLogOutbox,
  CallLogProgress,
  CallLogSettlement,
  LeasedCallLog,
  PreparedLog,
} from '../../../ports/callLog.ts';
import type { StoreParts } from '../pool.ts';
import { run } from '../queries.ts';
import { sanitizeHeaders, sanitizeText } from '../storableValues.ts';
import { storedCause } from './errorCauses.ts';
import { putOffCallLog, readDue, readDueCallLogs } from './dueDeliveries.ts';
import {
  callLogLeases,
  isServedByNobodyElse,
  type LeasedEndpoint,
  leaseEndpoints,
  releaseEndpoints,
  renewEndpoints,
} from './endpointLeases.ts';

/** Calls on their way into CRM systems, in PostgreSQL. */
export function createCallLogOutbox({ pool, prisma }: Pick<StoreParts, 'pool' | 'prisma'>): CallLogOutbox {
  return {
    async lease(request) {
      const connections = await leaseEndpoints<LeasedConnection>(pool, callLogLeases, request, [
        request.closedGroups ?? [],
      ]);
      const due = await readDue<DueCallLog, LeasedConnection & { room: number }>(
        pool,
        readDueCallLogs,
        connections,
        request,
      );
      return due.map(({ row, endpoint }) => readLeased(row, endpoint));
    },

    renew: (holder, companyIds, leaseUntil) => renewEndpoints(pool, callLogLeases, holder, companyIds, leaseUntil),

    release: (holder, butFor) => releaseEndpoints(pool, callLogLeases.release, holder, butFor),

    releaseOthers: (holder) => releaseEndpoints(pool, callLogLeases.releaseOthers, holder),

    async putOff(holder, { companyId, id }, until) {
      await run(pool, putOffCallLog, [companyId, id, holder, until]);
    },

    async note(holder, { companyId, id }, progress) {
      return (await run(pool, noteCallLog, [companyId, id, holder, ...progressValues(progress)])).length === 1;
    },

    settle: (holder, settlement) => settle(pool, holder, settlement),

    async earlier(companyId, callId, sequence, provider) {
      const rows = await prisma.crmDelivery.findMany({
        where: { companyId, callId, sequence: { lt: sequence } },
        select: { entryId: true, sentAt: true, prepared: true },
        orderBy: { sequence: 'desc' },
      });
      const theirs = rows.filter(
        ({ prepared }) => prepared !== null && (JSON.parse(prepared) as PreparedLog).provider === provider,
      );
      return {
        entryId: theirs.find(({ entryId }) => entryId !== null)?.entryId ?? null,
        maySent: theirs.some(({ sentAt }) => sentAt !== null),
      };
    },
  };
}

/**
 * $1 company id, $2 delivery id, $3 holder, $4 to $7 how far it has got (see progressValues).
 * served: under it nobody else begins to serve the CRM: whoever does so afterwards reads what is noted.
 */
export const noteCallLog = {
  name: 'note_call_log',
  text: `WITH served AS MATERIALIZED (
    SELECT company_id FROM crm_connection WHERE company_id = $1 AND holder = $3 FOR SHARE
  )
  UPDATE crm_delivery d SET prepared = $4, sent_at = $5, not_found_at = $6, entry_id = $7 FROM served
  WHERE d.company_id = $1 AND d.id = $2 AND d.state = 'pending' RETURNING d.id`,
};

/**
 * $1 company id, $2 delivery id, $3 holder, $4 to $7 how far it has got; $8 new state, $9 when it is due again or null,
 * $10 when it was finished or null, $11 attempts; the attempt, or nulls where none was made: $12 id, $13 number, $14
 * start, $15 latency in ms, $16 method, $17 URL, $18 request headers, $19 request body, $20 status, $21 response
 * headers, $22 response body, $23 error, $24 its cause.
 */
export const settleCallLog = {
  name: 'settle_call_log',
  text: `WITH settled AS (
    UPDATE crm_delivery d SET prepared = $4, sent_at = $5, not_found_at = $6, entry_id = $7, state = $8,
      due_at = coalesce($9, due_at), finished_at = $10, attempts = $11,
      last_status_code = CASE WHEN $12::uuid IS NULL THEN last_status_code ELSE $20 END,
      last_error = CASE WHEN $12::uuid IS NULL THEN last_error ELSE $23 END,
      last_error_cause = CASE WHEN $12::uuid IS NULL THEN last_error_cause ELSE $24::jsonb END
    WHERE d.company_id = $1 AND d.id = $2 AND d.state = 'pending' AND ${isServedByNobodyElse('crm_connection', '$3')}
    RETURNING d.company_id, d.id
  ), logged AS (
    INSERT INTO crm_attempt (
      company_id, delivery_id, id, number, started_at, latency_ms, method, url, request_headers,
      request_body, status_code,
      response_headers, response_body, error, error_cause
    )
    SELECT company_id, settled.id, $12, $13, $14, $15, $16, $17, $18::jsonb, $19, $20, $21::jsonb, $22, $23, $24::jsonb
    FROM settled WHERE $12::uuid IS NOT NULL
  )
  SELECT id FROM settled`,
};

async function settle(
  pool: Pool,
  holder: string,
  { companyId, id, attempt, attempts, outcome, progress }: CallLogSettlement,
): Promise<boolean> {
  const isPending = outcome.state === 'pending';
  const endedAt = attempt === null ? new Date() : new Date(attempt.startedAt.getTime() + attempt.latencyMs);
  const error = sanitizeText(attempt?.error ?? null);
  const settled = await run(pool, settleCallLog, [
    companyId,
    id,
    holder,
    ...progressValues(progress),
    outcome.state,
    isPending ? outcome.dueAt : null,
    isPending ? null : endedAt,
    attempts,
    attempt === null ? null : newId(),
    attempt?.number ?? null,
    attempt?.startedAt ?? null,
    attempt === null ? null : Math.round(attempt.latencyMs),
    attempt?.method ?? null,
    attempt?.url ?? null,
    sanitizeHeaders(attempt?.requestHeaders ?? {}),
    sanitizeText(attempt?.requestBody ?? null),
    attempt?.statusCode ?? null,
    sanitizeHeaders(attempt?.responseHeaders ?? null),
    sanitizeText(attempt?.responseBody ?? null),
    error,
    storedCause(attempt?.cause ?? null, error),
  ]);
  return settled.length === 1;
}

function progressValues({ prepared, sentAt, notFoundAt, entryId }: CallLogProgress): unknown[] {
  return [prepared === null ? null : JSON.stringify(prepared), sentAt, notFoundAt, sanitizeText(entryId)];
}

type LeasedConnection = LeasedEndpoint & { provider: string };

type DueCallLog = {
  id: string;
  companyId: CompanyId;
  callId: string;
  sequence: number;
  attempts: number;
  callGoesOn: boolean;
  prepared: string | null;
  sentAt: Date | null;
  notFoundAt: Date | null;
  entryId: string | null;
};

function readLeased(
  { prepared, sentAt, notFoundAt, entryId, ...row }: DueCallLog,
  { maxInFlight, consecutiveFailures, provider }: LeasedConnection,
): LeasedCallLog {
  return {
    ...row,
    id: row.id as DeliveryId,
    callId: row.callId as CallId,
    progress: { prepared: prepared === null ? null : readPrepared(prepared), sentAt, notFoundAt, entryId },
    endpoint: { maxInFlight, consecutiveFailures, group: provider },
  };
}

function readPrepared(text: string): PreparedLog {
  const prepared = JSON.parse(text) as PreparedLog;
  const { call } = prepared;
  const at = (time: unknown) => new Date(String(time));
  return {
    ...prepared,
    call: {
      ...call,
      startedAt: at(call.startedAt),
      endedAt: at(call.endedAt),
      answeredAt: call.answeredAt === null ? null : at(call.answeredAt),
    },
  };
}
