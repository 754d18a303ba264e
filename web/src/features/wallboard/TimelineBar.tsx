import { clockText } from '../../shared/time.ts';
import { agentStates } from '../../shared/agentState.tsx';
import { segmentsOf, totalsOf, type TimelineEntry } from './timeline.ts';
import { timeOfDay } from './timeOfDay.ts';
import classes from './Timeline.module.css';

type Props = {
  entries: readonly TimelineEntry[];
  /** Milliseconds since the epoch, as `now`. */
  midnight: number;
  now: number;
};

/** The day as a bar, from when it began for the agent until now, with the time spent in each state. */
export function TimelineBar({ entries, midnight, now }: Props) {
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
