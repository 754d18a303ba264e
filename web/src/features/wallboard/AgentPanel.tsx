import { Drawer, Group, Stack, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { RecordLink } from '../../shared/RecordLink.tsx';
import { MessagesButton } from '../messages/MessagesButton.tsx';
import { StateLabel } from '../../shared/agentState.tsx';
import { isTalking } from '../../shared/callState.tsx';
import { CallText, Clock, pendingText } from './CallText.tsx';
import { ForceState } from './ForceState.tsx';
import { ListenToCall } from './Listening.tsx';
import type { SupervisorListening } from './supervisorListening.ts';
import { TimelineSection } from './TimelineSection.tsx';
import type { Reasons } from './useReasons.ts';
import { useWallboardRow } from './useWallboard.ts';
import type { Wallboard } from './wallboard.ts';
import type { WallboardRow } from './wallboardOrder.ts';

type Props = {
  wallboard: Wallboard;
  listening: SupervisorListening;
  reasons: Reasons;
  /** Null: nobody's is open. */
  agentId: string | null;
  /** How often the line came up. */
  connects: number;
  onClose: () => void;
};

/** One agent beside the wallboard: now, today, and what a supervisor may do about it. */
export function AgentPanel({ wallboard, listening, reasons, agentId, connects, onClose }: Props) {
  return (
    <Drawer
      opened={agentId !== null}
      onClose={onClose}
      position="right"
      size="26rem"
      padding="md"
      lockScroll={false}
      transitionProps={{ duration: 0 }}
      overlayProps={{ backgroundOpacity: 0.15 }}
      title={agentId === null ? '' : <PanelTitle wallboard={wallboard} agentId={agentId} />}
    >
      {agentId !== null && (
        <PanelBody
          key={agentId}
          wallboard={wallboard}
          listening={listening}
          reasons={reasons}
          agentId={agentId}
          connects={connects}
        />
      )}
    </Drawer>
  );
}

function PanelTitle({ wallboard, agentId }: { wallboard: Wallboard; agentId: string }) {
  const { t } = useTranslation();
  const agent = useWallboardRow(wallboard, agentId)?.agent;
  if (agent === undefined) return t('wallboard.agent.title');
  return (
    <Text span fw={600} size="lg">
      {agent.name}{' '}
      <Text span c="dimmed" size="sm">
        {agent.agent_code}
      </Text>
    </Text>
  );
}

function PanelBody({
  wallboard,
  listening,
  reasons,
  agentId,
  connects,
}: Omit<Props, 'agentId' | 'onClose'> & { agentId: string }) {
  const { t } = useTranslation();
  const row = useWallboardRow(wallboard, agentId);
  const agent = row?.agent ?? null;
  const isThere = agent !== null && agent.state !== 'offline';
  return (
    <Stack gap="lg">
      <Stack gap="xs" component="section" aria-label={t('wallboard.agent.now')}>
        {row === null ? <Text>{t('wallboard.agent.loggedOut')}</Text> : <AgentNow row={row} reasons={reasons} />}
      </Stack>
      {isThere && row?.call != null && isTalking(row.call) && (
        <Stack gap="xs" component="section" aria-label={t('wallboard.listening.title')}>
          <Title order={2}>{t('wallboard.listening.title')}</Title>
          <ListenToCall listening={listening} agent={{ id: agentId, name: agent.name, callId: row.call.id }} />
        </Stack>
      )}
      {agent !== null && <MessagesButton agent={{ id: agent.agent_id, name: agent.name }} />}
      {isThere && (
        <Stack gap="xs" component="section" aria-label={t('wallboard.agent.setState')}>
          <Title order={2}>{t('wallboard.agent.setState')}</Title>
          <ForceState agent={agent} call={row?.call ?? null} reasons={reasons} />
        </Stack>
      )}
      <TimelineSection wallboard={wallboard} agentId={agentId} reasons={reasons} connects={connects} />
    </Stack>
  );
}

/** What the agent is doing at this moment. */
function AgentNow({ row: { agent, call, others }, reasons }: { row: WallboardRow; reasons: Reasons }) {
  const { t } = useTranslation();
  const next = pendingText(t, agent, reasons);
  const isAway = agent.connection === 'lost' || agent.connection === 'reconnecting';
  return (
    <>
      <Group gap="sm">
        <StateLabel state={agent.state} />
        {agent.since !== null && (
          <Text span>
            <Clock at={agent.since} />
          </Text>
        )}
        {agent.reason !== null && <Text span>{reasons.text(agent.reason)}</Text>}
      </Group>
      {call !== null && (
        <Text>
          <CallText call={call} others={others} />
        </Text>
      )}
      {call !== null && <RecordLink record={call} />}
      {next !== null && <Text>{t('wallboard.agent.then', { next })}</Text>}
      {isAway && <Text>{t(agent.connection === 'lost' ? 'wallboard.agent.lost' : 'wallboard.agent.restoring')}</Text>}
    </>
  );
}
