import { Button, Text } from '@mantine/core';
import { useTestWebhook } from './integrationQueries.ts';
import { Problem } from '../components/Problem.tsx';
import { StepPanel } from './StepPanel.tsx';
import { TestResult } from './TestResult.tsx';

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
