import { Button, Group, Paper, Text, Title } from '@mantine/core';
import { IconPhoneCall, IconPhoneX } from '@tabler/icons-react';
import { Suspense, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { CalledLine } from './CalledLine.tsx';
import classes from './CallPanel.module.css';
import { ringingEnd, ringingName } from './callWords.ts';
import { OtherCall } from './lazyOther.ts';
import { TransferredFrom } from './lazyTransfer.ts';
import { OfferPassOn } from './OfferPassOn.tsx';
import { isTyping } from '../../shared/isTyping.ts';
import { OtherEnd } from '../../shared/phoneNumbers/OtherEnd.tsx';
import { useWorkplace } from '../workplace/workplaceContext.ts';

/**
 * Somebody calls: who it is stands in the card below, before it is answered.
 * After a reload the gateway knows of the call before it rings at this telephone again, if it ever does.
 */
export function IncomingCall() {
  const { t } = useTranslation();
  const { view } = useWorkplace();
  const { caller } = view;
  const end = ringingEnd(view);
  const name = (ringingName(view) ?? '').trim();
  return (
    <Paper
      component="section"
      withBorder
      p="sm"
      aria-label={t('softphone.call.incomingCall')}
      className={`${classes.panel} ${classes.incoming}`}
    >
      {view.other !== null && (
        <Suspense fallback={null}>
          <OtherCall />
        </Suspense>
      )}
      <Title order={2} className={classes.who}>
        {end !== null && <OtherEnd name={name} {...end} />}
      </Title>
      <Text size="sm">
        {t(caller === null ? 'softphone.call.waiting' : 'softphone.call.incomingCall')}
        {name !== '' && end !== null && (
          <>
            {' · '}
            <OtherEnd {...end} />
          </>
        )}
      </Text>
      <CalledLine call={view.call} />
      {view.call?.transferred_from != null && (
        <Suspense fallback={null}>
          <TransferredFrom from={view.call.transferred_from} />
        </Suspense>
      )}
      {caller === null ? <Waiting /> : <Choice />}
      {caller !== null && <OfferPassOn callKey={view.callKey} call={view.call} />}
    </Paper>
  );
}

function Waiting() {
  const { t } = useTranslation();
  const { workplace } = useWorkplace();
  return (
    <Group mt="sm" grow>
      <Button variant="default" leftSection={<IconPhoneX size={16} aria-hidden />} onClick={() => workplace.hangUp()}>
        {t('softphone.call.dontWait')}
      </Button>
    </Group>
  );
}

function Choice() {
  const { t } = useTranslation();
  const { view, workplace } = useWorkplace();
  const answer = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isTyping()) answer.current?.focus();
  }, []);
  return (
    <Group mt="sm" grow>
      <Button
        ref={answer}
        color="green"
        leftSection={<IconPhoneCall size={16} aria-hidden />}
        aria-keyshortcuts="Alt+A"
        loading={view.isAnswering}
        onClick={() => workplace.answer()}
      >
        {t('softphone.call.answer')}
      </Button>
      <Button variant="default" leftSection={<IconPhoneX size={16} aria-hidden />} onClick={() => workplace.reject()}>
        {t('softphone.call.decline')}
      </Button>
    </Group>
  );
}
