import { Anchor, List, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { CallView, Conversation as Calls } from '../../../../../src/contract/calls.ts';
import { api } from '../../../lib/gateway/api.ts';
import { CallResult } from './CallTable.tsx';

type Props = { call: CallView; onOpen: (id: string) => void };

/** Of a call that was handed on, or asked about: the calls of the same conversation, one agent after the other. */
export function Conversation({ call: { id, parent_call_id: parent, end_reason: ended }, onOpen }: Props) {
  const { t } = useTranslation();
  const isOfSeveral = parent !== null || ended === 'transferred';
  const { data } = useQuery({
    queryKey: ['conversation', id],
    queryFn: ({ signal }) => api.get<Calls>(`/api/calls/${id}/conversation`, {}, signal),
    enabled: isOfSeveral,
  });
  if (data === undefined || data.calls.length < 2) return null;
  const nameOf = (agentId: string) => data.agents.find((agent) => agent.id === agentId)?.name ?? '–';
  return (
    <List size="sm" aria-label={t('calls.one.conversation')}>
      {data.calls.map((call) => (
        <List.Item key={call.id}>
          {call.id === id ? (
            <Text component="bdi" size="sm" fw={600}>
              {nameOf(call.agent_id)}
            </Text>
          ) : (
            <Anchor component="button" type="button" size="sm" onClick={() => onOpen(call.id)}>
              <bdi>{nameOf(call.agent_id)}</bdi>
            </Anchor>
          )}
          {' · '}
          <CallResult call={call} />
        </List.Item>
      ))}
    </List>
  );
}
