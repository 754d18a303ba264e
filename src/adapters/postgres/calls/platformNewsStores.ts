import type {
  HeardCall,
  HeardCallStore,
  PlatformCallKey,
  WaitingEvent,
  WaitingEventStore,
} from '../../../ports/platformNews.ts';
import { Prisma } from '../generated/client.ts';
import type { StoreParts } from '../pool.ts';
import { deleteOld, fieldColumns, run } from '../queries.ts';
import { textFor } from '../storableValues.ts';

/** How long what was told of a call is known. Milliseconds. */
export const heardForMs = 3_600_000;

/** What platforms told of calls of which nobody was known to be on them yet, in PostgreSQL. */
export function createHeardCallStore({ pool, clock }: Pick<StoreParts, 'pool' | 'clock'>): HeardCallStore {
  return {
    async hear(call, { cause, customer, dialedNumber, direction, endedAt, queue }, replaces) {
      const told = [textFor('customer', customer), direction, textFor('queue', queue), cause, endedAt];
      await run(pool, hearCall, [
        ...keyOf(call),
        ...told,
        new Date(clock.now()),
        replaces,
        textFor('dialed_number', dialedNumber),
      ]);
    },
    async recall(call) {
      const [row] = await run<HeardCall>(pool, recallCall, [...keyOf(call), new Date(clock.now() - heardForMs)]);
      return row ?? null;
    },
    prune: async (before, limit) => (await run(pool, pruneHeardCalls, [before, limit])).length,
  };
}

function keyOf({ callId, companyId, connector }: PlatformCallKey): string[] {
  return [companyId, connector, textFor('call_id', callId)];
}

/** Events that wait for a dial, in PostgreSQL. */
export function createWaitingEventStore({ pool, prisma }: Pick<StoreParts, 'pool' | 'prisma'>): WaitingEventStore {
  return {
    async keep({ companyId, connector, event, heardAt, id }) {
      await run(pool, keepWaitingEvent, [companyId, id, connector, JSON.stringify(event), heardAt]);
    },
    async drop(companyId, id) {
      await prisma.waitingPlatformEvent.deleteMany({ where: { companyId, id } });
    },
    left: (before, limit) => run<WaitingEvent>(pool, findLeftEvents, [before, limit]),
  };
}

/** SQL: when a call ended of which that was heard. A gateway of the version before did not keep it. */
const endOf = (heard: string) => `CASE WHEN ${heard}ended THEN coalesce(${heard}ended_at, ${heard}heard_at) END`;
/** SQL: what was told of the same call before. */
const before = (column: string) => `CASE WHEN $10::timestamptz = ${endOf('h.')} THEN NULL ELSE ${column} END`;

/**
 * $1 company id, $2 connector, $3 platform's call id, $4 customer, $5 direction, $6 queue, $7 cause, $8 when it ended
 * or null, $9 now, $10 when the call ended whose place it takes, or null, $11 the number dialed. Nothing where there is
 * no such connection.
 */
export const hearCall = {
  name: 'hear_call',
  text: `INSERT INTO heard_call AS h (company_id, connector, call_id, customer, direction, queue, cause, ended,
    ended_at, heard_at, dialed_number)
  SELECT company_id, connector, $3, $4, $5, $6, $7, $8::timestamptz IS NOT NULL, $8, $9, $11 FROM cti_connection
  WHERE company_id = $1 AND connector = $2
  ON CONFLICT (company_id, connector, call_id) DO UPDATE SET
    customer = coalesce(excluded.customer, ${before('h.customer')}),
    direction = coalesce(excluded.direction, ${before('h.direction')}),
    queue = coalesce(excluded.queue, ${before('h.queue')}), cause = coalesce(excluded.cause, ${before('h.cause')}),
    ended = excluded.ended OR coalesce(${before('h.ended')}, false),
    ended_at = greatest(excluded.ended_at, ${before(endOf('h.'))}), heard_at = excluded.heard_at,
    dialed_number = coalesce(excluded.dialed_number, ${before('h.dialed_number')})`,
};

/** $1 company id, $2 connector, $3 platform's call id, $4 since when it must have been told. */
export const recallCall = {
  name: 'recall_call',
  text: `SELECT customer, direction, queue, cause, dialed_number AS "dialedNumber", ${endOf('')} AS "endedAt"
    FROM heard_call WHERE company_id = $1 AND connector = $2 AND call_id = $3 AND heard_at > $4`,
};

/** $1 before when, $2 how many at most. Of any company. */
export const pruneHeardCalls = {
  name: 'prune_heard_calls',
  text: deleteOld(
    'heard_call',
    ['company_id', 'connector', 'call_id'],
    'WHERE heard_at < $1 ORDER BY heard_at LIMIT $2',
  ),
};

/** $1 company id, $2 id, $3 connector, $4 event, $5 when it was told. Nothing where there is no such connection. */
export const keepWaitingEvent = {
  name: 'keep_waiting_event',
  text: `INSERT INTO waiting_platform_event (company_id, id, connector, event, heard_at)
  SELECT company_id, $2, connector, $4::jsonb, $5 FROM cti_connection WHERE company_id = $1 AND connector = $3`,
};

/** $1 before when, $2 how many at most. Of any company. */
export const findLeftEvents = {
  name: 'find_left_events',
  text: `SELECT ${fieldColumns(Prisma.WaitingPlatformEventScalarFieldEnum)} FROM waiting_platform_event
  WHERE heard_at < $1 ORDER BY heard_at, id LIMIT $2`,
};
