import { Stack } from '@mantine/core';
import type { IntegrationOverview } from '../../../../../src/contract/integrations.ts';
import { Section } from '../components/Section.tsx';
import { CrmSettings } from './CrmSettings.tsx';
import { KeySettings } from './KeySettings.tsx';
import { SecretSettings } from './SecretSettings.tsx';
import { Snippets } from './Snippets.tsx';
import { TestSettings } from './TestSettings.tsx';
import { WebhookSettings } from './WebhookSettings.tsx';

type Props = { overview: IntegrationOverview };

/** Everything about the connection that can be changed. */
export function ConnectionSettings({ overview }: Props) {
  const { integration } = overview;
  return (
    <Stack>
      <CrmSettings overview={overview} />
      <KeySettings integration={integration} />
      <WebhookSettings integration={integration} webhook={overview.status.webhook} catalog={overview.webhook_events} />
      {integration.webhook_url !== null && (
        <>
          <SecretSettings integration={integration} />
          <TestSettings url={integration.webhook_url} />
        </>
      )}
      <Section title="Requests of the CRM" note="Put the key in place of $READYLINE_KEY.">
        <Snippets />
      </Section>
    </Stack>
  );
}
