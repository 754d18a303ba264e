import { Badge, Button, Group, Menu, Text, Title } from '@mantine/core';
import { IconChevronDown, IconPlugConnectedX } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { platformName } from '../../../../src/contract/platforms.ts';
import type { CodeWithLabel } from '../../../../src/contract/values.ts';
import type { RequestableState } from '../../../../src/contract/vocabulary.ts';
import type { Translate } from '../../lib/i18n/catalog.ts';
import { lazyPart } from '../../lib/i18n/lazyPart.tsx';
import { AgentStateBadge, allNotReadyReasons, reasonText } from '../../shared/agentState.tsx';
import { clockText } from '../../shared/time.ts';
import { useGatewayNow, useWorkplace } from '../workplace/workplaceContext.ts';
import { awayText, isHeldByGateway } from './StatusLine.tsx';

const PageTools = lazyPart(
  async () => (await import('./PageTools.tsx')).PageTools,
  async () => ({
    audio: (await import('../../locales/en/audio.json')).default,
    colleagues: (await import('../../locales/en/colleagues.json')).default,
    day: (await import('../../locales/en/day.json')).default,
    ring: (await import('../../locales/en/ring.json')).default,
  }),
);

type Props = { name: string; isPassive: boolean; onSignOut: () => void };

/** Who works here, in which state and for how long, and what to change about it. */
export function AgentHeader({ name, isPassive, onSignOut }: Props) {
  return (
    <>
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Title order={1} size="h2" lineClamp={1} title={name}>
          {name}
        </Title>
        <Suspense fallback={<span style={{ width: 238, height: 28 }} />}>
          <PageTools onSignOut={onSignOut} />
        </Suspense>
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
  const { t } = useTranslation();
  const { view } = useWorkplace();
  const { agent, settings } = view;
  const now = useGatewayNow();
  if (agent === null) return <Text size="sm">{t('softphone.header.unknown')}</Text>;
  if (!isHeldByGateway(view)) return <Away {...awayText(t, view)} />;
  const reason = agent.reason === null ? null : reasonText(t, agent.reason, settings?.not_ready_reasons ?? []);
  return (
    <Group gap="xs" wrap="nowrap" data-testid="agent-state">
      <AgentStateBadge state={agent.state} />
      {reason !== null && <Text size="sm">{reason}</Text>}
      {agent.since !== null && (
        <Text size="sm" ff="monospace" role="timer" aria-label={t('softphone.header.time')}>
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
      <Badge
        color="gray"
        variant="light"
        size="lg"
        radius="sm"
        tt="none"
        leftSection={<IconPlugConnectedX size={14} aria-hidden />}
      >
        {label}
      </Badge>
      <Text size="sm" fw={600}>
        {detail}
      </Text>
    </Group>
  );
}

/**
 * Ready, and Not Ready with a reason. During a call it is asked for after it.
 * A platform that sets the state is asked where it can be, and the state changes once it says so.
 */
function StateControl() {
  const { t } = useTranslation();
  const { view, workplace, run } = useWorkplace();
  const [asked, setAsked] = useState<{ state: RequestableState; reason: string | null; version: number } | null>(null);
  const { agent } = view;
  if (agent === null) return null;
  if (agent.state === 'offline') {
    return (
      <Button size="compact-sm" onClick={() => workplace.takeOver()}>
        {t('softphone.header.logInAgain')}
      </Button>
    );
  }
  // Absent in what gateways of before tell.
  const owner = agent.platform?.sets_state === true ? agent.platform.connector : null;
  if (owner !== null && view.settings?.state_platforms?.includes(owner) !== true) {
    return (
      <Text size="sm" data-testid="set-elsewhere">
        {t('softphone.header.setElsewhere', { name: platformName(owner) })}
      </Text>
    );
  }
  const isBusy = agent.state !== 'ready' && agent.state !== 'not_ready';
  const isConnected = view.line === 'connected';
  const requested = isBusy ? agent.pending_state : agent.state;
  const chosen = isHeldByGateway(view) ? requested : null;
  const ask = (state: RequestableState, reason: string | null, send: () => Promise<void>) =>
    run(async () => {
      await send();
      if (owner !== null) setAsked({ state, reason, version: agent.version });
    });
  // Until the platform says anything.
  const isAsked =
    asked?.version === agent.version &&
    (asked.state !== agent.state || (asked.reason !== null && asked.reason !== agent.reason));
  return (
    <Group gap="xs">
      <Button.Group>
        <Button
          size="compact-sm"
          color="green"
          variant={chosen === 'ready' ? 'light' : 'default'}
          aria-pressed={chosen === 'ready'}
          disabled={!isConnected}
          onClick={() => ask('ready', null, () => workplace.setReady())}
        >
          {t('shared.state.ready')}
        </Button>
        <NotReadyMenu
          isChosen={chosen === 'not_ready'}
          isDisabled={!isConnected}
          onChoose={(reason) => ask('not_ready', reason ?? null, () => workplace.setNotReady(reason))}
        />
      </Button.Group>
      {owner !== null && (
        <Text size="sm" data-testid="set-elsewhere">
          {isAsked
            ? t('softphone.header.askedElsewhere', {
                name: platformName(owner),
                state: t(`shared.state.${asked.state}`),
              })
            : t('softphone.header.setElsewhere', { name: platformName(owner) })}
        </Text>
      )}
      {isBusy && agent.pending_state !== null && (
        <Text size="sm" data-testid="pending-state">
          {pendingText(t, agent.pending_state, agent.pending_reason, view.settings?.not_ready_reasons ?? [])}
        </Text>
      )}
    </Group>
  );
}

/** The reason only where somebody chose it: why the agent was Not Ready before does not matter here. */
function pendingText(
  t: Translate,
  state: RequestableState,
  reason: string | null,
  choices: readonly CodeWithLabel[],
): string {
  const chosen = allNotReadyReasons(t, choices).find(({ code }) => code === reason);
  const words = { state: t(`shared.state.${state}`) };
  return chosen === undefined
    ? t('softphone.header.afterCall', words)
    : t('softphone.header.afterCallReason', { ...words, reason: chosen.label });
}

function NotReadyMenu({
  isChosen,
  isDisabled,
  onChoose,
}: {
  isChosen: boolean;
  isDisabled: boolean;
  onChoose: (reason?: string) => void;
}) {
  const { t } = useTranslation();
  const { view } = useWorkplace();
  return (
    <Menu position="bottom-end" withinPortal shadow="sm">
      <Menu.Target>
        <Button
          size="compact-sm"
          color="red"
          variant={isChosen ? 'light' : 'default'}
          disabled={isDisabled}
          rightSection={<IconChevronDown size={14} aria-hidden />}
        >
          {t('shared.state.not_ready')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {allNotReadyReasons(t, view.settings?.not_ready_reasons ?? []).map(({ code, label }) => (
          <Menu.Item key={code} onClick={() => onChoose(code)}>
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={() => onChoose()}>{t('softphone.header.noReason')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
