import { Alert, Loader, Stack, Text, Title } from '@mantine/core';
import { useState, useSyncExternalStore } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { AgentTimeline } from '../../../../src/contract/live.ts';
import { api } from '../../lib/gateway/api.ts';
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
  const now = useGatewayNow();
  const midnight = midnightBefore(now);
  const { entries, isTruncated, problem, isReading } = useTimeline(wallboard, agentId, midnight, connects);
  return (
    <Stack gap="xs" component="section" aria-label="Today">
      <Title order={2}>Today</Title>
      {isReading && <Loader size="sm" aria-label="Loading" />}
      {problem !== null && (
        <Alert color="red" variant="light">
          The timeline cannot be shown: {problem}
        </Alert>
      )}
      {entries.length > 0 && <TimelineBar entries={entries} midnight={midnight} now={now} />}
      {isTruncated && (
        <Text size="sm" c="dimmed">
          There was more than is shown: the earliest is left out.
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
  const first = entries.find(({ state }) => state !== 'offline');
  const from = Math.max(midnight, first === undefined ? midnight : Date.parse(first.since));
  const totals = totalsOf(entries, from, now);
  const words = totals.map(({ state, spent }) => `${agentStates[state].label} ${clockText(spent)}`).join(', ');
  return (
    <div>
      <figure className={classes.bar} aria-label={`Since ${timeOfDay(from)}: ${words}`}>
        {segmentsOf(entries, from, now).map(({ entry, start, width }) => (
          <span
            key={entry.since}
            className={`${classes.segment} ${agentStates[entry.state].colour}`}
            style={{ left: `${start}%`, width: `${width}%` }}
          />
        ))}
      </figure>
      <div className={classes.ends} aria-hidden>
        <span>{timeOfDay(from)}</span>
        <span>now</span>
      </div>
      <div className={classes.totals} aria-hidden>
        {totals.map(({ state, spent }) => (
          <span key={state} className={agentStates[state].colour}>
            <span className={classes.swatch} /> {agentStates[state].label} {clockText(spent)}
          </span>
        ))}
      </div>
    </div>
  );
}

type TimelineListProps = { entries: readonly TimelineEntry[]; midnight: number; now: number; reasons: Reasons };

/** The same as the bar, to read: the latest first. */
function TimelineList({ entries, midnight, now, reasons }: TimelineListProps) {
  return (
    <ol className={classes.list} aria-label="States of today, the latest first">
      {entries.toReversed().map(({ state, reason, since, until }, index) => {
        const start = Date.parse(since);
        const spent = (until === null ? now : Date.parse(until)) - start;
        return (
          // Two states may have begun in the same millisecond: only the place in the order of time tells them apart.
          <li key={entries.length - index} className={classes.entry}>
            <span className={classes.when}>{start < midnight ? 'before today' : timeOfDay(start)}</span>
            <StateLabel state={state} />
            <span className={classes.why}>{reason !== null && reasons.text(reason)}</span>
            <span>{state === 'offline' ? '' : clockText(spent)}</span>
          </li>
        );
      })}
    </ol>
  );
}

const format = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit' });

/** A moment as its local time of day. @param moment milliseconds since the epoch */
function timeOfDay(moment: number): string {
  return format.format(moment);
}

type TimelineRead = { entries: readonly TimelineEntry[]; isTruncated: boolean; problem: string | null; isReading: boolean };

/**
 * An agent's timeline since that moment: read once, then followed as the socket tells. Read again when the line was
 * down meanwhile. @param since milliseconds since the epoch; @param connects how often the line came up
 */
function useTimeline(wallboard: Wallboard, agentId: string, since: number, connects: number): TimelineRead {
  const [followed] = useState(() => new FollowedTimeline(wallboard, agentId));
  const { data, error, isPending } = useQuery({
    queryKey: ['live', 'timeline', agentId, since, connects],
    queryFn: async () => {
      const read = await api.get<AgentTimeline>(`/api/agents/${agentId}/timeline`, { since: new Date(since).toISOString() });
      followed.begin(read.entries);
      return read;
    },
    staleTime: Infinity,
    gcTime: 0,
  });
  const entries = useSyncExternalStore(followed.subscribe, followed.read);
  return { entries, isTruncated: data?.truncated === true, problem: error?.message ?? null, isReading: isPending };
}
