import type { Outbox } from '../../ports/outbox.ts';
import { readAttempt, readClaimed, readDelivery } from './deliveryRows.ts';
import { lookupOf, pageOf } from './lookup.ts';
import type { StoreParts } from './prisma.ts';
import { insertClaimed } from './statements/addClaimedDelivery.ts';
import { claimDue } from './statements/claimDeliveries.ts';
import { backlogAt } from './statements/measureBacklog.ts';
import { redeliverAllDead, redeliverOne } from './statements/redeliver.ts';
import { settleClaimed } from './statements/settleDelivery.ts';

/** Webhooks on their way, in PostgreSQL. The call store writes most of them. */
export function createOutbox({ pool, prisma, clock }: StoreParts): Outbox {
  return {
    async claim(request) {
      return (await claimDue(pool, request)).map(readClaimed);
    },

    settle(claimId, settlement) {
      return settleClaimed(pool, claimId, settlement);
    },

    async addClaimed(companyId, event, claim) {
      const row = await insertClaimed(pool, companyId, event, claim, new Date(clock.now()));
      return row === undefined ? null : readClaimed(row);
    },

    async list(companyId, filter, { cursor, limit }) {
      const rows = await prisma.webhookDelivery.findMany({
        where: { companyId, ...filter, ...(cursor === null ? {} : { id: { lt: cursor } }) },
        orderBy: { id: 'desc' },
        take: limit + 1,
        omit: { body: true },
      });
      return pageOf(rows, limit, readDelivery);
    },

    async find(companyId, id) {
      // By start: the numbers begin anew with every redelivery.
      const row = await prisma.webhookDelivery.findUnique({
        where: { id },
        include: { log: { orderBy: [{ startedAt: 'asc' }, { number: 'asc' }] } },
      });
      return lookupOf(companyId, row, (found) => ({
        ...readDelivery(found),
        body: found.body,
        log: found.log.map(readAttempt),
      }));
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
      return lookupOf(companyId, await redeliverOne(pool, companyId, id, now), (row) => row.changed);
    },

    redeliverDeadSince(companyId, since, now) {
      return redeliverAllDead(pool, companyId, since, now);
    },

    backlog(now) {
      return backlogAt(pool, now);
    },
  };
}
