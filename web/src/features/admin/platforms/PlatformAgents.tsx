import { useState } from 'react';
import { Button, Group, Select, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { ColleagueList } from '../../../../../src/contract/colleagues.ts';
import type { AccountFieldView, PlatformAgentView } from '../../../../../src/contract/ctiConnections.ts';
import { api } from '../../../lib/gateway/api.ts';
import { Problem } from '../components/Loaded.tsx';
import { AgentAccount } from './AgentAccount.tsx';
import { platformAgentsQuery, useMapAgent } from './platformQueries.ts';

/** A pause of this length is the end of a burst of typing. Milliseconds. */
const typingPauseMs = 200;

/** The agents of whom a platform has told, and who of the company each of them is. */
export function PlatformAgents({
  connector,
  loginFields,
}: {
  connector: string;
  /** What each of them logs in with; none: the company's account serves for all. */
  loginFields: readonly AccountFieldView[];
}) {
  const { t } = useTranslation();
  const query = useInfiniteQuery(platformAgentsQuery(connector));
  const agents = query.data?.pages.flatMap((page) => page.agents) ?? [];
  return (
    <Stack component="ul" gap="xs" p={0} m={0} aria-label={t('platforms.agents.title')}>
      <Problem error={query.error} />
      {agents.map((agent) => (
        <OneAgent key={agent.platform_id} connector={connector} loginFields={loginFields} agent={agent} />
      ))}
      {query.hasNextPage && (
        <Button
          size="xs"
          variant="default"
          loading={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {t('platforms.agents.more')}
        </Button>
      )}
    </Stack>
  );
}

function OneAgent({
  connector,
  loginFields,
  agent,
}: {
  connector: string;
  loginFields: readonly AccountFieldView[];
  agent: PlatformAgentView;
}) {
  const { t } = useTranslation();
  const map = useMapAgent(connector, agent.platform_id);
  const { agent_id: agentId, email, matched_by: matchedBy, name, platform_id: id, state } = agent;
  const who = name ?? email ?? id;
  const [showsLogin, setShowsLogin] = useState(false);
  const [typed, setTyped] = useState('');
  const [asked] = useDebouncedValue(typed.trim(), typingPauseMs);
  const { data: found } = useQuery({
    queryKey: ['colleagues', asked],
    queryFn: ({ signal }) => api.get<ColleagueList>('/api/colleagues', { q: asked, limit: 50 }, signal),
    placeholderData: keepPreviousData,
  });
  const { data: own } = useQuery({
    queryKey: ['agent', agentId],
    queryFn: ({ signal }) =>
      api.get<{ id: string; name: string; agent_code: string }>(`/api/agents/${agentId ?? ''}`, {}, signal),
    enabled: agentId !== null,
  });
  const loginAction = t(
    agent.account?.settings == null ? 'platforms.agents.login.set' : 'platforms.agents.login.change',
  );
  const known = [
    ...(own === undefined || agentId === null ? [] : [own]),
    ...(found?.colleagues ?? []).filter((one) => one.id !== agentId),
  ];
  return (
    <Group component="li" align="flex-end" gap="sm" style={{ listStyle: 'none' }}>
      <div style={{ flex: '1 1 180px', minWidth: 0, overflowWrap: 'anywhere' }}>
        <Text size="sm" fw={600}>
          <bdi>{who}</bdi>
        </Text>
        <Text size="xs" c="dimmed">
          {[...new Set([id, email].filter((text) => text !== null && text !== who))].join(' · ')}
          {state !== null && ` ${t(`shared.state.${state}`)}`}
        </Text>
      </div>
      <Select
        label={t('platforms.agents.who', { who })}
        description={matchedBy === null ? t('platforms.agents.nobody') : t(`platforms.agents.by.${matchedBy}`)}
        placeholder={t('platforms.agents.choose')}
        searchable
        clearable={matchedBy === 'table'}
        disabled={map.isPending}
        data={known.map(({ id: value, name: label, agent_code: code }) => ({ value, label: `${label} (${code})` }))}
        // What the gateway found is what fits.
        filter={({ options }) => options}
        value={agentId}
        onChange={(value) => map.run(value)}
        searchValue={typed}
        onSearchChange={setTyped}
        error={map.error === null ? undefined : t('platforms.agents.failed')}
        flex="1 1 220px"
      />
      {agent.account !== null && (
        <Button
          size="xs"
          variant="default"
          aria-expanded={showsLogin}
          aria-label={`${loginAction}: ${who}`}
          onClick={() => setShowsLogin(!showsLogin)}
        >
          {loginAction}
        </Button>
      )}
      {showsLogin && (
        <div style={{ flex: '1 0 100%' }}>
          <AgentAccount connector={connector} fields={loginFields} agent={agent} who={who} />
        </div>
      )}
    </Group>
  );
}
