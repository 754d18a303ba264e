import { SimpleGrid } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { integrationQuery } from '../connect/integrationQueries.ts';
import { Loaded } from '../components/Loaded.tsx';
import { Page } from '../components/Page.tsx';
import { ReloadButton } from '../components/ReloadButton.tsx';
import { ConnectionStatus } from './ConnectionStatus.tsx';
import { LastDelivery } from './LastDelivery.tsx';
import { Notices } from './Notices.tsx';
import { WebhookCondition } from './WebhookCondition.tsx';

/** How the company is connected, and what asks for attention. */
export function OverviewPage() {
  const overview = useQuery(integrationQuery);
  return (
    <Page title="Overview" actions={<ReloadButton query={overview} />}>
      <Loaded query={overview}>
        {(data) => (
          <>
            <Notices notices={data.status.notices} />
            <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
              <ConnectionStatus overview={data} />
              {data.status.webhook !== null && <WebhookCondition webhook={data.status.webhook} url={data.integration.webhook_url} />}
              <LastDelivery delivery={data.status.last_delivery} />
            </SimpleGrid>
          </>
        )}
      </Loaded>
    </Page>
  );
}
