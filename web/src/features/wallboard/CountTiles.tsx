import { useMemo } from 'react';
import { UnstyledButton } from '@mantine/core';
import { IconClick, IconPhoneCall } from '@tabler/icons-react';
import { agentStates } from '../../shared/agentState.tsx';
import classes from './CountTiles.module.css';
import { useGatewayNow } from './gatewayClock.ts';
import type { Reasons } from './useReasons.ts';
import { useTopic } from './useWallboard.ts';
import type { Wallboard } from './wallboard.ts';
import { midnightBefore, sumClicks, type WallboardCounts } from './wallboardCounts.ts';
import { listedStates } from './wallboardOrder.ts';

type Props = {
  wallboard: Wallboard;
  reasons: Reasons;
  /** False: what is shown may be old. */
  isLive: boolean;
};

/** How many agents are in which state (a press lists only these), how many calls there are, and today's clicks. */
export function CountTiles({ wallboard, reasons, isLive }: Props) {
  const counts = useTopic(wallboard.counts);
  const chosen = useTopic(wallboard.view).state;
  return (
    <section className={classes.tiles} aria-label="Counts" data-stale={!isLive || undefined}>
      {listedStates.map((state) => {
        const { label, icon: Icon, colour } = agentStates[state];
        return (
          <UnstyledButton
            key={state}
            className={`${classes.tile} ${state === 'not_ready' ? classes.wide : ''} ${colour}`}
            aria-pressed={chosen === state}
            onClick={() => wallboard.show({ state: chosen === state ? null : state })}
          >
            <span className={classes.label}>
              <Icon size="1.25em" aria-hidden /> {label}
            </span>
            <span className={classes.number}>{counts.states[state]}</span>
            {state === 'not_ready' && <span className={classes.detail}>{reasonsText(counts, reasons)}</span>}
          </UnstyledButton>
        );
      })}
      <CallsTile calls={counts.calls} />
      <ClicksTile wallboard={wallboard} />
    </section>
  );
}

function CallsTile({ calls: { outbound, inbound } }: { calls: WallboardCounts['calls'] }) {
  return (
    <section className={`${classes.tile} ${classes.wide}`} aria-label="Calls in progress">
      <span className={classes.label}>
        <IconPhoneCall size="1.25em" aria-hidden /> Calls in progress
      </span>
      <span className={classes.number}>{outbound + inbound}</span>
      <span className={classes.detail}>
        {outbound} outbound · {inbound} inbound
      </span>
    </section>
  );
}

function ClicksTile({ wallboard }: { wallboard: Wallboard }) {
  const tallies = useTopic(wallboard.clicks);
  const midnight = midnightBefore(useGatewayNow());
  const clicks = useMemo(() => sumClicks(tallies, midnight), [tallies, midnight]);
  return (
    <section className={`${classes.tile} ${classes.wide}`} aria-label="Clicks today">
      <span className={classes.label}>
        <IconClick size="1.25em" aria-hidden /> Clicks today
      </span>
      <span className={classes.number}>
        {clicks.dialed}
        <span className={classes.unit}> dialed</span>
      </span>
      <span className={classes.detail}>
        Not dialed: {clicks.no_ready_agent} nobody Ready · {clicks.agent_not_ready} not Ready · {clicks.failed} failed
      </span>
    </section>
  );
}

/** By reason, the most frequent first. */
function reasonsText({ reasons: counted }: WallboardCounts, { text }: Reasons): string {
  return counted.map(({ reason, count }) => `${count} ${reason === '' ? 'without a reason' : text(reason)}`).join(' · ');
}
