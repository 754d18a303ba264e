import type { ReactNode } from 'react';
import { Checkbox, NumberInput, Stack, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { IntegrationOverview, IntegrationView, WebhookStatus } from '../../../../../src/contract/integrations.ts';
import type { WebhookEvent } from '../../../../../src/contract/vocabulary.ts';
import { Problem } from '../components/Loaded.tsx';
import { SaveBar } from '../components/SaveBar.tsx';
import { Section } from '../components/Section.tsx';
import { toast } from '../components/toast.ts';
import { useEditForm } from '../form/useEditForm.ts';
import { EndpointSwitches } from './EndpointSwitches.tsx';
import { ShownOnce } from './ShownOnce.tsx';
import { useUpdateIntegration } from './integrationQueries.ts';
import { urlFault } from './urlFault.ts';

type Props = { integration: IntegrationView; webhook: WebhookStatus | null; catalog: IntegrationOverview['webhook_events'] };

/** Where webhooks go, which ones, how many at once, and whether at all. */
export function WebhookSettings({ integration, webhook, catalog }: Props) {
  const { t } = useTranslation();
  const { form, changes, isChanged, reset, saved, refused } = useEditForm(
    {
      webhook_url: integration.webhook_url ?? '',
      webhook_max_in_flight: integration.webhook_max_in_flight as number | null,
      webhook_events: integration.webhook_events,
    },
    { validate: ({ webhook_url: url }) => (url === (integration.webhook_url ?? '') ? {} : { webhook_url: urlFault(t, url.trim()) }) },
  );
  const save = useUpdateIntegration();
  const hasUrl = integration.webhook_url !== null;

  function submit(): void {
    const { webhook_url: url, ...others } = changes;
    save.run(
      { ...others, ...(url === undefined ? {} : { webhook_url: url.trim() }) },
      {
        onSuccess: () => {
          saved(changes);
          toast(t('admin.connect.webhook.saved'));
        },
        onError: refused,
      },
    );
  }

  return (
    <Section title={t('admin.connect.webhook.title')} note={t('admin.connect.webhook.note')}>
      <form onSubmit={form.onSubmit(submit)} noValidate>
        <Stack gap="sm">
          <TextInput
            label={t('admin.connect.webhook.url')}
            type="url"
            placeholder="https://crm.example.com/readyline"
            {...form.getInputProps('webhook_url')}
            description={t(hasUrl ? 'admin.connect.webhook.urlChange' : 'admin.connect.webhook.urlNew')}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
          />
          {hasUrl && (
            <NumberInput
              label={t('admin.connect.webhook.concurrent')}
              description={t('admin.connect.webhook.concurrentHint')}
              {...form.getInputProps('webhook_max_in_flight')}
              value={form.values.webhook_max_in_flight ?? ''}
              onChange={(value) => form.setFieldValue('webhook_max_in_flight', typeof value === 'number' ? value : null)}
              min={1}
              max={32}
              allowDecimal={false}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              maw={360}
            />
          )}
          {hasUrl && (
            <EventChoice catalog={catalog} {...form.getInputProps('webhook_events')} />
          )}
          <Problem error={save.error} fields={['webhook_url', 'webhook_max_in_flight', 'webhook_events']} />
          <SaveBar isChanged={isChanged} isSaving={save.isPending} onReset={reset} />
        </Stack>
      </form>
      {hasUrl && webhook !== null && <EndpointSwitches webhook={webhook} />}
      <ShownOnce saved={save.data} isExpected={save.isPending && !hasUrl} onStored={save.reset} />
    </Section>
  );
}

type EventChoiceProps = {
  catalog: IntegrationOverview['webhook_events'];
  value?: readonly WebhookEvent[];
  error?: ReactNode;
  onChange: (events: WebhookEvent[]) => void;
};

/** Which events are sent. A test is sent whenever somebody asks for it, and is no choice. */
function EventChoice({ catalog, value = [], error, onChange }: EventChoiceProps) {
  const { t } = useTranslation();
  const choices = catalog.filter(({ id }) => id !== 'integration_test');
  return (
    <Checkbox.Group
      label={t('admin.connect.webhook.events')}
      description={t('admin.connect.webhook.eventsHint')}
      value={[...value]}
      // In the order of the catalog, so that what was ticked and unticked again counts as unchanged.
      onChange={(ticked) => onChange(catalog.map(({ id }) => id).filter((id) => ticked.includes(id)))}
      error={error}
    >
      <Stack gap={6} mt={6}>
        {choices.map(({ id }) => (
          <Checkbox key={id} value={id} label={t(`admin.connect.events.${id}`)} description={id} size="sm" />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}
