import type { AgentId } from '../../../domain/ids.ts';
import type { MessageStore } from '../../../ports/messages.ts';
import { people } from '../agents/findAgent.ts';
import type { StoreParts } from '../pool.ts';
import { pageOf } from '../queries.ts';
import {
  changedMessages,
  listMessages,
  listReaders,
  messageById,
  oldestLasting,
  unreadBy,
  unreadMessages,
} from './findMessages.ts';
import { insertMessage, markRead, pruneMessages, takeBack } from './writeMessage.ts';

/** What supervisors wrote for softphones, in PostgreSQL. */
export function createMessageStore({ pool, prisma }: Pick<StoreParts, 'pool' | 'prisma'>): MessageStore {
  return {
    async reachable(companyId, senderId, among) {
      const rows = await prisma.agent.findMany({
        where: { companyId, ...people, id: { not: senderId, ...(among === null ? {} : { in: [...among] }) } },
        select: { id: true },
        orderBy: { id: 'asc' },
      });
      return rows.map(({ id }) => id as AgentId);
    },
    countLasting: (companyId, now) =>
      prisma.message.count({
        where: { companyId, id: { gte: oldestLasting(now) }, expiresAt: { gt: now }, takenBackAt: null },
      }),
    create: (message, readers, remember) => insertMessage(pool, message, readers, remember),
    list: async (companyId, senderId, { cursor, limit }) =>
      pageOf(await listMessages(pool, companyId, senderId, cursor, limit + 1), limit, (message) => message),
    find: async (companyId, senderId, id) => (await messageById(pool, companyId, senderId, id)) ?? null,
    readers: async (companyId, id, hasRead, { cursor, limit }) =>
      pageOf(await listReaders(pool, companyId, id, hasRead, cursor, limit + 1), limit, (reader) => reader),
    takeBack: (companyId, senderId, id, at) => takeBack(pool, companyId, senderId, id, at),
    markRead: (companyId, agentId, id, at) => markRead(pool, companyId, agentId, id, at),
    unread: (asked, now, limit) => unreadMessages(pool, asked, now, limit),
    changed: (companyIds, since) => changedMessages(pool, companyIds, since),
    unreadBy: (companyId, id, among) => unreadBy(pool, companyId, id, among),
    prune: (before, limit) => pruneMessages(pool, before, limit),
  };
}
