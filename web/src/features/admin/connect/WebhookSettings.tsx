import type { ReactNode } from 'react';
import { Button, Checkbox, Group, NumberInput, Stack, Text, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type {
  IntegrationOverview,
  IntegrationView,
  UpdateIntegrationRequest,
  WebhookStatus,
} from '../../../../../src/contract/integrations.ts';
import type { WebhookEvent } from '../../../../../src/contract/vocabulary.ts';
import { useRecordForm } from '../../../shared/form/useRecordForm.ts';
import { Confirm } from '../components/Confirm.tsx';
import { Section } from '../components/Page.tsx';
import { RecordPanel } from '../components/RecordPanel.tsx';
import { toast } from '../components/toast.ts';
import { useAsked } from '../components/useAsked.ts';
import { ShownOnce } from './ShownOnce.tsx';
import { useUpdateIntegration } from './integrationQueries.ts';
import { urlFault } from './urlFault.ts';

type Props = {
  integration: IntegrationView;
  webhook: WebhookStatus | null;
  catalog: IntegrationOverview['webhook_events'];
};

/** Where webhooks go, which ones, how many at once, and whether at all. */
export function WebhookSettings({ integration, webhook, catalog }: Props) {
  const { t } = useTranslation();
  const save = useUpdateIntegration();
  const record = useRecordForm(
    {
      webhook_url: integration.webhook_url ?? '',
      webhook_max_in_flight: integration.webhook_max_in_flight as number | null,
      webhook_events: integration.webhook_events,
    },
    {
      action: save,
      body: ({ webhook_url: url, ...others }) => ({
        ...others,
        ...(url === undefined ? {} : { webhook_url: url.trim() }),
      }),
      validate: ({ webhook_url: url }) =>
        url === (integration.webhook_url ?? '') ? {} : { webhook_url: urlFault(t, url.trim()) },
      onSaved: () => toast(t('admin.connect.webhook.saved')),
    },
  );
  const { form } = record;
  const hasUrl = integration.webhook_url !== null;

  return (
    <Section title={t('admin.connect.webhook.title')} note={t('admin.connect.webhook.note')}>
      <RecordPanel record={record} fields={Object.keys(form.values)}>
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
        {hasUrl && <EventChoice catalog={catalog} {...form.getInputProps('webhook_events')} />}
      </RecordPanel>
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

type Step = 'disabling' | 'removing';

const bodies: Record<Step, UpdateIntegrationRequest> = {
  disabling: { webhook_enabled: false },
  removing: { webhook_url: null },
};

type EndpointSwitchesProps = { webhook: WebhookStatus };

/** Whether webhooks are sent: now, later, or not at all. */
function EndpointSwitches({ webhook: { condition } }: EndpointSwitchesProps) {
  const { t } = useTranslation();
  const change = useUpdateIntegration();
  const { isOpen, about: step, ask, close } = useAsked<Step>('disabling', change);

  function enable(): void {
    change.run({ webhook_enabled: true }, { onSuccess: () => toast(t('admin.connect.switch.enabled')) });
  }

  return (
    <Group gap="xs">
      {condition !== 'healthy' && (
        <Button size="xs" onClick={enable} loading={change.isPending && !isOpen}>
          {t(condition === 'disabled' ? 'admin.connect.switch.enable' : 'admin.connect.switch.resume')}
        </Button>
      )}
      {condition !== 'disabled' && (
        <Button size="xs" variant="default" onClick={() => ask('disabling')}>
          {t('admin.connect.switch.disabling.action')}
        </Button>
      )}
      <Button size="xs" variant="default" onClick={() => ask('removing')}>
        {t('admin.connect.switch.removing.action')}
      </Button>
      <Confirm
        isOpen={isOpen}
        title={t(`admin.connect.switch.${step}.title`)}
        action={t(`admin.connect.switch.${step}.action`)}
        isBusy={change.isPending}
        error={change.error}
        onClose={close}
        onConfirm={() =>
          change.run(bodies[step], {
            onSuccess: () => {
              close();
              toast(t(`admin.connect.switch.${step}.done`));
            },
          })
        }
      >
        <Text size="sm">{t(`admin.connect.switch.${step}.text`)}</Text>
      </Confirm>
    </Group>
  );
}
