import { keepPreviousData, useQueryClient } from '@tanstack/react-query';
import type {
  MessageList,
  MessageReaders,
  MessageView,
  WriteMessageRequest,
} from '../../../../src/contract/messages.ts';
import { api } from '../../lib/gateway/api.ts';
import { useAction } from '../../lib/gateway/useAction.ts';
import { pagedQuery } from '../../shared/list/pagedQuery.ts';

/** So often it is looked who has read them, while somebody looks. Milliseconds. */
const everyMs = 10_000;

/** What was written, the latest first. */
export const sentMessages = pagedQuery({
  queryKey: ['messages'],
  path: '/api/messages',
  query: { limit: 10 },
  entries: (page: MessageList) => page.messages,
  refetchInterval: everyMs,
});

/** Who has not read it yet. */
export function unreadBy({ id, read, readers }: MessageView) {
  return pagedQuery({
    queryKey: ['messages', id, 'unread', read, readers],
    path: `/api/messages/${id}/readers`,
    query: { read: 'false', limit: 50 },
    entries: (page: MessageReaders) => page.readers,
    placeholderData: keepPreviousData,
  });
}

/** Writes a message; `key`: the same for the same one, however often its button is pressed. */
export function useWriteMessage() {
  const queries = useQueryClient();
  return useAction(async ({ key, ...message }: Partial<WriteMessageRequest> & { key: string }) => {
    const written = await api.post<MessageView>('/api/messages', message, { 'Idempotency-Key': key });
    await queries.invalidateQueries({ queryKey: ['messages'], exact: true });
    return written;
  });
}

/** Takes a message back. */
export function useTakeBack() {
  const queries = useQueryClient();
  return useAction(async (id: string) => {
    await api.delete(`/api/messages/${id}`);
    await queries.invalidateQueries({ queryKey: ['messages'], exact: true });
  });
}
