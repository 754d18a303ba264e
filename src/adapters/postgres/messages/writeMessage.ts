import type { Pool } from 'pg';
import type { AgentId, CompanyId, MessageId } from '../../../domain/ids.ts';
import type { Audience, Message } from '../../../domain/messages.ts';
import type { RememberedAnswer } from '../../../ports/calls.ts';
import { answerAsStored } from '../calls/idempotencyStore.ts';
import { deleteOld, run } from '../queries.ts';
import { textFor } from '../storableValues.ts';

/** $1 company id, $2 who writes, $3 agent ids or null. */
export const findReachable = {
  name: 'find_reachable',
  text: `SELECT id FROM agent WHERE company_id = $1 AND active AND role <> 'dialer' AND id <> $2
    AND ($3::uuid[] IS NULL OR id = ANY ($3)) ORDER BY id`,
};

export async function reachable(
  pool: Pool,
  companyId: CompanyId,
  senderId: AgentId,
  among: readonly AgentId[] | null,
): Promise<AgentId[]> {
  return (await run<{ id: AgentId }>(pool, findReachable, [companyId, senderId, among])).map(({ id }) => id);
}

/**
 * $1 to $9 the message, $10 for whom it is; $11 Idempotency-Key or null, $12 status, $13 answer, $14 when it is
 * forgotten, $15 until when the request holds the key. A request that no longer holds its key writes nothing.
 */
export const createMessage = {
  name: 'create_message',
  text: `WITH answered AS (
    UPDATE idempotency_key SET status = $12, response = $13::jsonb, expires_at = $14
    WHERE company_id = $1 AND key = $11 AND status IS NULL AND expires_at = $15 RETURNING key
  ), written AS (
    INSERT INTO message (company_id, id, sender_id, text, audience, audience_id, audience_name, created_at,
      expires_at, changed_at)
    SELECT $1::uuid, $2::uuid, $3::uuid, $4, $5, $6::uuid, $7, $8::timestamptz, $9::timestamptz, $8
    WHERE $11::text IS NULL OR EXISTS (SELECT FROM answered)
    RETURNING id
  ), told AS (
    INSERT INTO message_reader (company_id, agent_id, message_id) SELECT $1, reader.id, written.id
    FROM written CROSS JOIN unnest($10::uuid[]) AS reader (id)
  )
  SELECT id FROM written`,
};

export async function insertMessage(
  pool: Pool,
  message: Message,
  readers: readonly AgentId[],
  remember: RememberedAnswer | undefined,
): Promise<'written' | 'not_written'> {
  const { companyId, id, sender, text, audience, createdAt, expiresAt } = message;
  const ofKey = [
    remember?.key.key ?? null,
    remember?.status ?? null,
    remember === undefined ? null : answerAsStored(remember.body),
    remember?.expiresAt ?? null,
    remember?.key.heldUntil ?? null,
  ];
  const values = [
    companyId,
    id,
    sender.id,
    textFor('text', text),
    ...columnsOf(audience),
    createdAt,
    expiresAt,
    readers,
    ...ofKey,
  ];
  return (await run(pool, createMessage, values)).length > 0 ? 'written' : 'not_written';
}

function columnsOf(audience: Audience): [kind: string, id: string | null, name: string | null] {
  return audience.kind === 'everybody' ? [audience.kind, null, null] : [audience.kind, audience.id, audience.name];
}

/** $1 company id, $2 whose or null, $3 message id, $4 when. */
export const takeMessageBack = {
  name: 'take_message_back',
  text: `UPDATE message SET taken_back_at = coalesce(taken_back_at, $4),
    changed_at = CASE WHEN taken_back_at IS NULL THEN $4 ELSE changed_at END
  WHERE company_id = $1 AND ($2::uuid IS NULL OR sender_id = $2) AND id = $3 RETURNING id`,
};

export async function takeBack(
  pool: Pool,
  companyId: CompanyId,
  senderId: AgentId | null,
  id: MessageId,
  at: Date,
): Promise<boolean> {
  return (await run(pool, takeMessageBack, [companyId, senderId, id, at])).length > 0;
}

/** $1 company id, $2 agent id, $3 message id, $4 when. */
export const markMessageRead = {
  name: 'mark_message_read',
  text: `WITH marked AS (
    UPDATE message_reader SET read_at = $4 WHERE company_id = $1 AND agent_id = $2 AND message_id = $3
      AND read_at IS NULL
  )
  SELECT true AS found FROM message_reader WHERE company_id = $1 AND agent_id = $2 AND message_id = $3`,
};

export async function markRead(
  pool: Pool,
  companyId: CompanyId,
  agentId: AgentId,
  id: MessageId,
  at: Date,
): Promise<boolean> {
  return (await run(pool, markMessageRead, [companyId, agentId, id, at])).length > 0;
}

/** $1 before when, $2 how many at most; each with its readers. */
export const pruneOldMessages = {
  name: 'prune_messages',
  text: deleteOld('message', ['company_id', 'id'], 'WHERE created_at < $1 ORDER BY created_at LIMIT $2'),
};

/** Deletes messages from before then, the oldest first; how many. */
export async function pruneMessages(pool: Pool, before: Date, limit: number): Promise<number> {
  return (await run(pool, pruneOldMessages, [before, limit])).length;
}
