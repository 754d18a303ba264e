import { Button, Group, Text } from '@mantine/core';
import { IconPhoneCall, IconPhoneX } from '@tabler/icons-react';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallView } from '../../../../src/contract/calls.ts';
import { StateLabel } from '../../shared/agentState.tsx';
import { OtherEnd } from '../../shared/phoneNumbers/OtherEnd.tsx';
import { CallControls } from '../calls/CallControls.tsx';
import { CallStatus, CallTime } from '../calls/CallStatus.tsx';
import { lasts, nameOf, ringingEnd, ringingName } from '../calls/callWords.ts';
import { DeskPhoneControls } from '../calls/lazyDeskPhone.ts';
import { OtherCall } from '../calls/lazyOther.ts';
import { OfferPassOn } from '../calls/OfferPassOn.tsx';
import { useWorkplace } from '../workplace/workplaceContext.ts';
import classes from './CallStrip.module.css';

/**
 * What goes on at the telephone, where the softphone is out of sight: who calls, who is spoken to,
 * and what can be done about it.
 */
export function CallStrip() {
  const { call, caller, agent, other } = useWorkplace().view;
  if (caller !== null) return <RingingStrip />;
  if (lasts(call)) {
    return (
      <>
        {other !== null && (
          <Suspense fallback={null}>
            <OtherCall />
          </Suspense>
        )}
        <LastingStrip call={call} />
      </>
    );
  }
  return agent?.state === 'wrap_up' ? <WrapUpStrip call={call} /> : null;
}

function RingingStrip() {
  const { t } = useTranslation();
  const { view, workplace } = useWorkplace();
  const end = ringingEnd(view);
  return (
    <section className={classes.strip} aria-label={t('crmArea.call.label')} data-ringing>
      <div className={classes.who}>
        {end !== null && <OtherEnd name={ringingName(view)} {...end} />}
        <Text size="xs">{t('softphone.call.incomingCall')}</Text>
      </div>
      <Group gap="xs" wrap="nowrap">
        <Button
          size="xs"
          color="green"
          loading={view.isAnswering}
          leftSection={<IconPhoneCall size={14} aria-hidden />}
          onClick={() => workplace.answer()}
        >
          {t('softphone.call.answer')}
        </Button>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPhoneX size={14} aria-hidden />}
          onClick={() => workplace.reject()}
        >
          {t('softphone.call.decline')}
        </Button>
      </Group>
      <OfferPassOn callKey={view.callKey} call={view.call} />
    </section>
  );
}

function LastingStrip({ call }: { call: CallView }) {
  const { t } = useTranslation();
  const { callKey, can, pop } = useWorkplace().view;
  return (
    <section className={classes.strip} aria-label={t('crmArea.call.label')}>
      <div className={classes.who}>
        <OtherEnd name={nameOf(call, pop)} phone={call.phone} caller={call.caller} />
        <Text size="xs" component="div" className={classes.line ?? ''}>
          <CallStatus call={call} /> <span>·</span> <CallTime call={call} />
        </Text>
      </div>
      <div className={classes.controls}>
        {can.reportsByHand ? (
          <Suspense fallback={null}>
            <DeskPhoneControls call={call} />
          </Suspense>
        ) : (
          <CallControls key={callKey} call={call} isCompact />
        )}
      </div>
    </section>
  );
}

/** The wrap-up waits at the softphone. */
function WrapUpStrip({ call }: { call: CallView | null }) {
  const { t } = useTranslation();
  const { pop } = useWorkplace().view;
  return (
    <section className={classes.strip} aria-label={t('crmArea.call.label')}>
      <div className={classes.who}>
        {call !== null && <OtherEnd name={nameOf(call, pop)} phone={call.phone} caller={call.caller} />}
        <Text size="xs" component="div">
          <StateLabel state="wrap_up" />
        </Text>
      </div>
      <Button component="a" href="#/" size="xs" variant="light">
        {t('softphone.wrapUp.title')}
      </Button>
    </section>
  );
}
