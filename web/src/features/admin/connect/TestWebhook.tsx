import { Alert, Button, Stack, Text } from '@mantine/core';
import type { TestWebhookAnswer } from '../../../../../src/contract/integrations.ts';
import { Problem } from '../components/Loaded.tsx';
import { Section } from '../components/Section.tsx';
import { Exchange } from '../deliveries/Exchange.tsx';
import { StepPanel } from './StepPanel.tsx';
import { type TestedWebhook, useTestWebhook } from './integrationQueries.ts';

type Props = { url: string | null; onNext: () => void };

/** Sends a webhook that means nothing, to see it arrive. */
export function TestStep({ url, onNext }: Props) {
  const test = useTestWebhook();
  if (url === null) {
    return (
      <StepPanel
        title="Nothing to test yet"
        note="Without a webhook URL nothing is sent. It can be set later on this page."
        actions={<Button type="submit">Continue</Button>}
        onSubmit={onNext}
      >
        {null}
      </StepPanel>
    );
  }
  const isGood = test.data?.answer.outcome === 'success';
  return (
    <StepPanel
      title="See a webhook arrive"
      note="The event integration_test is sent once, and the answer is shown."
      onSubmit={() => (isGood ? onNext() : test.mutate())}
      actions={
        <>
          <Button type="submit" loading={test.isPending}>
            {isGood ? 'Continue' : test.data === undefined ? 'Send a test' : 'Send another test'}
          </Button>
          {!isGood && (
            <Button variant="subtle" onClick={onNext} disabled={test.isPending}>
              {test.data === undefined ? 'Skip the test' : 'Go on without'}
            </Button>
          )}
        </>
      }
    >
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        To {url}
      </Text>
      <TestResult tested={test.data ?? null} isBusy={test.isPending} />
      <Problem error={test.error} />
    </StepPanel>
  );
}

type TestSettingsProps = { url: string };

/** A webhook that means nothing, to see whether one arrives. */
export function TestSettings({ url }: TestSettingsProps) {
  const test = useTestWebhook();
  return (
    <Section
      title="Test"
      note={`Sends integration_test once to ${url}`}
      actions={
        <Button size="xs" variant="default" loading={test.isPending} onClick={() => test.mutate()}>
          Send a test
        </Button>
      }
    >
      <TestResult tested={test.data ?? null} isBusy={test.isPending} />
      <Problem error={test.error} />
    </Section>
  );
}

const titles = { success: 'It arrived', skipped: 'Nothing was sent', fail: 'It did not arrive' } as const;
const colors = { success: 'teal', skipped: 'gray', fail: 'red' } as const;

type TestResultProps = { tested: TestedWebhook | null; isBusy: boolean };

/** How a test went: the outcome, what was sent and what came back. */
function TestResult({ tested, isBusy }: TestResultProps) {
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
