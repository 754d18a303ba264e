import { type KeyboardEvent, memo } from 'react';
import { Badge, UnstyledButton } from '@mantine/core';
import { IconAlertTriangle, IconClockExclamation, IconRefresh } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { AgentStateView } from '../../../../src/contract/agents.ts';
import { platformName } from '../../../../src/contract/platforms.ts';
import { StateLabel } from '../../shared/agentState.tsx';
import { clockText } from '../../shared/time.ts';
import classes from './AgentTable.module.css';
import { CallText, Clock, pendingText } from './CallText.tsx';
import { useGatewayNow } from './gatewayClock.ts';
import { Notable } from './Notable.tsx';
import { isTooLong, useCompanyLimits } from './useLimits.ts';
import type { Reasons } from './useReasons.ts';
import { useWallboardRow } from './useWallboard.ts';
import type { Wallboard } from './wallboard.ts';

type Props = {
  wallboard: Wallboard;
  reasons: Reasons;
  id: string;
  /** Place in the list, from 0. */
  index: number;
  /** Pixels from the top of the list. */
  start: number;
  isTabStop: boolean;
  onFocus: (agentId: string) => void;
  onKey: (event: KeyboardEvent) => void;
  onOpen: (agentId: string) => void;
};

/** One agent. Drawn again when something about this agent changes; the clocks tick by themselves. */
export const AgentRow = memo(function AgentRow({
  wallboard,
  reasons,
  id,
  index,
  start,
  isTabStop,
  onFocus,
  onKey,
  onOpen,
}: Props) {
  const row = useWallboardRow(wallboard, id);
  if (row === null) return null;
  const { agent, call, others } = row;
  return (
    <tr
      aria-rowindex={index + 2}
      className={`${classes.row} ${classes.agent}`}
      style={{ transform: `translateY(${start}px)` }}
      data-agent={id}
      data-state={agent.state}
    >
      <td>
        <StateLabel state={agent.state} />
      </td>
      <td>
        <UnstyledButton
          className={classes.name}
          tabIndex={isTabStop ? 0 : -1}
          onFocus={() => onFocus(id)}
          onKeyDown={onKey}
          onClick={() => onOpen(id)}
        >
          <bdi className={classes.who} title={agent.name}>
            {agent.name}
          </bdi>{' '}
          <span className={`${classes.code} ${classes.whole}`}>{agent.agent_code}</span>
        </UnstyledButton>
      </td>
      <td className={classes.time}>{agent.since !== null && <StateClock agent={agent} />}</td>
      <td>
        <Note agent={agent} reasons={reasons} />
      </td>
      <td>{call !== null && <CallText call={call} others={others} />}</td>
      <td>
        <ConnectionCell connection={agent.connection} />
      </td>
    </tr>
  );
});

/** How long the state has lasted, marked where that is too long. */
function StateClock({ agent }: { agent: AgentStateView }) {
  const { t } = useTranslation();
  const isLong = isTooLong(agent, useCompanyLimits(), useGatewayNow());
  if (agent.since === null) return null;
  if (!isLong) return <Clock at={agent.since} />;
  return (
    <span className={classes.tooLong} title={t('wallboard.row.tooLong')}>
      <IconClockExclamation size="1em" aria-label={t('wallboard.row.tooLong')} /> <Clock at={agent.since} />
    </span>
  );
}

/** Why, until when, and what comes next. */
function Note({ agent, reasons }: { agent: AgentStateView; reasons: Reasons }) {
  const { t } = useTranslation();
  const next = pendingText(t, agent, reasons);
  return (
    <>
      {agent.reason !== null && reasons.text(agent.reason)}
      {agent.platform != null && (
        <Badge variant="light" color="gray" size="sm" tt="none" ml={agent.reason === null ? 0 : 4}>
          {platformName(agent.platform.connector)}
        </Badge>
      )}
      {agent.wrap_up_ends_at !== null && <TimeLeft until={agent.wrap_up_ends_at} />}
      {next !== null && <span className={classes.next}> {t('wallboard.row.then', { next })}</span>}
    </>
  );
}

/** How much of a wrap-up is left. @param until ISO 8601 */
function TimeLeft({ until }: { until: string }) {
  const { t } = useTranslation();
  return <>{t('wallboard.row.left', { time: clockText(Date.parse(until) - useGatewayNow()) })}</>;
}

function ConnectionCell({ connection }: Pick<AgentStateView, 'connection'>) {
  const { t } = useTranslation();
  if (connection === 'connected' || connection === null) return null;
  const isLost = connection === 'lost';
  return isLost ? (
    <Notable tone="bad" icon={IconAlertTriangle} text={t('wallboard.row.lost')} />
  ) : (
    <Notable tone="warning" icon={IconRefresh} text={t('wallboard.row.reconnecting')} />
  );
}
