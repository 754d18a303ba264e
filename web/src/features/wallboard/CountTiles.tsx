import { useMemo } from 'react';
import { UnstyledButton } from '@mantine/core';
import { IconClick, IconPhoneCall } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Translate } from '../../lib/i18n/catalog.ts';
import { useFormat } from '../../lib/i18n/format.ts';
import { agentStates } from '../../shared/agentState.tsx';
import classes from './CountTiles.module.css';
import { useGatewayNow } from './gatewayClock.ts';
import { clockText } from '../../shared/time.ts';
import { isNobodyTooLong, useCompanyLimits } from './useLimits.ts';
import type { Reasons } from './useReasons.ts';
import { useShown } from './useWallboard.ts';
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
  const format = useFormat();
  const { t } = useTranslation();
  const counts = useShown(wallboard, ({ counts }) => counts);
  const chosen = useShown(wallboard, ({ view }) => view.state);
  // Clicks are counted for the company alone.
  const isOfTeams = useShown(wallboard, ({ teams }) => teams !== null);
  const nobodyFor = useNobodyReady(wallboard);
  return (
    <section className={classes.tiles} aria-label={t('wallboard.counts.label')} data-stale={!isLive || undefined}>
      {listedStates.map((state) => {
        const { icon: Icon, colour } = agentStates[state];
        return (
          <UnstyledButton
            key={state}
            className={`${classes.tile} ${state === 'not_ready' ? classes.wide : ''} ${colour}`}
            aria-pressed={chosen === state}
            data-alarm={(state === 'ready' && nobodyFor !== null) || undefined}
            onClick={() => wallboard.show({ state: chosen === state ? null : state })}
          >
            <span className={classes.label}>
              <Icon size="1.25em" aria-hidden /> {t(`shared.state.${state}`)}
            </span>
            <span className={classes.number}>{format.number(counts.states[state])}</span>
            {state === 'ready' && nobodyFor !== null && (
              <span className={classes.alarm}>{t('wallboard.alarm.for', { time: clockText(nobodyFor) })}</span>
            )}
            {state === 'not_ready' && <span className={classes.detail}>{reasonsText(t, counts, reasons)}</span>}
          </UnstyledButton>
        );
      })}
      <CallsTile calls={counts.calls} />
      {!isOfTeams && <ClicksTile wallboard={wallboard} />}
    </section>
  );
}

/** For how long nobody has been Ready, once that is too long; null: it is not. Milliseconds. */
function useNobodyReady(wallboard: Wallboard): number | null {
  const since = useShown(wallboard, ({ nobodySince }) => nobodySince);
  const limits = useCompanyLimits();
  const now = useGatewayNow();
  return since !== null && isNobodyTooLong(since, limits, now) ? now - since : null;
}

function CallsTile({ calls: { outbound, inbound } }: { calls: WallboardCounts['calls'] }) {
  const format = useFormat();
  const { t } = useTranslation();
  return (
    <section className={`${classes.tile} ${classes.wide}`} aria-label={t('wallboard.counts.calls')}>
      <span className={classes.label}>
        <IconPhoneCall size="1.25em" aria-hidden /> {t('wallboard.counts.calls')}
      </span>
      <span className={classes.number}>{format.number(outbound + inbound)}</span>
      <span className={classes.detail}>{t('wallboard.counts.directions', { outbound, inbound })}</span>
    </section>
  );
}

function ClicksTile({ wallboard }: { wallboard: Wallboard }) {
  const format = useFormat();
  const { t } = useTranslation();
  const tallies = useShown(wallboard, ({ clicks }) => clicks);
  const midnight = midnightBefore(useGatewayNow());
  const clicks = useMemo(() => sumClicks(tallies, midnight), [tallies, midnight]);
  return (
    <section className={`${classes.tile} ${classes.wide}`} aria-label={t('wallboard.counts.clicks')}>
      <span className={classes.label}>
        <IconClick size="1.25em" aria-hidden /> {t('wallboard.counts.clicks')}
      </span>
      <span className={classes.number}>
        {format.number(clicks.dialed)}
        <span className={classes.unit}> {t('wallboard.counts.dialed')}</span>
      </span>
      <span className={classes.detail}>
        {t('wallboard.counts.notDialed', {
          nobody: clicks.no_ready_agent,
          notReady: clicks.agent_not_ready,
          failed: clicks.failed,
        })}
      </span>
    </section>
  );
}

/** By reason, the most frequent first. */
function reasonsText(t: Translate, { reasons: counted }: WallboardCounts, { text }: Reasons): string {
  const worded = counted.map(({ reason, count: number }) =>
    reason === ''
      ? t('wallboard.counts.withoutReason', { number })
      : t('wallboard.counts.reason', { number, reason: text(reason) }),
  );
  return worded.join(' · ');
}
