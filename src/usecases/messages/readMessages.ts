import type { ListMessagesQuery, ListReadersQuery, MessageList, MessageReaders } from '../../contract/messages.ts';
import type { Principal } from '../../domain/access.ts';
import { toId } from '../../domain/ids.ts';
import { ok, type Outcome } from '../../domain/outcome.ts';
import type { Services } from '../services.ts';
import { messageView, noSuchMessage, sendersShownTo } from './messageViews.ts';

type Needs = Pick<Services, 'messages'>;

/** The messages that the caller sees, the latest first, each with how many have read it. */
export async function listMessages(
  { messages }: Needs,
  principal: Principal,
  { cursor, limit }: ListMessagesQuery,
): Promise<MessageList> {
  const { items, nextCursor } = await messages.list(principal.companyId, sendersShownTo(principal), {
    cursor: cursor ?? null,
    limit,
  });
  return { messages: items.map(messageView), next_cursor: nextCursor };
}

/** Who has read a message, and who has not. */
export async function listReaders(
  { messages }: Needs,
  principal: Principal,
  id: string,
  { cursor, limit, read }: ListReadersQuery,
): Promise<Outcome<MessageReaders>> {
  const { companyId } = principal;
  const found = await messages.find(companyId, sendersShownTo(principal), toId(id));
  if (found === null) return noSuchMessage;
  const { items, nextCursor } = await messages.readers(
    companyId,
    found.id,
    read === undefined ? null : read === 'true',
    { cursor: cursor ?? null, limit },
  );
  const readers = items.map(({ id: agentId, name, agentCode, readAt }) => ({
    id: agentId,
    name,
    agent_code: agentCode,
    read_at: readAt?.toISOString() ?? null,
  }));
  return ok({ readers, next_cursor: nextCursor });
}
