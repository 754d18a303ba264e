import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { isMissed } from '../../../../src/contract/callRules.ts';
import type { ContactActivityView } from '../../../../src/contract/contactActivities.ts';
import type { Translate } from '../../lib/i18n/catalog.ts';
import { useFormat } from '../../lib/i18n/format.ts';
import { dispositionLabel } from '../../shared/dispositionLabel.ts';
import { PhoneNumber } from '../../shared/phoneNumbers/PhoneNumber.tsx';
import { clockText } from '../../shared/time.ts';
import { courseOf, resultText } from '../calls/callWords.ts';
import classes from './Timeline.module.css';

/** `Incoming call: Completed 3:10`. */
export function callTitle(t: Translate, { call }: ContactActivityView): string {
  if (call === null) return t('crmArea.timeline.call');
  const missed = isMissed(courseOf(call));
  const direction = t(
    `crmArea.timeline.${missed ? 'missedCall' : call.direction === 'inbound' ? 'incomingCall' : 'outgoingCall'}`,
  );
  const length = (call.talk_seconds ?? 0) > 0 ? ` ${clockText((call.talk_seconds ?? 0) * 1000)}` : '';
  return missed
    ? direction
    : t('crmArea.timeline.callResult', {
        direction,
        result: `${resultText(t, { ...call, ended_by: null, sip_code: null })}${length}`,
      });
}

/** The number, and what was noted in the wrap-up. */
export function CallBody({ entry: { call } }: { entry: ContactActivityView }) {
  const { t } = useTranslation();
  const format = useFormat();
  if (call === null) return null;
  const { disposition } = call;
  return (
    <>
      {call.phone_number !== null && (
        <Text size="xs" c="dimmed">
          <PhoneNumber number={call.phone_number} />
        </Text>
      )}
      {disposition !== null && (
        <Text size="sm">
          {dispositionLabel(t, disposition)}
          {disposition.callback_at !== null &&
            ` · ${t('crmArea.timeline.callBackAt', { time: format.moment(disposition.callback_at) })}`}
        </Text>
      )}
      {disposition?.notes != null && <div className={classes.text}>{disposition.notes}</div>}
    </>
  );
}
