import { type FormEvent, useState } from 'react';
import { Checkbox, NumberInput, Stack, TextInput } from '@mantine/core';
import type { IntegrationOverview, IntegrationView, WebhookStatus } from '../../../../../src/contract/integrations.ts';
import type { WebhookEvent } from '../../../../../src/contract/vocabulary.ts';
import { Problem } from '../components/Loaded.tsx';
import { SaveBar } from '../components/SaveBar.tsx';
import { Section } from '../components/Section.tsx';
import { toast } from '../components/toast.ts';
import { fieldError } from '../form/fieldErrors.ts';
import { useEditForm } from '../form/useEditForm.ts';
import { EndpointSwitches } from './EndpointSwitches.tsx';
import { ShownOnce } from './ShownOnce.tsx';
import { useUpdateIntegration } from './integrationQueries.ts';
import { urlFault } from './urlFault.ts';

type Props = { integration: IntegrationView; webhook: WebhookStatus | null; catalog: IntegrationOverview['webhook_events'] };

/** Where webhooks go, which ones, how many at once, and whether at all. */
export function WebhookSettings({ integration, webhook, catalog }: Props) {
  const { values, changes, isChanged, set, reset, saved } = useEditForm({
    url: integration.webhook_url ?? '',
    maxInFlight: integration.webhook_max_in_flight as number | null,
    events: integration.webhook_events,
  });
  const save = useUpdateIntegration();
  const [ownFault, setOwnFault] = useState<string | null>(null);
  const hasUrl = integration.webhook_url !== null;

  function submit(event: FormEvent): void {
    event.preventDefault();
    const fault = changes.url === undefined ? null : urlFault(changes.url.trim());
    setOwnFault(fault);
    if (fault !== null) return;
    save.mutate(
      {
        ...(changes.url === undefined ? {} : { webhook_url: changes.url.trim() }),
        ...(changes.maxInFlight === undefined ? {} : { webhook_max_in_flight: changes.maxInFlight }),
        ...(changes.events === undefined ? {} : { webhook_events: changes.events }),
      },
      {
        onSuccess: () => {
          saved(changes);
          toast('The webhook settings are saved.');
        },
      },
    );
  }

  return (
    <Section title="Webhook" note="Each step of a call is posted there.">
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          <TextInput
            label="URL"
            type="url"
            placeholder="https://crm.example.com/readyline"
            value={values.url}
            onChange={(event) => {
              setOwnFault(null);
              set({ url: event.currentTarget.value });
            }}
            error={ownFault ?? fieldError(save.error, 'webhook_url')}
            description={hasUrl ? 'A new URL keeps the secret and takes over what waits' : 'The first URL brings a secret, which is shown once'}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
          />
          {hasUrl && (
            <NumberInput
              label="Max concurrent deliveries"
              description="How many webhooks may be on their way at the same time, 1 to 32; empty is 4"
              value={values.maxInFlight ?? ''}
              onChange={(value) => set({ maxInFlight: typeof value === 'number' ? value : null })}
              min={1}
              max={32}
              allowDecimal={false}
              error={fieldError(save.error, 'webhook_max_in_flight')}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              maw={360}
            />
          )}
          {hasUrl && (
            <EventChoice
              catalog={catalog}
              chosen={values.events}
              error={fieldError(save.error, 'webhook_events')}
              onChange={(events) => set({ events })}
            />
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
  chosen: readonly WebhookEvent[];
  error: string | null;
  onChange: (events: WebhookEvent[]) => void;
};

/** Which events are sent. A test is sent whenever somebody asks for it, and is no choice. */
function EventChoice({ catalog, chosen, error, onChange }: EventChoiceProps) {
  const choices = catalog.filter(({ id }) => id !== 'integration_test');
  return (
    <Checkbox.Group
      label="Events"
      description="What is sent from now on. A test is always sent."
      value={[...chosen]}
      // In the order of the catalog, so that what was ticked and unticked again counts as unchanged.
      onChange={(ticked) => onChange(catalog.map(({ id }) => id).filter((id) => ticked.includes(id)))}
      error={error}
    >
      <Stack gap={6} mt={6}>
        {choices.map(({ id, name }) => (
          <Checkbox key={id} value={id} label={name} description={id} size="sm" />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}
