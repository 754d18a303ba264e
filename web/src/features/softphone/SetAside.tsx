import { Alert, Button, Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AgentStateView } from '../../../../src/contract/agents.ts';
import type { Translate } from '../../lib/i18n/catalog.ts';
import { useWorkplace } from '../workplace/workplaceContext.ts';
import { isHeldByGateway } from './StatusLine.tsx';

/** Says who is Not Ready without having asked for it, and why, with the way back; until it is dismissed or over. */
export function SetAside() {
  const { t } = useTranslation();
  const { view, workplace, run } = useWorkplace();
  const { agent } = view;
  const before = useStateBefore(agent);
  const [dismissed, setDismissed] = useState<string | null>(null);
  if (agent === null || !isHeldByGateway(view) || agent.since === dismissed) return null;
  const text = setAsideText(t, agent, before);
  if (text === null) return null;
  return (
    <Alert
      mt="xs"
      p="xs"
      variant="light"
      color="orange"
      role="alert"
      icon={<IconAlertTriangle size={16} />}
      withCloseButton
      closeButtonLabel={t('softphone.notice.dismiss')}
      onClose={() => setDismissed(agent.since)}
      data-testid="set-aside"
    >
      <Group gap="xs">
        <Text size="sm" flex="1 1 12rem">
          {text}
        </Text>
        <Button size="compact-sm" color="green" variant="light" onClick={() => run(() => workplace.setReady())}>
          {t('softphone.setAside.goReady')}
        </Button>
      </Group>
    </Alert>
  );
}

/** What the agent was before this state; null: this page does not know. */
function useStateBefore(agent: AgentStateView | null): AgentStateView | null {
  const [seen, setSeen] = useState<{ now: AgentStateView | null; before: AgentStateView | null }>({
    now: null,
    before: null,
  });
  const isSame = seen.now === agent || (seen.now !== null && agent !== null && seen.now.since === agent.since);
  if (isSame) return seen.before;
  setSeen({ now: agent, before: seen.now });
  return seen.now;
}

/** Whatever else makes an agent Not Ready was their own choice. */
const causes = ['connection_lost', 'delivery_failed', 'rejected', 'no_answer', 'supervisor'] as const;

/**
 * What to tell an agent whom somebody else, or the time, has made Not Ready; null: nothing.
 * @param before what this page knew of the agent before this state; null: nothing
 */
function setAsideText(t: Translate, agent: AgentStateView, before: AgentStateView | null): string | null {
  if (agent.state !== 'not_ready' || agent.reason === null) return null;
  if (agent.reason === 'login')
    return before === null || before.state === 'offline' ? null : t('softphone.setAside.loggedOut');
  const cause = causes.find((code) => code === agent.reason);
  return cause === undefined ? null : t(`softphone.setAside.${cause}`);
}
