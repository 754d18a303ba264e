import { Alert, Loader, Stack, Text, Title } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import type { AgentTimeline } from '../../../../src/contract/live.ts';
import { api } from '../../lib/gateway/api.ts';
import { messageOf } from '../../lib/gateway/apiProblem.ts';
import { useFormat } from '../../lib/i18n/format.ts';
import { agentStates, StateLabel } from '../../shared/agentState.tsx';
import { clockText } from '../../shared/time.ts';
import classes from './Timeline.module.css';
import { useGatewayNow } from './gatewayClock.ts';
import { FollowedTimeline, segmentsOf, type TimelineEntry, totalsOf } from './timeline.ts';
import type { Reasons } from './useReasons.ts';
import type { Wallboard } from './wallboard.ts';
import { midnightBefore } from './wallboardCounts.ts';

type Props = { wallboard: Wallboard; agentId: string; reasons: Reasons; connects: number };

/** What the agent has been doing since midnight. */
export function TimelineSection({ wallboard, agentId, reasons, connects }: Props) {
  const { t } = useTranslation();
  const now = useGatewayNow();
  const midnight = midnightBefore(now);
  const { entries, isTruncated, problem, isReading } = useTimeline(wallboard, agentId, midnight, connects);
  return (
    <Stack gap="xs" component="section" aria-label={t('wallboard.today.title')}>
      <Title order={2}>{t('wallboard.today.title')}</Title>
      {isReading && <Loader size="sm" aria-label={t('wallboard.today.loading')} />}
      {problem !== null && (
        <Alert color="red" variant="light">
          {t('wallboard.today.problem', { problem })}
        </Alert>
      )}
      {entries.length > 0 && <TimelineBar entries={entries} midnight={midnight} now={now} />}
      {isTruncated && (
        <Text size="sm" c="dimmed">
          {t('wallboard.today.truncated')}
        </Text>
      )}
      <TimelineList entries={entries} midnight={midnight} now={now} reasons={reasons} />
    </Stack>
  );
}

type TimelineBarProps = {
  entries: readonly TimelineEntry[];
  /** Milliseconds since the epoch, as `now`. */
  midnight: number;
  now: number;
};

/** The day as a bar, from when it began for the agent until now, with the time spent in each state. */
function TimelineBar({ entries, midnight, now }: TimelineBarProps) {
  const format = useFormat();
  const { t } = useTranslation();
  const first = entries.find(({ state }) => state !== 'offline');
  const from = Math.max(midnight, first === undefined ? midnight : Date.parse(first.since));
  const totals = totalsOf(entries, from, now);
  const words = totals.map(({ state, spent }) => `${t(`shared.state.${state}`)} ${clockText(spent)}`).join(', ');
  return (
    <div>
      <figure
        className={classes.bar}
        aria-label={t('wallboard.today.since', { time: format.time(from, 'seconds'), states: words })}
      >
        {segmentsOf(entries, from, now).map(({ entry, start, width }) => (
          <span
            key={entry.since}
            className={`${classes.segment} ${agentStates[entry.state].colour}`}
            style={{ insetInlineStart: `${start}%`, width: `${width}%` }}
          />
        ))}
      </figure>
      <div className={classes.ends} aria-hidden>
        <span>{format.time(from, 'seconds')}</span>
        <span>{t('wallboard.today.now')}</span>
      </div>
      <div className={classes.totals} aria-hidden>
        {totals.map(({ state, spent }) => (
          <span key={state} className={agentStates[state].colour}>
            <span className={classes.swatch} /> {t(`shared.state.${state}`)} {clockText(spent)}
          </span>
        ))}
      </div>
    </div>
  );
}

type TimelineListProps = { entries: readonly TimelineEntry[]; midnight: number; now: number; reasons: Reasons };

/** The same as the bar, to read: the latest first. */
function TimelineList({ entries, midnight, now, reasons }: TimelineListProps) {
  const format = useFormat();
  const { t } = useTranslation();
  return (
    <ol className={classes.list} aria-label={t('wallboard.today.list')}>
      {entries.toReversed().map(({ state, reason, since, until }, index) => {
        const start = Date.parse(since);
        const spent = (until === null ? now : Date.parse(until)) - start;
        return (
          // Two states may have begun in the same millisecond: only the place in the order of time tells them apart.
          <li key={entries.length - index} className={classes.entry}>
            <span className={classes.when}>
              {start < midnight ? t('wallboard.today.before') : format.time(start, 'seconds')}
            </span>
            <StateLabel state={state} />
            <span className={classes.why}>{reason !== null && reasons.text(reason)}</span>
            <span>{state === 'offline' ? '' : clockText(spent)}</span>
          </li>
        );
      })}
    </ol>
  );
}

type TimelineRead = {
  entries: readonly TimelineEntry[];
  isTruncated: boolean;
  problem: string | null;
  isReading: boolean;
};

/**
 * An agent's timeline since that moment: read once, then followed as the socket tells. Read again when the line was
 * down meanwhile. @param since milliseconds since the epoch; @param connects how often the line came up
 */
function useTimeline(wallboard: Wallboard, agentId: string, since: number, connects: number): TimelineRead {
  const { t } = useTranslation();
  const [followed] = useState(() => new FollowedTimeline(wallboard, agentId));
  const { data, error, isPending } = useQuery({
    queryKey: ['live', 'timeline', agentId, since, connects],
    queryFn: async () => {
      const read = await api.get<AgentTimeline>(`/api/agents/${agentId}/timeline`, {
        since: new Date(since).toISOString(),
      });
      followed.begin(read.entries);
      return read;
    },
    staleTime: Infinity,
    gcTime: 0,
  });
  useEffect(() => followed.follow(), [followed]);
  const entries = useStore(followed.shown, (shown) => shown.entries);
  return {
    entries,
    isTruncated: data?.truncated === true,
    problem: error === null ? null : messageOf(t, error),
    isReading: isPending,
  };
}
