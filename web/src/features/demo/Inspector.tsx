import { Accordion, Code, Group, Text, Title } from '@mantine/core';
import {
  IconAlertTriangle,
  IconPlugConnected,
  IconPlugConnectedX,
  IconShieldCheck,
  IconShieldOff,
} from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { DemoDelivery, DemoVerdict } from '../../../../src/contract/demo.ts';
import { useFormat } from '../../lib/i18n/format.ts';
import { indented } from '../../shared/indented.ts';
import classes from './Delivery.module.css';

type Props = { deliveries: readonly DemoDelivery[]; isOpen: boolean };

/** What the company's webhook URL receives, as it arrives: the latest first. */
export function Inspector({ deliveries, isOpen }: Props) {
  const { t } = useTranslation();
  const Icon = isOpen ? IconPlugConnected : IconPlugConnectedX;
  return (
    <>
      <Group justify="space-between" mb="xs">
        <Title order={2}>{t('demo.inspector.title')}</Title>
        <Text size="sm" component="output" className={classes.listening ?? ''}>
          <Icon size="1.15em" aria-hidden />{' '}
          {isOpen ? t('demo.inspector.listening', { shown: deliveries.length }) : t('demo.inspector.reconnecting')}
        </Text>
      </Group>
      {deliveries.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('demo.inspector.nothing')}
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
  verified: { word: 'verified', icon: IconShieldCheck },
  unsigned: { word: 'unsigned', icon: IconShieldOff },
  refused: { word: 'signatureRefused', icon: IconAlertTriangle },
} as const satisfies Record<DemoVerdict, object>;

/** One webhook: what it is at a glance, and every header and byte of it when it is opened. */
function Delivery({ delivery }: { delivery: DemoDelivery }) {
  const format = useFormat();
  const { t } = useTranslation();
  const { event, received_at, attempt, signature, headers, body, status_code } = delivery;
  const { word, icon: Icon } = verdicts[signature.verdict];
  return (
    <Accordion.Item value={String(delivery.sequence)}>
      <Accordion.Control>
        <span className={classes.line}>
          <span className={classes.time}>{format.time(received_at, 'seconds')}</span>
          <strong>{event ?? t('demo.inspector.noEvent')}</strong>
          <span className={classes[signature.verdict]}>
            <Icon size="1.15em" aria-hidden /> {t(`demo.inspector.${word}`)}
          </span>
          <span>{t('demo.inspector.attempt', { attempt: attempt ?? '?', status: status_code })}</span>
        </span>
      </Accordion.Control>
      <Accordion.Panel>
        <Text size="sm" mb="xs">
          {t(`demo.inspector.signature.${signature.reason}`, { defaultValue: signature.detail })}
        </Text>
        <div className={classes.parts}>
          <Code block tabIndex={0} aria-label={t('demo.inspector.headers')}>
            {Object.entries(headers)
              .map(([name, value]) => `${name}: ${value}`)
              .join('\n')}
          </Code>
          <Code block tabIndex={0} aria-label={t('demo.inspector.body')}>
            {indented(body)}
          </Code>
        </div>
      </Accordion.Panel>
    </Accordion.Item>
  );
}
