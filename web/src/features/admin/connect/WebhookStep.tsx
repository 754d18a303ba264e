import { Button, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { SavedIntegration } from '../../../../../src/contract/integrations.ts';
import { Problem } from '../components/Loaded.tsx';
import { fieldErrors } from '../../../shared/form/fieldErrors.ts';
import { useLeaveGuard } from '../../../shared/form/leaveGuard.ts';
import { StepPanel } from './StepPanel.tsx';
import type { GuideForm } from './guideForm.ts';
import { useConnect } from './integrationQueries.ts';

type Props = { form: GuideForm; onBack: () => void; onConnected: (saved: SavedIntegration) => void };

/** Where webhooks go. Leaving this step forwards connects the company. */
export function WebhookStep({ form, onBack, onConnected }: Props) {
  const { t } = useTranslation();
  const connect = useConnect();
  useLeaveGuard(connect.isPending ? 'beingMade' : null);

  function send(webhook: { webhook_url?: string }): void {
    const { crm_provider: provider, cti_connector } = form.getValues();
    connect.run(
      { ...(provider === null ? {} : { crm_provider: provider }), cti_connector, ...webhook },
      { onSuccess: onConnected, onError: (error) => form.setErrors(fieldErrors(t, error)) },
    );
  }

  function sendWithUrl(): void {
    if (!form.validateField('webhook_url').hasError) send({ webhook_url: form.getValues().webhook_url.trim() });
  }

  function sendWithoutUrl(): void {
    form.clearFieldError('webhook_url');
    send({});
  }

  return (
    <StepPanel
      title={t('admin.connect.webhookStep.title')}
      note={t('admin.connect.webhookStep.note')}
      onSubmit={sendWithUrl}
      actions={
        <>
          <Button variant="default" onClick={onBack} disabled={connect.isPending}>
            {t('admin.connect.webhookStep.back')}
          </Button>
          <Button type="submit" loading={connect.isPending}>
            {t('admin.connect.webhookStep.connect')}
          </Button>
          <Button variant="subtle" onClick={sendWithoutUrl} disabled={connect.isPending}>
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
        {...form.getInputProps('webhook_url')}
      />
      <Problem error={connect.error} fields={['webhook_url']} />
    </StepPanel>
  );
}
