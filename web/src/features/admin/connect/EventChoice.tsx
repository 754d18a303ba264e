import { Checkbox, Stack } from '@mantine/core';
import type { IntegrationOverview } from '../../../../../src/contract/integrations.ts';
import type { WebhookEvent } from '../../../../../src/contract/vocabulary.ts';

type Props = {
  catalog: IntegrationOverview['webhook_events'];
  chosen: readonly WebhookEvent[];
  error: string | null;
  onChange: (events: WebhookEvent[]) => void;
};

/** Which events are sent. A test is sent whenever somebody asks for it, and is no choice. */
export function EventChoice({ catalog, chosen, error, onChange }: Props) {
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
