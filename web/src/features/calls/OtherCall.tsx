import { Button, Group, Text } from '@mantine/core';
import { IconArrowsExchange, IconPhoneCall, IconPhoneX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { CallStateLabel } from '../../shared/callState.tsx';
import { OtherEnd } from '../../shared/phoneNumbers/OtherEnd.tsx';
import { clockText } from '../../shared/time.ts';
import { useGatewayNow, useWorkplace } from '../workplace/workplaceContext.ts';
import { CalledLine } from './CalledLine.tsx';
import { besideName, besideEnd } from './callWords.ts';
import { OfferPassOn } from './OfferPassOn.tsx';
import classes from './OtherCall.module.css';

/** The call beside the one that the agent talks in: it rings, or is on hold. Nothing where there is none. */
export function OtherCall() {
  const { t } = useTranslation();
  const { view, workplace } = useWorkplace();
  const now = useGatewayNow();
  const { consult, isTransferring, other, reservedColleague } = view;
  if (other === null) return null;
  const rings = other.caller !== null;
  const end = besideEnd(other);
  // Whoever is to get the call in front comes first.
  const isFree = consult === null && !isTransferring && reservedColleague === null;
  return (
    <section className={classes.other} aria-label={t('softphone.other.label')} data-ringing={rings || undefined}>
      <div className={classes.who}>
        {end !== null && <OtherEnd name={besideName(other)} {...end} />}
        <Text size="xs" component="div">
          {rings ? t('softphone.call.incomingCall') : <CallStateLabel state="held" />}{' '}
          <span className={classes.clock} role="timer" aria-label={t('softphone.other.time')}>
            {clockText(now - Date.parse((rings ? null : other.call?.held_at) ?? other.since))}
          </span>
        </Text>
        <CalledLine call={other.call} />
      </div>
      <Group gap="xs" wrap="nowrap">
        <Button
          size="xs"
          {...(rings ? { color: 'green' } : { variant: 'default' })}
          leftSection={rings ? <IconPhoneCall size={14} aria-hidden /> : <IconArrowsExchange size={14} aria-hidden />}
          aria-keyshortcuts={rings ? 'Alt+A' : 'Alt+S'}
          loading={other.isTurning}
          disabled={!isFree}
          onClick={() => workplace.turnToOther()}
        >
          {t(rings ? 'softphone.other.answer' : 'softphone.other.turn')}
        </Button>
        {rings && (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPhoneX size={14} aria-hidden />}
            aria-keyshortcuts="Alt+X"
            onClick={() => workplace.rejectOther()}
          >
            {t('softphone.call.decline')}
          </Button>
        )}
      </Group>
      {rings && <OfferPassOn callKey={other.key} call={other.call} />}
    </section>
  );
}
