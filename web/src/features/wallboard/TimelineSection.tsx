import { Alert, Loader, Stack, Text, Title } from '@mantine/core';
import { midnightBefore } from './clicksToday.ts';
import { useGatewayNow } from './gatewayClock.ts';
import { TimelineBar } from './TimelineBar.tsx';
import { TimelineList } from './TimelineList.tsx';
import type { Reasons } from './useReasons.ts';
import { useTimeline } from './useTimeline.ts';
import type { Wallboard } from './wallboard.ts';

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
