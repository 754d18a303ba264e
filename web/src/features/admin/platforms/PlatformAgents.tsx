import { useState } from 'react';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { AccountFieldView, PlatformAgentView } from '../../../../../src/contract/ctiConnections.ts';
import { AgentSelect } from '../../../shared/list/AgentSelect.tsx';
import { MoreButton } from '../../../shared/list/MoreButton.tsx';
import { Problem } from '../components/Loaded.tsx';
import { AgentAccount } from './AgentAccount.tsx';
import { platformAgentsQuery, useMapAgent } from './platformQueries.ts';

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
  return (
    <Stack component="ul" gap="xs" p={0} m={0} aria-label={t('platforms.agents.title')}>
      <Problem error={query.error} />
      {query.data?.map((agent) => (
        <OneAgent key={agent.platform_id} connector={connector} loginFields={loginFields} agent={agent} />
      ))}
      <MoreButton query={query} text={t('platforms.agents.more')} isWide />
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
  const loginAction = t(
    agent.account?.settings == null ? 'platforms.agents.login.set' : 'platforms.agents.login.change',
  );
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
      <AgentSelect
        label={t('platforms.agents.who', { who })}
        description={matchedBy === null ? t('platforms.agents.nobody') : t(`platforms.agents.by.${matchedBy}`)}
        placeholder={t('platforms.agents.choose')}
        clearable={matchedBy === 'table'}
        disabled={map.isPending}
        value={agentId}
        onChange={(value) => map.run(value)}
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
