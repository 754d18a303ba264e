import { useState } from 'react';
import { Button, TextInput } from '@mantine/core';
import type { SavedIntegration } from '../../../../../src/contract/integrations.ts';
import { Problem } from '../components/Loaded.tsx';
import { fieldError } from '../form/fieldErrors.ts';
import { useLeaveGuard } from '../shell/leaveGuard.tsx';
import type { Choice } from './ChooseStep.tsx';
import { StepPanel } from './StepPanel.tsx';
import { useConnect } from './integrationQueries.ts';
import { urlFault } from './urlFault.ts';

type Props = {
  choice: Choice;
  url: string;
  onChange: (url: string) => void;
  onBack: () => void;
  onConnected: (saved: SavedIntegration) => void;
};

/** Where webhooks go. Leaving this step forwards connects the company. */
export function WebhookStep({ choice, url, onChange, onBack, onConnected }: Props) {
  const connect = useConnect();
  const [ownFault, setOwnFault] = useState<string | null>(null);
  useLeaveGuard(connect.isPending ? 'beingMade' : null);

  function send(webhookUrl: string | null): void {
    const fault = webhookUrl === null ? null : urlFault(webhookUrl);
    setOwnFault(fault);
    if (fault !== null) return;
    connect.mutate(
      {
        ...(choice.provider === null ? {} : { crm_provider: choice.provider }),
        cti_connector: choice.connector,
        ...(webhookUrl === null ? {} : { webhook_url: webhookUrl }),
      },
      { onSuccess: onConnected },
    );
  }

  return (
    <StepPanel
      title="Where should webhooks go?"
      note="Readyline posts each step of a call there: dialed, started, answered, wrapped up."
      onSubmit={() => send(url.trim())}
      actions={
        <>
          <Button variant="default" onClick={onBack} disabled={connect.isPending}>
            Back
          </Button>
          <Button type="submit" loading={connect.isPending}>
            Connect
          </Button>
          <Button variant="subtle" onClick={() => send(null)} disabled={connect.isPending}>
            Connect without a webhook
          </Button>
        </>
      }
    >
      <TextInput
        label="Webhook URL"
        description="An address of your CRM or middleware that takes a POST with JSON"
        placeholder="https://crm.example.com/readyline"
        type="url"
        value={url}
        onChange={(event) => {
          setOwnFault(null);
          onChange(event.currentTarget.value);
        }}
        error={ownFault ?? fieldError(connect.error, 'webhook_url')}
      />
      <Problem error={connect.error} fields={['webhook_url']} />
    </StepPanel>
  );
}
