import { Alert, Stack, Text } from '@mantine/core';
import type { TestedWebhook } from '../data/integration.ts';
import { Exchange } from '../deliveries/Exchange.tsx';

const titles = { success: 'It arrived', skipped: 'Nothing was sent', fail: 'It did not arrive' } as const;
const colors = { success: 'teal', skipped: 'gray', fail: 'red' } as const;

type Props = { tested: TestedWebhook | null; isBusy: boolean };

/** How a test went: the outcome, what was sent and what came back. */
export function TestResult({ tested, isBusy }: Props) {
  return (
    <Stack gap="sm" aria-live="polite">
      {isBusy && (
        <Text size="sm" c="dimmed">
          Waiting for the answer, 15 seconds at most…
        </Text>
      )}
      {!isBusy && tested !== null && <Outcome {...tested} />}
    </Stack>
  );
}

function Outcome({ answer, delivery }: TestedWebhook) {
  const attempt = delivery?.log.at(-1);
  const facts = [
    ...(answer.status_code === undefined ? [] : [`answer ${String(answer.status_code)}`]),
    ...(answer.latency_ms === undefined ? [] : [`after ${String(answer.latency_ms)} ms`]),
  ].join(' ');
  return (
    <>
      <Alert variant="light" color={colors[answer.outcome]} title={titles[answer.outcome]} role="note">
        {facts !== '' && <Text size="sm">{facts.charAt(0).toUpperCase() + facts.slice(1)}.</Text>}
        {answer.detail !== undefined && <Text size="sm">{answer.detail}</Text>}
      </Alert>
      {delivery !== null && attempt !== undefined && (
        <Exchange attempt={attempt} sent={{ event: delivery.event, rawBody: delivery.raw_body }} />
      )}
    </>
  );
}
