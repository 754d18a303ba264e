import { Accordion, Code, Text } from '@mantine/core';
import { IconAlertTriangle, IconShieldCheck, IconShieldOff } from '@tabler/icons-react';
import type { DemoDelivery, DemoVerdict } from '../../../../src/contract/demo.ts';
import { indented } from '../../shared/indented.ts';
import classes from './Delivery.module.css';

const verdicts = {
  verified: { text: 'signature verified', icon: IconShieldCheck },
  unsigned: { text: 'not signed', icon: IconShieldOff },
  refused: { text: 'signature refused', icon: IconAlertTriangle },
} satisfies Record<DemoVerdict, object>;

/** One webhook: what it is at a glance, and every header and byte of it when it is opened. */
export function Delivery({ delivery }: { delivery: DemoDelivery }) {
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
