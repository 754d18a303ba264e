import type { Pool } from 'pg';
import type { Outbox, Settlement } from '../../../ports/outbox.ts';
import { createBatchWriter } from '../batchWriter.ts';
import { changeHealth } from '../integrations/webhookEndpoint.ts';
import { type StoreParts, transactionPatience } from '../prisma.ts';
import { findDeliveryElsewhere, missingId, pageOf } from '../queryResults.ts';
import { claimDue, insertClaimed } from './claimDeliveries.ts';
import { bodyOfDelivery, deliveriesThatFit, pruneFinished } from './deliveryLog.ts';
import { readAttempt, readClaimed, readDelivery } from './deliveryRows.ts';
import { giveUpWaiting } from './giveUp.ts';
import { releaseClaims, releaseOthersClaims, renewLeases } from './leases.ts';
import { backlogAt } from './measureBacklog.ts';
import { redeliverAllDead, redeliverOne } from './redeliver.ts';
import { settleClaimed } from './settleDelivery.ts';

/** Of one delivery; the latest are shown, each up to some 48 KB. One that was redelivered has more than ten. */
const mostAttemptsShown = 50;

/** Webhooks on their way, in PostgreSQL. The call store writes most of them. */
export function createOutbox({ pool, prisma, clock }: StoreParts): Outbox {
  const settling = createBatchWriter<Settling, Set<string>>({
    write: (rows) => settleAll(pool, rows),
    keyOf: ({ claimId, settlement }) => `${claimId}/${settlement.id}`,
    weightOf: ({ settlement: { attempt } }) => sizeOf(attempt.responseHeaders) + (attempt.responseBody?.length ?? 0),
    maxRows: 512,
    maxWeight: 1_000_000,
    isRowFault: () => false,
  });

  return {
    async claim(request) {
      return (await claimDue(pool, request)).map(readClaimed);
    },

    bodyOf: (companyId, id) => bodyOfDelivery(pool, companyId, id),

    renew(claimId, held, leaseUntil) {
      return renewLeases(pool, claimId, held, leaseUntil);
    },

    release(claimId, held, now) {
      return releaseClaims(pool, claimId, held, now);
    },

    releaseOthers(claimId, now) {
      return releaseOthersClaims(pool, claimId, now);
    },

    async settle(claimId, settlement) {
      return (await settling.add({ claimId, settlement })).has(settlement.id);
    },

    changeHealth(companyId, url, decide) {
      return prisma.$transaction(
        (tx) => changeHealth(tx, companyId, url, decide),
        transactionPatience,
      );
    },

    async addClaimed(companyId, event, claim) {
      const row = await insertClaimed(pool, companyId, event, claim, new Date(clock.now()));
      return row === undefined ? null : readClaimed(row);
    },

    async list(companyId, filter, { cursor, limit }) {
      const rows = await prisma.webhookDelivery.findMany({
        where: deliveriesThatFit(companyId, filter, cursor),
        orderBy: { id: 'desc' },
        take: limit + 1,
        omit: { body: true },
      });
      return pageOf(rows, limit, readDelivery);
    },

    async find(companyId, id) {
      // By start: the numbers begin anew with every redelivery.
      const row = await prisma.webhookDelivery.findUnique({
        where: { companyId_id: { companyId, id } },
        include: { log: { orderBy: [{ startedAt: 'desc' }, { number: 'desc' }], take: mostAttemptsShown } },
      });
      if (row === null) return missingId(pool, findDeliveryElsewhere, id);
      return { kind: 'found', value: { ...readDelivery(row), body: row.body, log: row.log.map(readAttempt).toReversed() } };
    },

    async latest(companyId) {
      const row = await prisma.webhookDelivery.findFirst({
        where: { companyId },
        orderBy: { id: 'desc' },
        omit: { body: true },
      });
      return row === null ? null : readDelivery(row);
    },

    async redeliver(companyId, id, now) {
      const changed = await redeliverOne(pool, companyId, id, now);
      return changed === undefined ? missingId(pool, findDeliveryElsewhere, id) : { kind: 'found', value: changed };
    },

    redeliverDeadSince(companyId, since, now) {
      return redeliverAllDead(pool, companyId, since, now);
    },

    giveUp(companyId, limit, now) {
      return giveUpWaiting(pool, companyId, limit, now);
    },

    prune(before, limit) {
      return pruneFinished(pool, before, limit);
    },

    backlog(now) {
      return backlogAt(pool, now);
    },
  };
}

type Settling = { claimId: string; settlement: Settlement };

/** A process settles under its own id alone, so this is one statement; tests have several. */
async function settleAll(pool: Pool, rows: Settling[]): Promise<Set<string>> {
  const settled = new Set<string>();
  const claimIds = new Set(rows.map(({ claimId }) => claimId));
  for (const claimId of claimIds) {
    const own = rows.filter((row) => row.claimId === claimId).map(({ settlement }) => settlement);
    for (const id of await settleClaimed(pool, claimId, own)) settled.add(id);
  }
  return settled;
}

function sizeOf(headers: Record<string, string> | null): number {
  return Object.values(headers ?? {}).reduce((sum, value) => sum + value.length, 0);
}
