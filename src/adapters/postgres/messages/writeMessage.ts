import type { Pool } from 'pg';
import type { AgentId, CompanyId, MessageId } from '../../../domain/ids.ts';
import type { Audience, Message } from '../../../domain/messages.ts';
import type { RememberedAnswer } from '../../../ports/calls.ts';
import { answeredBy, holdsKey, keyValues } from '../calls/idempotencyStore.ts';
import { deleteOld, run } from '../queries.ts';
import { textFor } from '../storableValues.ts';

/**
 * $1 to $9 the message, $10 for whom it is; $11 to $15 the request's key (see answeredBy).
 * A request that no longer holds its key writes nothing.
 */
export const createMessage = {
  name: 'create_message',
  text: `WITH ${answeredBy(11)}, written AS (
    INSERT INTO message (company_id, id, sender_id, text, audience, audience_id, audience_name, created_at,
      expires_at, changed_at)
    SELECT $1::uuid, $2::uuid, $3::uuid, $4, $5, $6::uuid, $7, $8::timestamptz, $9::timestamptz, $8
    WHERE ${holdsKey(11)}
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
  const values = [
    companyId,
    id,
    sender.id,
    textFor('text', text),
    ...columnsOf(audience),
    createdAt,
    expiresAt,
    readers,
    ...keyValues(remember),
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
