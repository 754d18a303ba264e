import { Accordion, Code, Group, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconPlugConnected, IconPlugConnectedX, IconShieldCheck, IconShieldOff } from '@tabler/icons-react';
import type { DemoDelivery, DemoVerdict } from '../../../../src/contract/demo.ts';
import { indented } from '../../shared/indented.ts';
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

const verdicts = {
  verified: { text: 'signature verified', icon: IconShieldCheck },
  unsigned: { text: 'not signed', icon: IconShieldOff },
  refused: { text: 'signature refused', icon: IconAlertTriangle },
} satisfies Record<DemoVerdict, object>;

/** One webhook: what it is at a glance, and every header and byte of it when it is opened. */
function Delivery({ delivery }: { delivery: DemoDelivery }) {
  const { event, received_at, attempt, signature, headers, body, status_code } = delivery;
  const { text, icon: Icon } = verdicts[signature.verdict];
  return (
    <Accordion.Item value={String(delivery.sequence)}>
      <Accordion.Control>
        <span className={classes.line}>
          <span className={classes.time}>{new Date(received_at).toLocaleTimeString()}</span>
          <strong>{event ?? 'no event'}</strong>
          <span className={classes[signature.verdict]}>
            <Icon size="1.15em" aria-hidden /> {text}
          </span>
          <span>
            attempt {attempt ?? '?'}: {status_code}
          </span>
        </span>
      </Accordion.Control>
      <Accordion.Panel>
        <Text size="sm" mb="xs">
          {signature.detail}
        </Text>
        <div className={classes.parts}>
          <Code block tabIndex={0} aria-label="Headers">
            {Object.entries(headers)
              .map(([name, value]) => `${name}: ${value}`)
              .join('\n')}
          </Code>
          <Code block tabIndex={0} aria-label="Body">
            {indented(body)}
          </Code>
        </div>
      </Accordion.Panel>
    </Accordion.Item>
  );
}
