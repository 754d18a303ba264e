import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { IntegrationOverview } from '../../../../../src/contract/integrations.ts';
import { Loaded } from '../components/Loaded.tsx';
import { Page, Section } from '../components/Page.tsx';
import { PartnerSettings } from './PartnerSettings.tsx';
import { Snippets } from './DoneStep.tsx';
import { ConnectGuide } from './ConnectGuide.tsx';
import { ApiKeySettings } from '../apiKeys/ApiKeySettings.tsx';
import { WebhookSecretSettings } from './WebhookSecretSettings.tsx';
import { TestSettings } from './TestWebhook.tsx';
import { WebhookSettings } from './WebhookSettings.tsx';
import { integrationQuery } from './integrationQueries.ts';

/** Connects a CRM step by step; once connected, its settings. */
export function ConnectPage() {
  const { t } = useTranslation();
  const overview = useQuery(integrationQuery);
  return (
    <Page title={t('admin.pages.connect')} isNarrow>
      <Loaded query={overview}>{(data) => <Connection overview={data} />}</Loaded>
    </Page>
  );
}

function Connection({ overview }: { overview: IntegrationOverview }) {
  // The path goes on after the step that connects: the key and the test come then.
  const [isGuided, setGuided] = useState(!overview.status.connected);
  return isGuided ? (
    <ConnectGuide overview={overview} onDone={() => setGuided(false)} />
  ) : (
    <ConnectionSettings overview={overview} />
  );
}

type Props = { overview: IntegrationOverview };

/** Everything about the connection that can be changed. */
function ConnectionSettings({ overview }: Props) {
  const { t } = useTranslation();
  const { integration } = overview;
  return (
    <Stack>
      <PartnerSettings overview={overview} />
      <ApiKeySettings integration={integration} />
      <WebhookSettings integration={integration} webhook={overview.status.webhook} catalog={overview.webhook_events} />
      {integration.webhook_url !== null && (
        <>
          <WebhookSecretSettings integration={integration} />
          <TestSettings url={integration.webhook_url} />
        </>
      )}
      <Section title={t('admin.connect.requests.title')} note={t('admin.connect.requests.note')}>
        <Snippets />
      </Section>
    </Stack>
  );
}
