import type { Pool } from 'pg';
import type { WebhookEvent } from '../../../contract/vocabulary.ts';
import type { Outbox, Settlement } from '../../../ports/outbox.ts';
import { createBatchWriter } from '../batchWriter.ts';
import { changeHealth } from '../companies/webhookEndpoint.ts';
import { type StoreParts, transactionPatience } from '../pool.ts';
import { findDeliveryElsewhere, missingId, pageOf, run } from '../queries.ts';
import { bodyOfDelivery, deliveriesThatFit, pruneFinished } from './deliveryLog.ts';
import {
  callLogEvent,
  type DueRow,
  readAttempt,
  readDelivery,
  readLeased,
  type WebhookEndpointRow,
} from './deliveryRows.ts';
import { putOffDelivery, readDue, readDueDeliveries } from './dueDeliveries.ts';
import { leaseEndpoints, releaseEndpoints, renewEndpoints, webhookLeases } from './endpointLeases.ts';
import { backlogAt } from './measureBacklog.ts';
import { moveWaitingToDead } from './moveToDead.ts';
import { insertOwn } from './ownDelivery.ts';
import { redeliverAllDead, redeliverOne } from './redeliver.ts';
import { settleLeased } from './settleDelivery.ts';

/**
 * How many of a delivery's attempts are shown, the latest, each up to some 48 KB. Redelivered ones have more than ten.
 */
const mostAttemptsShown = 50;

/** Webhooks on their way, in PostgreSQL. The call store writes most of them. */
export function createOutbox({ pool, prisma, clock }: StoreParts): Outbox {
  const settling = createBatchWriter<Settling, Set<string>>({
    write: (rows) => settleAll(pool, rows),
    keyOf: ({ holder, settlement }) => `${holder}/${settlement.id}`,
    weightOf: ({ settlement: { attempt } }) => sizeOf(attempt.responseHeaders) + (attempt.responseBody?.length ?? 0),
    maxRows: 512,
    maxWeight: 1_000_000,
    isRowFault: () => false,
  });

  return {
    async lease(request) {
      const endpoints = await leaseEndpoints<WebhookEndpointRow>(pool, webhookLeases, request);
      const due = await readDue<DueRow, WebhookEndpointRow & { room: number }>(
        pool,
        readDueDeliveries,
        endpoints,
        request,
      );
      return due.map(({ row, endpoint }) => readLeased(row, endpoint));
    },

    bodyOf: (companyId, id) => bodyOfDelivery(pool, companyId, id),

    renew: (holder, companyIds, leaseUntil) => renewEndpoints(pool, webhookLeases, holder, companyIds, leaseUntil),

    release: (holder, butFor) => releaseEndpoints(pool, webhookLeases.release, holder, butFor),

    releaseOthers: (holder) => releaseEndpoints(pool, webhookLeases.releaseOthers, holder),

    async putOff(holder, { companyId, id }, until) {
      await run(pool, putOffDelivery, [companyId, id, holder, until]);
    },

    async settle(holder, settlement) {
      return (await settling.add({ holder, settlement })).has(settlement.id);
    },

    changeHealth(companyId, url, decide) {
      return prisma.$transaction((tx) => changeHealth(tx, companyId, url, decide), transactionPatience);
    },

    async addOwn(companyId, event, until) {
      const row = await insertOwn(pool, companyId, event, until, new Date(clock.now()));
      return row === undefined ? null : readLeased(row, row);
    },

    async list(companyId, filter, { cursor, limit }) {
      const rows = await deliveriesThatFit(pool, companyId, filter, { cursor, limit: limit + 1 });
      return pageOf(rows, limit, readDelivery);
    },

    async find(companyId, id) {
      // By start: the numbers restart with every redelivery.
      const row = await prisma.webhookDelivery.findUnique({
        where: { companyId_id: { companyId, id } },
        include: { log: { orderBy: [{ startedAt: 'desc' }, { number: 'desc' }], take: mostAttemptsShown } },
      });
      if (row !== null) {
        return {
          kind: 'found',
          value: { ...readDelivery(row), body: row.body, log: row.log.map(readAttempt).toReversed() },
        };
      }
      const call = await prisma.crmDelivery.findUnique({
        where: { companyId_id: { companyId, id } },
        include: { log: { orderBy: [{ startedAt: 'desc' }, { number: 'desc' }], take: mostAttemptsShown } },
      });
      if (call === null) return missingId(pool, findDeliveryElsewhere, id);
      const { log, prepared } = call;
      const value = {
        ...readDelivery({ ...call, event: callLogEvent }),
        body: prepared ?? '{}',
        log: log.map(readAttempt).toReversed(),
      };
      return { kind: 'found', value };
    },

    async latest(companyId) {
      const row = await prisma.webhookDelivery.findFirst({
        where: { companyId },
        orderBy: { id: 'desc' },
        omit: { body: true },
      });
      return row === null ? null : { ...readDelivery(row), event: row.event as WebhookEvent };
    },

    async redeliver(companyId, id, now) {
      const changed = await redeliverOne(pool, companyId, id, now);
      return changed === undefined ? missingId(pool, findDeliveryElsewhere, id) : { kind: 'found', value: changed };
    },

    redeliverDeadSince(companyId, since, now) {
      return redeliverAllDead(pool, companyId, since, now);
    },

    moveToDead(companyId, limit, now) {
      return moveWaitingToDead(pool, companyId, limit, now);
    },

    prune(before, limit) {
      return pruneFinished(pool, before, limit);
    },

    backlog(now) {
      return backlogAt(pool, now);
    },
  };
}

type Settling = { holder: string; settlement: Settlement };

/** A process settles under its own id only, so this is one statement; tests use several ids. */
async function settleAll(pool: Pool, rows: Settling[]): Promise<Set<string>> {
  const settled = new Set<string>();
  const holders = new Set(rows.map(({ holder }) => holder));
  for (const holder of holders) {
    const own = rows.filter((row) => row.holder === holder).map(({ settlement }) => settlement);
    for (const id of await settleLeased(pool, holder, own)) settled.add(id);
  }
  return settled;
}

function sizeOf(headers: Record<string, string> | null): number {
  return Object.values(headers ?? {}).reduce((sum, value) => sum + value.length, 0);
}
