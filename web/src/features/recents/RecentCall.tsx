import { ActionIcon, Button, Group, Text } from '@mantine/core';
import { IconArrowDownLeft, IconArrowUpRight, IconPhone } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { asksForWrapUp, isMissed } from '../../../../src/contract/callRules.ts';
import type { CallSummary } from '../../../../src/contract/calls.ts';
import { useFormat } from '../../lib/i18n/format.ts';
import { dispositionLabel } from '../../shared/dispositionLabel.ts';
import { otherEndText } from '../../shared/otherEnd.ts';
import { isolated } from '../../shared/phoneNumbers/direction.ts';
import { PhoneCountry } from '../../shared/phoneNumbers/lazyCountry.tsx';
import { OtherEnd } from '../../shared/phoneNumbers/OtherEnd.tsx';
import { usePhoneText } from '../../shared/phoneNumbers/phoneText.ts';
import { RecordLink } from '../../shared/RecordLink.tsx';
import { clockText } from '../../shared/time.ts';
import { courseOf, resultText, whoIs } from '../calls/callWords.ts';
import { openPreview } from '../preview/previewStore.ts';
import { useWorkplace } from '../workplace/workplaceContext.ts';
import classes from './RecentCalls.module.css';

type Props = { call: CallSummary; canDial: boolean; canWrapUp: boolean; onWrapUp: () => void };

/**
 * One call of before: with whom, when, what came of it;
 * dialed again by its button, or looked at first where the company wants that.
 */
export function RecentCall({ call, canDial, canWrapUp, onWrapUp }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const phoneText = usePhoneText();
  const { view, workplace, run } = useWorkplace();
  const Direction = call.direction === 'inbound' ? IconArrowDownLeft : IconArrowUpRight;
  const who = whoIs(t, phoneText, call);
  const { phone } = call;
  const course = courseOf(call);
  const missed = isMissed(course);
  const length = (call.duration_seconds ?? 0) > 0 ? ` ${clockText((call.duration_seconds ?? 0) * 1000)}` : '';

  function dial(number: string): void {
    if (view.settings?.preview_dial === true) openPreview({ kind: 'number', phone: number, name: call.customer_name });
    else run((options) => workplace.dial(number, options));
  }

  return (
    <li className={classes.call}>
      <Direction
        size={16}
        aria-label={t(`softphone.call.${missed ? 'missed' : call.direction === 'inbound' ? 'incoming' : 'outgoing'}`)}
        className={missed ? classes.missed : undefined}
      />
      <div>
        <div className={classes.who} title={[who, otherEndText(t, phoneText, call)].map(isolated).join(' ')}>
          <OtherEnd name={call.customer_name} phone={phone} caller={call.caller} />{' '}
          {phone !== null && <PhoneCountry number={phone} />}
        </div>
        <Text size="xs" c="dimmed" truncate>
          {format.moment(call.created_at)} · {resultText(t, call)}
          {length}
          {call.disposition === null ? '' : ` · ${dispositionLabel(t, call.disposition)}`}
        </Text>
        <RecordLink record={call} who={who} />
      </div>
      <Group gap={4} wrap="nowrap">
        {canWrapUp && call.disposition === null && asksForWrapUp(course) && (
          <Button
            size="compact-xs"
            variant="subtle"
            onClick={onWrapUp}
            aria-label={t('dialing.recent.wrapUpWith', { who })}
          >
            {t('dialing.recent.wrapUp')}
          </Button>
        )}
        {phone !== null && (
          <ActionIcon
            variant="subtle"
            disabled={!canDial}
            bg={canDial ? '' : 'transparent'}
            aria-label={t('dialing.recent.dialAgain', { who })}
            title={t('softphone.recent.dial', { number: isolated(phoneText(phone)) })}
            onClick={() => dial(phone)}
          >
            <IconPhone size={16} stroke={1.75} />
          </ActionIcon>
        )}
      </Group>
    </li>
  );
}
