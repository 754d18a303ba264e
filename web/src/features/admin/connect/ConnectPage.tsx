import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { IntegrationOverview } from '../../../../../src/contract/integrations.ts';
import { integrationQuery } from './integrationQueries.ts';
import { Loaded } from '../components/Loaded.tsx';
import { Page } from '../components/Page.tsx';
import { ConnectionSettings } from './ConnectionSettings.tsx';
import { Guide } from './Guide.tsx';

/** Connects a CRM step by step; once connected, its settings. */
export function ConnectPage() {
  const overview = useQuery(integrationQuery);
  return (
    <Page title="Connection" isNarrow>
      <Loaded query={overview}>{(data) => <Connection overview={data} />}</Loaded>
    </Page>
  );
}

function Connection({ overview }: { overview: IntegrationOverview }) {
  // The path goes on after the step that connects: the key and the test come then.
  const [isGuided, setGuided] = useState(!overview.status.connected);
  return isGuided ? (
    <Guide overview={overview} onDone={() => setGuided(false)} />
  ) : (
    <ConnectionSettings overview={overview} />
  );
}
