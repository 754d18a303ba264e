import { Badge, Group, Text, Title } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { AgentStateBadge } from '../../shared/agentState.tsx';
import { reasonText } from '../../shared/reasonWords.ts';
import { clockText } from '../../shared/time.ts';
import { awayText, isHeldByGateway } from '../workplace/lineWords.ts';
import { PageTools } from './PageTools.tsx';
import { StateControl } from './StateControl.tsx';
import { useGatewayNow } from '../workplace/useGatewayNow.ts';
import { useWorkplace } from '../workplace/workplaceContext.ts';

type Props = { name: string; isPassive: boolean; onSignOut: () => void };

/** Who works here, in which state and for how long, and what to change about it. */
export function AgentHeader({ name, isPassive, onSignOut }: Props) {
  return (
    <>
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Title order={1} size="h2" lineClamp={1} title={name}>
          {name}
        </Title>
        <PageTools onSignOut={onSignOut} />
      </Group>
      {!isPassive && (
        <Group justify="space-between" gap="xs" mt={4}>
          <CurrentState />
          <StateControl />
        </Group>
      )}
    </>
  );
}

function CurrentState() {
  const { view } = useWorkplace();
  const { agent, settings } = view;
  const now = useGatewayNow();
  if (agent === null) return <Text size="sm">State not known yet</Text>;
  if (!isHeldByGateway(view)) return <Away {...awayText(view)} />;
  const reason = agent.reason === null ? null : reasonText(agent.reason, settings?.not_ready_reasons ?? []);
  return (
    <Group gap="xs" wrap="nowrap" data-testid="agent-state">
      <AgentStateBadge state={agent.state} />
      {reason !== null && <Text size="sm">{reason}</Text>}
      {agent.since !== null && (
        <Text size="sm" ff="monospace" role="timer" aria-label="Time in this state">
          {clockText(now - Date.parse(agent.since))}
        </Text>
      )}
    </Group>
  );
}

/** Grey, and none of the states: the gateway may hold another one by now. */
function Away({ label, detail }: { label: string; detail: string }) {
  return (
    <Group gap="xs" wrap="nowrap" data-testid="agent-state">
      <Badge color="gray" variant="light" size="lg" radius="sm" tt="none" leftSection={<IconPlugConnectedX size={14} aria-hidden />}>
        {label}
      </Badge>
      <Text size="sm" fw={600}>
        {detail}
      </Text>
    </Group>
  );
}
