import { clockText } from '../../shared/time.ts';
import { StateLabel } from '../../shared/agentState.tsx';
import type { TimelineEntry } from './timeline.ts';
import { timeOfDay } from './timeOfDay.ts';
import type { Reasons } from './useReasons.ts';
import classes from './Timeline.module.css';

type Props = { entries: readonly TimelineEntry[]; midnight: number; now: number; reasons: Reasons };

/** The same as the bar, to read: the latest first. */
export function TimelineList({ entries, midnight, now, reasons }: Props) {
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
