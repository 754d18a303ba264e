import { Alert, Stack, Text } from '@mantine/core';
import type { TestWebhookAnswer } from '../../../../../src/contract/integrations.ts';
import type { TestedWebhook } from './integrationQueries.ts';
import { Exchange } from '../deliveries/Exchange.tsx';

const titles = { success: 'It arrived', skipped: 'Nothing was sent', fail: 'It did not arrive' } as const;
const colors = { success: 'teal', skipped: 'gray', fail: 'red' } as const;

type Props = { tested: TestedWebhook | null; isBusy: boolean };

/** How a test went: the outcome, what was sent and what came back. */
export function TestResult({ tested, isBusy }: Props) {
  const shown = isBusy ? null : tested;
  const delivery = shown?.delivery ?? null;
  const attempt = delivery?.log.at(-1);
  return (
    <Stack gap="sm">
      {/* Read out as it changes; the headers and bodies below are for looking up. */}
      <div aria-live="polite">
        {isBusy && (
          <Text size="sm" c="dimmed">
            Waiting for the answer, 15 seconds at most…
          </Text>
        )}
        {shown !== null && <Outcome answer={shown.answer} />}
      </div>
      {delivery !== null && attempt !== undefined && (
        <Exchange attempt={attempt} sent={{ event: delivery.event, rawBody: delivery.raw_body }} />
      )}
    </Stack>
  );
}

function Outcome({ answer }: { answer: TestWebhookAnswer }) {
  const { status_code: status, latency_ms: latency } = answer;
  const after = latency === undefined ? '' : ` after ${String(latency)} ms`;
  return (
    <Alert variant="light" color={colors[answer.outcome]} title={titles[answer.outcome]} role="note" p="sm">
      {status !== undefined && <Text size="sm">{`Answer ${String(status)}${after}.`}</Text>}
      {answer.detail !== undefined && <Text size="sm">{answer.detail}</Text>}
    </Alert>
  );
}
