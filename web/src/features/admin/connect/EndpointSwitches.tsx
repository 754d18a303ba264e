import { useState } from 'react';
import { Button, Group, Text } from '@mantine/core';
import type { UpdateIntegrationRequest, WebhookStatus } from '../../../../../src/contract/integrations.ts';
import { useUpdateIntegration } from './integrationQueries.ts';
import { Confirm } from '../components/Confirm.tsx';
import { toast } from '../components/toast.ts';

type Step = { title: string; text: string; action: string; body: UpdateIntegrationRequest; done: string };

const disabling: Step = {
  title: 'Disable the webhook?',
  text: 'Nothing is sent any more: what waits is given up, and what happens meanwhile is kept in the delivery log as given up. “Recover” in the delivery log sends it later.',
  action: 'Disable',
  body: { webhook_enabled: false },
  done: 'The webhook is disabled.',
};

const removing: Step = {
  title: 'Remove the webhook?',
  text: 'Nothing is sent or logged any more, what waits is given up, and the webhook secrets are dropped. A new URL brings a new secret.',
  action: 'Remove',
  body: { webhook_url: null },
  done: 'The webhook is removed.',
};

type Props = { webhook: WebhookStatus };

/** Whether webhooks are sent: now, later, or not at all. */
export function EndpointSwitches({ webhook: { condition } }: Props) {
  const change = useUpdateIntegration();
  const [asked, setAsked] = useState<Step | null>(null);
  // The dialog keeps its words while it fades out.
  const [last, setLast] = useState(disabling);

  function ask(step: Step): void {
    change.reset();
    setLast(step);
    setAsked(step);
  }

  function enable(): void {
    change.mutate({ webhook_enabled: true }, { onSuccess: () => toast('The webhook is enabled and taken for healthy.') });
  }

  return (
    <Group gap="xs">
      {condition !== 'healthy' && (
        <Button size="xs" onClick={enable} loading={change.isPending && asked === null}>
          {condition === 'disabled' ? 'Enable' : 'Resume now'}
        </Button>
      )}
      {condition !== 'disabled' && (
        <Button size="xs" variant="default" onClick={() => ask(disabling)}>
          Disable
        </Button>
      )}
      <Button size="xs" variant="default" onClick={() => ask(removing)}>
        Remove
      </Button>
      <Confirm
        isOpen={asked !== null}
        title={last.title}
        action={last.action}
        isBusy={change.isPending}
        error={change.error}
        onClose={() => setAsked(null)}
        onConfirm={() =>
          change.mutate(last.body, {
            onSuccess: () => {
              setAsked(null);
              toast(last.done);
            },
          })
        }
      >
        <Text size="sm">{last.text}</Text>
      </Confirm>
    </Group>
  );
}
