import { useState } from 'react';
import { Button, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
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
  const { t } = useTranslation();
  const connect = useConnect();
  const [ownFault, setOwnFault] = useState<string | null>(null);
  useLeaveGuard(connect.isPending ? 'beingMade' : null);

  function send(webhookUrl: string | null): void {
    const fault = webhookUrl === null ? null : urlFault(t, webhookUrl);
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
      title={t('admin.connect.webhookStep.title')}
      note={t('admin.connect.webhookStep.note')}
      onSubmit={() => send(url.trim())}
      actions={
        <>
          <Button variant="default" onClick={onBack} disabled={connect.isPending}>
            {t('admin.connect.webhookStep.back')}
          </Button>
          <Button type="submit" loading={connect.isPending}>
            {t('admin.connect.webhookStep.connect')}
          </Button>
          <Button variant="subtle" onClick={() => send(null)} disabled={connect.isPending}>
            {t('admin.connect.webhookStep.without')}
          </Button>
        </>
      }
    >
      <TextInput
        label={t('admin.connect.webhookStep.url')}
        description={t('admin.connect.webhookStep.urlHint')}
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
