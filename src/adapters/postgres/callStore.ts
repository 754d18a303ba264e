import type { CallStore } from '../../ports/calls.ts';
import { readCall } from './callRows.ts';
import { lookupOf, pageOf } from './lookup.ts';
import type { StoreParts } from './prisma.ts';
import { updateCall } from './statements/commitCall.ts';
import { insertCall } from './statements/createCall.ts';
import { callById } from './statements/findCall.ts';

const notEnded = { state: { not: 'ended' } };

/** Calls in PostgreSQL, written together with the webhooks that announce their changes. */
export function createCallStore({ pool, prisma, clock }: StoreParts): CallStore {
  const now = () => new Date(clock.now());

  return {
    async create(call, events, remember) {
      await insertCall(pool, call, events, now(), remember);
    },

    async commit(next, events) {
      return (await updateCall(pool, next, events, now())) ? 'committed' : 'conflict';
    },

    async find(companyId, id) {
      return lookupOf(companyId, await callById(pool, id), readCall);
    },

    async findActive(companyId, agentId) {
      const row = await prisma.call.findFirst({ where: { companyId, agentId, ...notEnded }, orderBy: { id: 'desc' } });
      return row === null ? null : readCall(row);
    },

    async list(companyId, filter, { cursor, limit }) {
      const rows = await prisma.call.findMany({
        where: { companyId, ...filter, ...(cursor === null ? {} : { id: { lt: cursor } }) },
        orderBy: { id: 'desc' },
        take: limit + 1,
      });
      return pageOf(rows, limit, readCall);
    },

    async listActive(before, { cursor, limit }) {
      const rows = await prisma.call.findMany({
        where: { createdAt: { lt: before }, ...notEnded, ...(cursor === null ? {} : { id: { gt: cursor } }) },
        orderBy: { id: 'asc' },
        take: limit + 1,
      });
      return pageOf(rows, limit, readCall);
    },
  };
}
