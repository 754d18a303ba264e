import { ActionIcon, Button, Group, Text } from '@mantine/core';
import { IconArrowDownLeft, IconArrowUpRight, IconPhone } from '@tabler/icons-react';
import { asksForWrapUp, isMissed } from '../../../../src/contract/callCourse.ts';
import type { CallSummary } from '../../../../src/contract/calls.ts';
import { clockText } from '../../shared/time.ts';
import { courseOf, resultText, whoIs } from './callWords.ts';
import classes from './RecentCalls.module.css';
import { otherEndText } from '../../shared/otherEnd.ts';

type Props = { call: CallSummary; canDial: boolean; canWrapUp: boolean; onDial: (phone: string) => void; onWrapUp: () => void };

/** One call of before: with whom, when, what came of it; dialed again by its button. */
export function RecentCall({ call, canDial, canWrapUp, onDial, onWrapUp }: Props) {
  const Direction = call.direction === 'inbound' ? IconArrowDownLeft : IconArrowUpRight;
  const who = whoIs(call);
  const { phone } = call;
  const course = courseOf(call);
  const missed = isMissed(course);
  const length = (call.duration_seconds ?? 0) > 0 ? ` ${clockText((call.duration_seconds ?? 0) * 1000)}` : '';
  return (
    <li className={classes.call}>
      <Direction
        size={16}
        aria-label={missed ? 'Missed' : call.direction === 'inbound' ? 'Incoming' : 'Outgoing'}
        className={missed ? classes.missed : undefined}
      />
      <div>
        <div className={classes.who} title={`${who} ${otherEndText(call)}`}>
          {who}
        </div>
        <Text size="xs" c="dimmed" truncate>
          {timeText(call.created_at)} · {resultText(call)}
          {length}
          {call.disposition === null ? '' : ` · ${call.disposition.label}`}
        </Text>
      </div>
      <Group gap={4} wrap="nowrap">
        {canWrapUp && call.disposition === null && asksForWrapUp(course) && (
          <Button size="compact-xs" variant="subtle" onClick={onWrapUp} aria-label={`Wrap up the call with ${who}`}>
            Wrap up
          </Button>
        )}
        {phone !== null && <ActionIcon
          variant="subtle"
          disabled={!canDial}
          bg={canDial ? '' : 'transparent'}
          aria-label={`Dial ${who} again`}
          title={`Dial ${phone}`}
          onClick={() => onDial(phone)}
        >
          <IconPhone size={16} stroke={1.75} />
        </ActionIcon>}
      </Group>
    </li>
  );
}

/** `14:05`, and the day where it is not today. */
function timeText(at: string): string {
  const time = new Date(at);
  const clock = time.toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' });
  if (time.toDateString() === new Date().toDateString()) return clock;
  return `${time.toLocaleDateString(undefined, { day: 'numeric', month: 'short' })}, ${clock}`;
}
