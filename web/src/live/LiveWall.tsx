import { useEffect, useState } from 'react';
import { Button, Group, Title } from '@mantine/core';
import { IconMaximize, IconMinimize } from '@tabler/icons-react';
import { AgentPanel } from './AgentPanel.tsx';
import { AgentTable } from './AgentTable.tsx';
import { CountTiles } from './CountTiles.tsx';
import { DownSince } from './gatewayClock.ts';
import { LineStatus, LineTrouble } from './LineStatus.tsx';
import { useLargeScreen } from './useLargeScreen.ts';
import { useReasons } from './useReasons.ts';
import { useWall } from './useWall.ts';
import { ViewControls } from './ViewControls.tsx';
import classes from './LiveWall.module.css';

/** The live wall: who is in which state for how long, and which calls are in progress. For supervisors. */
export function LiveWall() {
  const { wall, line, changes, connect } = useWall();
  const reasons = useReasons(wall, changes);
  const [openId, setOpenId] = useState<string | null>(null);
  const { isLarge, toggle } = useLargeScreen();
  const isLive = line.state === 'connected';
  useEffect(() => {
    document.title = 'Live wall · Readyline';
  }, []);

  return (
    <section className={classes.wall} data-large={isLarge || undefined} aria-label="Live wall">
      <Group justify="space-between" wrap="nowrap">
        <Group gap="md" wrap="nowrap">
          <Title order={1}>Live wall</Title>
          <LineStatus line={line} />
        </Group>
        <Button
          variant="default"
          size="xs"
          onClick={toggle}
          leftSection={isLarge ? <IconMinimize size="1.25em" aria-hidden /> : <IconMaximize size="1.25em" aria-hidden />}
        >
          {isLarge ? 'Leave large screen' : 'Large screen'}
        </Button>
      </Group>
      <LineTrouble line={line} connect={connect} />
      <DownSince value={line.downSince}>
        <CountTiles wall={wall} reasons={reasons} isLive={isLive} />
        <ViewControls wall={wall} />
        <AgentTable
          key={String(isLarge)}
          wall={wall}
          reasons={reasons}
          isLive={isLive}
          isPaged={isLarge}
          isHeld={openId !== null}
          onOpen={setOpenId}
        />
        <AgentPanel wall={wall} reasons={reasons} agentId={openId} connects={line.connects} onClose={() => setOpenId(null)} />
      </DownSince>
    </section>
  );
}
