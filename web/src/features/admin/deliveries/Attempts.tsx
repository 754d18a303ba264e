import { Accordion, Group, Text } from '@mantine/core';
import type { AttemptView } from '../../../../../src/contract/deliveries.ts';
import { Moment } from '../components/Moment.tsx';
import { Exchange } from './Exchange.tsx';

type Props = { log: readonly AttemptView[] };

/** Each attempt, the latest first and open. */
export function Attempts({ log }: Props) {
  if (log.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        None yet.
      </Text>
    );
  }
  return (
    <Accordion variant="contained" defaultValue={placeOf(log.length - 1)} key={log.length}>
      {log.map((attempt, index) => ({ attempt, place: placeOf(index) })).toReversed().map(({ attempt, place }) => (
        <Accordion.Item key={place} value={place}>
          <Accordion.Control>
            <Group gap="sm" wrap="wrap">
              <Text size="sm" fw={600} c={attempt.error === null ? 'bright' : 'var(--mantine-color-error)'}>
                {attempt.status_code ?? 'No answer'}
              </Text>
              <Text size="sm">
                <Moment at={attempt.started_at} />
              </Text>
              <Text size="sm" c="dimmed">
                {attempt.latency_ms} ms
              </Text>
            </Group>
          </Accordion.Control>
          <Accordion.Panel>
            {attempt.error !== null && attempt.status_code !== null && (
              <Text size="sm" mb="sm">
                {attempt.error}
              </Text>
            )}
            <Exchange attempt={attempt} />
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  );
}

/** Attempts are only added; their numbers begin anew when a delivery is sent again. */
function placeOf(index: number): string {
  return `attempt-${String(index + 1)}`;
}
