import type { Pool } from 'pg';
import { type AgentId, type CompanyId, idsSince, type MessageId, type TeamId } from '../../../domain/ids.ts';
import { type Audience, longestMessageMinutes, type Message } from '../../../domain/messages.ts';
import type { AgentKey } from '../../../ports/agents.ts';
import type { CountedMessage, MessageReader } from '../../../ports/messages.ts';
import { Prisma } from '../generated/client.ts';
import { fieldColumns, run, type Statement } from '../queries.ts';

/** @param company SQL: whose; a parameter where it is one company's, so that no other is looked at */
const columns = (company: string) => `${fieldColumns(Prisma.MessageScalarFieldEnum, { but: ['changedAt'], of: 'm' })},
  (SELECT name FROM agent WHERE company_id = ${company} AND id = m.sender_id) AS "senderName"`;

type Row = Omit<Message, 'audience' | 'sender'> & {
  senderId: AgentId;
  senderName: string;
  audience: Audience['kind'];
  audienceId: string | null;
  audienceName: string | null;
};
type CountedRow = Row & Pick<CountedMessage, 'readers' | 'read'>;

function readMessage({
  companyId,
  id,
  senderId,
  senderName,
  text,
  createdAt,
  expiresAt,
  takenBackAt,
  ...told
}: Row): Message {
  return {
    companyId,
    id,
    sender: { id: senderId, name: senderName },
    text,
    audience: audienceOf(told),
    createdAt,
    expiresAt,
    takenBackAt,
  };
}

function audienceOf({
  audience: kind,
  audienceId,
  audienceName,
}: Pick<Row, 'audience' | 'audienceId' | 'audienceName'>): Audience {
  const name = audienceName ?? '';
  switch (kind) {
    case 'agent':
      return { kind, id: audienceId as AgentId, name };
    case 'team':
      return { kind, id: audienceId as TeamId, name };
    case 'everybody':
      return { kind };
  }
}

/** Who left without having read it will not: they are not counted, nor listed. */
const stillCounts = '(r.read_at IS NOT NULL OR a.active)';
const joinedAgent = 'JOIN agent a ON a.company_id = r.company_id AND a.id = r.agent_id';
const counted = `${columns('$1')}, counts.readers, counts.read FROM message m CROSS JOIN LATERAL (
    SELECT count(*)::int AS readers, count(r.read_at)::int AS read FROM message_reader r ${joinedAgent}
    WHERE r.company_id = $1 AND a.company_id = $1 AND r.message_id = m.id AND ${stillCounts}
  ) AS counts`;

/**
 * $1 company id, $2 whose or null, $3 id of the last one of the page before or null, $4 how many.
 * A message has from one to thousands of readers.
 */
export const listMessagesOf: Statement = {
  name: 'list_messages',
  text: `SELECT ${counted} WHERE m.company_id = $1 AND ($2::uuid IS NULL OR m.sender_id = $2)
    AND ($3::uuid IS NULL OR m.id < $3) ORDER BY m.id DESC LIMIT $4`,
  planEachTime: true,
};

export async function listMessages(
  pool: Pool,
  companyId: CompanyId,
  senderId: AgentId | null,
  cursor: string | null,
  limit: number,
): Promise<CountedMessage[]> {
  return (await run<CountedRow>(pool, listMessagesOf, [companyId, senderId, cursor, limit])).map(readCounted);
}

/** $1 company id, $2 whose or null, $3 message id. */
export const findMessage: Statement = {
  name: 'find_message',
  text: `SELECT ${counted} WHERE m.company_id = $1 AND ($2::uuid IS NULL OR m.sender_id = $2) AND m.id = $3`,
  planEachTime: true,
};

export async function messageById(
  pool: Pool,
  companyId: CompanyId,
  senderId: AgentId | null,
  id: MessageId,
): Promise<CountedMessage | undefined> {
  return (await run<CountedRow>(pool, findMessage, [companyId, senderId, id])).map(readCounted)[0];
}

function readCounted(row: CountedRow): CountedMessage {
  return { ...readMessage(row), readers: row.readers, read: row.read };
}

/**
 * $1 company id, $2 message id, $3 whether they have read it or null,
 * $4 id of the last one of the page before or null, $5 how many.
 */
export const listMessageReaders: Statement = {
  name: 'list_message_readers',
  text: `SELECT a.id, a.name, a.agent_code AS "agentCode", r.read_at AS "readAt" FROM message_reader r ${joinedAgent}
  WHERE r.company_id = $1 AND r.message_id = $2 AND ${stillCounts}
    AND ($3::boolean IS NULL OR (r.read_at IS NOT NULL) = $3) AND ($4::uuid IS NULL OR a.id > $4)
  ORDER BY a.id LIMIT $5`,
  planEachTime: true,
};

export async function listReaders(
  pool: Pool,
  companyId: CompanyId,
  id: MessageId,
  hasRead: boolean | null,
  cursor: string | null,
  limit: number,
): Promise<MessageReader[]> {
  return run<MessageReader>(pool, listMessageReaders, [companyId, id, hasRead, cursor, limit]);
}

/** $1 company ids, $2 agent ids, in pairs; $3 now, $4 a bound of the ids, $5 how many of each agent. */
export const findUnreadMessages: Statement = {
  name: 'find_unread_messages',
  text: `SELECT asked.place::int, m.* FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY
    AS asked (of_company, reader_id, place) CROSS JOIN LATERAL (
      SELECT ${columns('asked.of_company')} FROM message_reader r JOIN message m ON m.company_id = r.company_id
        AND m.id = r.message_id
      WHERE r.company_id = asked.of_company AND m.company_id = asked.of_company AND r.agent_id = asked.reader_id
        AND r.message_id >= $4 AND r.read_at IS NULL AND m.expires_at > $3 AND m.taken_back_at IS NULL
      ORDER BY r.message_id DESC LIMIT $5
    ) m ORDER BY m.id`,
};

export async function unreadMessages(
  pool: Pool,
  asked: readonly AgentKey[],
  now: Date,
  limit: number,
): Promise<Message[][]> {
  const unread: Message[][] = asked.map(() => []);
  const keys = [asked.map(({ companyId }) => companyId), asked.map(({ agentId }) => agentId)];
  const rows = await run<Row & { place: number }>(pool, findUnreadMessages, [...keys, now, oldestLasting(now), limit]);
  for (const { place, ...row } of rows) unread[place - 1]?.push(readMessage(row));
  return unread;
}

/** $1 company ids, $2 since when. */
export const findChangedMessages: Statement = {
  name: 'find_changed_messages',
  text: `SELECT ${columns('m.company_id')} FROM message m WHERE m.company_id = ANY ($1::uuid[]) AND m.changed_at >= $2
    ORDER BY m.id`,
};

export async function changedMessages(pool: Pool, companyIds: readonly CompanyId[], since: Date): Promise<Message[]> {
  return (await run<Row>(pool, findChangedMessages, [companyIds, since])).map(readMessage);
}

/** $1 company id, $2 message id, $3 agent ids. */
export const findUnreadBy: Statement = {
  name: 'find_unread_by',
  text: `SELECT agent_id AS "agentId" FROM message_reader WHERE company_id = $1 AND message_id = $2 AND read_at IS NULL
    AND agent_id = ANY ($3::uuid[])`,
  planEachTime: true,
};

export async function unreadBy(
  pool: Pool,
  companyId: CompanyId,
  id: MessageId,
  among: readonly AgentId[],
): Promise<AgentId[]> {
  return (await run<{ agentId: AgentId }>(pool, findUnreadBy, [companyId, id, among])).map(({ agentId }) => agentId);
}

/** Ids grow with the time at which they were made: what is longer ago is over. */
export function oldestLasting(now: Date): string {
  return idsSince(new Date(now.getTime() - longestMessageMinutes * 60_000));
}
