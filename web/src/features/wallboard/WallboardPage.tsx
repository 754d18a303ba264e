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
import { useWallboard } from './useWallboard.ts';
import { ViewControls } from './ViewControls.tsx';
import classes from './WallboardPage.module.css';

/** The wallboard: who is in which state for how long, and which calls are in progress. For supervisors. */
export function WallboardPage() {
  const { wallboard, line, changes, connect } = useWallboard();
  const reasons = useReasons(wallboard, changes);
  const [openId, setOpenId] = useState<string | null>(null);
  const { isLarge, toggle } = useLargeScreen();
  const isLive = line.state === 'connected';
  useEffect(() => {
    document.title = 'Wallboard · Readyline';
  }, []);

  return (
    <section className={classes.wallboard} data-large={isLarge || undefined} aria-label="Wallboard">
      <Group justify="space-between" wrap="nowrap">
        <Group gap="md" wrap="nowrap">
          <Title order={1}>Wallboard</Title>
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
        <CountTiles wallboard={wallboard} reasons={reasons} isLive={isLive} />
        <ViewControls wallboard={wallboard} />
        <AgentTable
          key={String(isLarge)}
          wallboard={wallboard}
          reasons={reasons}
          isLive={isLive}
          isPaged={isLarge}
          isHeld={openId !== null}
          onOpen={setOpenId}
        />
        <AgentPanel wallboard={wallboard} reasons={reasons} agentId={openId} connects={line.connects} onClose={() => setOpenId(null)} />
      </DownSince>
    </section>
  );
}
