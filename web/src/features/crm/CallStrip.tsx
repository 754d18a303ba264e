import { Button, Group, Text } from '@mantine/core';
import { IconPhoneCall, IconPhoneOff, IconPhoneX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { OtherEnd } from '../../shared/phoneNumbers/OtherEnd.tsx';
import { clockText } from '../../shared/time.ts';
import { lasts, ringingEnd } from '../calls/callWords.ts';
import { useGatewayNow, useWorkplace } from '../workplace/workplaceContext.ts';
import classes from './CallStrip.module.css';

/** What goes on at the telephone, where the softphone is out of sight: who calls, who is spoken to, and the least that is done about it. */
export function CallStrip() {
  const { t } = useTranslation();
  const { view, workplace } = useWorkplace();
  const { call, caller, agent, pop, can } = view;
  const isRinging = caller !== null;
  const end = isRinging ? ringingEnd(view) : lasts(call) ? { phone: call.phone, caller: call.caller } : null;
  if (end === null) return agent?.state === 'wrap_up' ? <WrapUpStrip /> : null;
  const name = isRinging ? (pop?.screen_pop.name ?? caller.displayName ?? '') : call?.customer_name;
  return (
    <section className={classes.strip} aria-label={t('crmArea.call.label')} data-ringing={isRinging || undefined}>
      <div className={classes.who}>
        <OtherEnd name={name} {...end} />
        <Text size="xs">{isRinging ? t('softphone.call.incomingCall') : <CallState />}</Text>
      </div>
      <Group gap="xs" wrap="nowrap">
        {isRinging && (
          <>
            <Button size="xs" color="green" loading={view.isAnswering} leftSection={<IconPhoneCall size={14} aria-hidden />} onClick={() => workplace.answer()}>
              {t('softphone.call.answer')}
            </Button>
            <Button size="xs" variant="default" leftSection={<IconPhoneX size={14} aria-hidden />} onClick={() => workplace.reject()}>
              {t('softphone.call.decline')}
            </Button>
          </>
        )}
        {!isRinging && !can.reportsByHand && (
          <Button size="xs" color="red" leftSection={<IconPhoneOff size={14} aria-hidden />} onClick={() => workplace.hangUp()}>
            {t('softphone.call.hangUp')}
          </Button>
        )}
      </Group>
    </section>
  );
}

function CallState() {
  const { t } = useTranslation();
  const { call, isHeld } = useWorkplace().view;
  const now = useGatewayNow();
  if (!lasts(call)) return null;
  return `${t(`softphone.callState.${isHeld ? 'held' : call.state}`)} · ${clockText(now - Date.parse(call.answered_at ?? call.created_at))}`;
}

/** The wrap-up waits at the softphone. */
function WrapUpStrip() {
  const { t } = useTranslation();
  return (
    <section className={classes.strip} aria-label={t('crmArea.call.label')}>
      <Text size="sm" fw={600}>
        {t('shared.state.wrap_up')}
      </Text>
      <Button component="a" href="#/" size="xs" variant="light">
        {t('softphone.wrapUp.title')}
      </Button>
    </section>
  );
}
