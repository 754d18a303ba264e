import { Button, Group, Paper, Text, Title } from '@mantine/core';
import type { CallSummary } from '../../../../src/contract/calls.ts';
import { dialBlocker } from './dialBlocker.ts';
import { RecentCall } from './RecentCall.tsx';
import classes from './RecentCalls.module.css';
import type { RecentCallList } from './useRecentCalls.ts';
import { useWorkplace } from '../workplace/workplaceContext.ts';

type Props = { recent: RecentCallList; onWrapUp: (call: CallSummary) => void };

/** The calls before, newest first. */
export function RecentCalls({ recent, onWrapUp }: Props) {
  const { calls, hasFailed, refresh } = recent;
  const { view, workplace, run } = useWorkplace();
  const state = view.agent?.state;
  const canDial = dialBlocker(view) === null;
  return (
    <Paper component="section" withBorder p="sm" aria-label="Recent calls">
      <Title order={2} size="h3">
        Recent calls
      </Title>
      {hasFailed && (
        <Group gap="xs" aria-live="polite">
          <Text size="sm">The recent calls could not be read.</Text>
          <Button size="compact-xs" variant="default" onClick={refresh}>
            Try again
          </Button>
        </Group>
      )}
      {calls === null && !hasFailed && <Text size="sm">Reading …</Text>}
      {calls !== null && calls.length === 0 && <Text size="sm">No calls yet.</Text>}
      {calls !== null && calls.length > 0 && (
        <ol className={classes.list}>
          {calls.map((call) => (
            <RecentCall
              key={call.id}
              call={call}
              canDial={canDial}
              canWrapUp={state === 'ready' || state === 'not_ready'}
              onDial={(phone) => run(() => workplace.dial(phone))}
              onWrapUp={() => onWrapUp(call)}
            />
          ))}
        </ol>
      )}
    </Paper>
  );
}
