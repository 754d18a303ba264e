import { useCallback, useEffect, useState } from 'react';
import { Button, Group, Title } from '@mantine/core';
import { IconMaximize, IconMinimize } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { MessagesButton } from '../messages/MessagesButton.tsx';
import { Alarms } from './Alarms.tsx';
import { AgentPanel } from './AgentPanel.tsx';
import { AgentTable } from './AgentTable.tsx';
import { CountTiles } from './CountTiles.tsx';
import { LedTeams } from './LedTeams.tsx';
import { LineStatus, LineTrouble } from './LineStatus.tsx';
import { ListeningBar } from './Listening.tsx';
import { OverdueTasks } from './OverdueTasks.tsx';
import { TrendsSection } from './TrendsSection.tsx';
import { ViewControls } from './ViewControls.tsx';
import classes from './WallboardPage.module.css';
import { DownSince } from './gatewayClock.ts';
import { LimitsProvider, useLimits } from './useLimits.ts';
import { SupervisorListening } from './supervisorListening.ts';
import { useReasons } from './useReasons.ts';
import { useWallboard } from './useWallboard.ts';

/** The wallboard: who is in which state for how long, and which calls are in progress. For supervisors. */
export function WallboardPage() {
  const { t } = useTranslation();
  const [listening] = useState(() => new SupervisorListening());
  const { wallboard, line, changes, connect } = useWallboard(listening);
  const reasons = useReasons(wallboard, changes);
  const limits = useLimits();
  const [openId, setOpenId] = useState<string | null>(null);
  const [teamId, setTeamId] = useState<string | null>(null);
  const close = useCallback(() => setOpenId(null), []);
  const { isLarge, toggle } = useLargeScreen();
  const isLive = line.state === 'connected';
  useEffect(() => {
    document.title = `${t('wallboard.title')} · Readyline`;
  }, [t]);

  return (
    <section className={classes.wallboard} data-large={isLarge || undefined} aria-label={t('wallboard.title')}>
      <Group justify="space-between" gap="xs">
        <Group gap="md">
          <Title order={1}>{t('wallboard.title')}</Title>
          <LineStatus line={line} />
          <LedTeams wallboard={wallboard} onChange={close} />
        </Group>
        <Group gap="md">
          <MessagesButton />
          <Alarms wallboard={wallboard} limits={limits} isLive={isLive} />
          <Button
            variant="default"
            size="xs"
            onClick={toggle}
            leftSection={
              isLarge ? <IconMinimize size="1.25em" aria-hidden /> : <IconMaximize size="1.25em" aria-hidden />
            }
          >
            {t(isLarge ? 'wallboard.large.leave' : 'wallboard.large.enter')}
          </Button>
        </Group>
      </Group>
      <LineTrouble line={line} connect={connect} />
      <LimitsProvider value={limits}>
        <DownSince value={line.downSince}>
          <CountTiles wallboard={wallboard} reasons={reasons} isLive={isLive} />
          <OverdueTasks />
          <ListeningBar listening={listening} />
          <TrendsSection wallboard={wallboard} teamId={teamId} />
          <ViewControls wallboard={wallboard} teamId={teamId} onTeam={setTeamId} />
          <AgentTable
            key={String(isLarge)}
            wallboard={wallboard}
            reasons={reasons}
            isLive={isLive}
            isPaged={isLarge}
            isHeld={openId !== null}
            onOpen={setOpenId}
          />
          <AgentPanel
            wallboard={wallboard}
            listening={listening}
            reasons={reasons}
            agentId={openId}
            connects={line.connects}
            onClose={close}
          />
        </DownSince>
      </LimitsProvider>
    </section>
  );
}

/** On the root element: all sizes of the page follow its font size. */
const attribute = 'data-large-screen';

/**
 * For a display that people read from across the room: larger type, nothing but the wallboard, and the whole screen.
 */
export function useLargeScreen(): { isLarge: boolean; toggle: () => void } {
  const [isLarge, setLarge] = useState(false);

  const become = useCallback((large: boolean) => {
    // Before anything is drawn anew: the table measures by it.
    document.documentElement.toggleAttribute(attribute, large);
    setLarge(large);
  }, []);

  useEffect(() => {
    // Escape leaves the full screen without asking the page.
    const onChange = () => {
      if (document.fullscreenElement === null) become(false);
    };
    document.addEventListener('fullscreenchange', onChange);
    return () => {
      document.removeEventListener('fullscreenchange', onChange);
      document.documentElement.removeAttribute(attribute);
    };
  }, [become]);

  const toggle = useCallback(() => {
    become(!isLarge);
    const change = isLarge ? document.exitFullscreen() : document.documentElement.requestFullscreen();
    change.catch(() => {
      // A browser that keeps its bars still has the larger type.
    });
  }, [become, isLarge]);

  return { isLarge, toggle };
}
