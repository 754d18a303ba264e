import { Accordion, Group, Text, Title } from '@mantine/core';
import { IconPlugConnected, IconPlugConnectedX } from '@tabler/icons-react';
import type { DemoDelivery } from '../../../../src/contract/demo.ts';
import { Delivery } from './Delivery.tsx';
import classes from './Delivery.module.css';

type Props = { deliveries: readonly DemoDelivery[]; isOpen: boolean };

/** What the company's webhook URL receives, as it arrives: the latest first. */
export function Inspector({ deliveries, isOpen }: Props) {
  const Icon = isOpen ? IconPlugConnected : IconPlugConnectedX;
  return (
    <>
      <Group justify="space-between" mb="xs">
        <Title order={2}>Webhooks that have arrived</Title>
        <Text size="sm" component="output" className={classes.listening ?? ''}>
          <Icon size="1.15em" aria-hidden /> {isOpen ? `Listening · ${deliveries.length} shown` : 'Not listening: reconnecting…'}
        </Text>
      </Group>
      {deliveries.length === 0 && (
        <Text size="sm" c="dimmed">
          Nothing yet. A call brings cti_click_to_dial, call_started, call_answered and disposition.
        </Text>
      )}
      <Accordion
        multiple
        variant="contained"
        keepMounted={false}
        transitionDuration={0}
        order={3}
        classNames={{ item: classes.item ?? '' }}
      >
        {deliveries.map((delivery) => (
          <Delivery key={delivery.sequence} delivery={delivery} />
        ))}
      </Accordion>
    </>
  );
}
