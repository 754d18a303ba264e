import { Anchor, Group, Text } from '@mantine/core';
import { Link } from 'wouter';
import type { IntegrationOverview } from '../../../../../src/contract/integrations.ts';
import { DeliveryState } from '../deliveries/DeliveryState.tsx';
import { Moment } from '../components/Moment.tsx';
import { Section } from '../components/Section.tsx';

type Props = { delivery: IntegrationOverview['status']['last_delivery'] };

/** What became of the webhook that was sent last. */
export function LastDelivery({ delivery }: Props) {
  return (
    <Section title="Last delivery" {...(delivery === null ? {} : { actions: <DeliveryState state={delivery.state} /> })}>
      {delivery === null ? (
        <Text size="sm" c="dimmed">
          No webhook has been sent yet. Each call sends some once a webhook URL is set; a test sends one at once.
        </Text>
      ) : (
        <>
          <Group gap="md">
            <Text size="sm" ff="monospace">
              {delivery.event}
            </Text>
            <Text size="sm">
              <Moment at={delivery.at} />
            </Text>
            {delivery.status_code !== null && <Text size="sm">Answer {delivery.status_code}</Text>}
          </Group>
          {delivery.error !== null && <Text size="sm">{delivery.error}</Text>}
          <Anchor component={Link} href={`/deliveries?delivery=${delivery.id}`} size="sm" underline="always">
            What was sent and what came back
          </Anchor>
        </>
      )}
    </Section>
  );
}
