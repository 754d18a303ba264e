import { Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ContactActivityView } from '../../../../src/contract/contactActivities.ts';
import { useFormat } from '../../lib/i18n/format.ts';
import { dispositionLabel } from '../../shared/dispositionLabel.ts';
import { clockText } from '../../shared/time.ts';
import { resultText } from '../calls/callWords.ts';
import classes from './ContactSummary.module.css';

/** Calls that are over: how each ended, what was noted, when it was and with whom. Nothing where there is none. */
export function LastCalls({ calls }: { calls: readonly ContactActivityView[] }) {
  const { t } = useTranslation();
  if (calls.length === 0) return null;
  return (
    <section aria-label={t('softphone.customer.lastCalls')}>
      <Title order={3} size="sm" mt="sm">
        {t('softphone.customer.lastCalls')}
      </Title>
      <ul className={classes.list}>
        {calls.map((entry) => (
          <LastCall key={entry.id} entry={entry} />
        ))}
      </ul>
    </section>
  );
}

function LastCall({ entry: { at, by, call } }: { entry: ContactActivityView }) {
  const { t } = useTranslation();
  const format = useFormat();
  if (call === null) return null;
  const { direction, disposition, talk_seconds } = call;
  const result =
    disposition === null
      ? resultText(t, { ...call, ended_by: null, sip_code: null })
      : dispositionLabel(t, disposition);
  const about = [
    t(direction === 'inbound' ? 'softphone.call.incoming' : 'softphone.call.outgoing'),
    format.moment(at),
    talk_seconds === null ? undefined : clockText(talk_seconds * 1_000),
    by?.name,
  ];
  return (
    <li>
      <Text size="sm" fw={600}>
        {result}
      </Text>
      {disposition?.notes != null && <div className={classes.notes}>{disposition.notes}</div>}
      <Text size="xs" c="dimmed">
        {about.filter((text) => text !== undefined).join(' · ')}
      </Text>
    </li>
  );
}
