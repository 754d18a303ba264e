import { Button } from '@mantine/core';
import { useTestWebhook } from './integrationQueries.ts';
import { Problem } from '../components/Problem.tsx';
import { Section } from '../components/Section.tsx';
import { TestResult } from './TestResult.tsx';

type Props = { url: string };

/** A webhook that means nothing, to see whether one arrives. */
export function TestSettings({ url }: Props) {
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
