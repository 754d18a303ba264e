import { Alert, Anchor, Button, Group, Loader, Text } from '@mantine/core';
import type { DemoStart } from '../../../../src/contract/demo.ts';

type Props = { start: DemoStart | null; problem: string | null; retry: () => void };

/** What keeps the demo from working as it should; nothing when nothing does. */
export function StartProblem({ start, problem, retry }: Props) {
  if (problem !== null) {
    return (
      <Alert color="red" variant="light" title="The demo could not be made ready" mb="md">
        <Group justify="space-between">
          <Text size="sm">{problem}</Text>
          <Button size="compact-sm" variant="default" onClick={retry}>
            Try again
          </Button>
        </Group>
      </Alert>
    );
  }
  if (start === null) return <Loader size="sm" aria-label="Making the demo ready" />;
  return (
    <>
      {start.webhooks === 'elsewhere' && (
        <Alert variant="light" mb="md">
          The webhooks of this company go to {start.webhook_url}, as its admin has set; they do not come to the inspector below. To see
          them here, remove the webhook URL in the <Anchor href="/admin" inherit target="_blank">console</Anchor> and load this page again.
        </Alert>
      )}
      {start.webhooks === 'refused' && (
        <Alert color="yellow" variant="light" mb="md">
          WEBHOOK_ALLOW_PRIVATE_NETWORKS keeps webhooks from this machine, so the inspector below stays empty.
        </Alert>
      )}
      {!start.carrier && (
        <Alert color="yellow" variant="light" mb="md">
          There is no carrier that answers: the optional package werift is not installed. The agent can still work by a desk
          phone.
        </Alert>
      )}
    </>
  );
}
