import { Anchor, Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { useTranslation } from 'react-i18next';
import type { ReportViewView } from '../../../../../src/contract/reportViews.ts';
import type { Translate } from '../../../lib/i18n/catalog.ts';
import { Facts } from '../components/Facts.tsx';
import { Problem } from '../components/Loaded.tsx';
import { Moment } from '../components/Moment.tsx';
import { Section } from '../components/Page.tsx';
import { toast } from '../components/toast.ts';
import { ScheduleForm } from './ScheduleForm.tsx';
import { weekdayName } from './reportWords.ts';
import { useSendNow, useUnschedule } from './viewQueries.ts';

type Schedule = NonNullable<ReportViewView['schedule']>;

/** For admins: when the report of a shared view is sent by webhook, how it went last, and sending it now. */
export function ReportSchedule({ view }: { view: ReportViewView }) {
  const { t } = useTranslation();
  const [isEditing, setEditing] = useState(false);
  const { schedule } = view;
  if (isEditing) return <ScheduleForm view={view} onDone={() => setEditing(false)} />;
  const sharedNote = t(view.filter.range === undefined ? 'reports.schedule.needsRange' : 'reports.schedule.note');
  return (
    <Section
      title={t('reports.schedule.title')}
      note={view.shared ? sharedNote : t('reports.schedule.needsSharing')}
      actions={
        view.shared &&
        view.filter.range !== undefined && (
          <Button size="xs" variant="default" onClick={() => setEditing(true)}>
            {t(schedule === null ? 'reports.schedule.set' : 'reports.schedule.change')}
          </Button>
        )
      }
    >
      {schedule !== null && <Runs id={view.id} schedule={schedule} />}
    </Section>
  );
}

function Runs({ id, schedule }: { id: string; schedule: Schedule }) {
  const { t, i18n } = useTranslation();
  const sending = useSendNow(id);
  const ending = useUnschedule(id);
  const { last_run: last, next_run_at: next, when } = schedule;
  const facts = [
    [t('reports.schedule.when'), rhythmText(t, i18n.language, when)],
    [t('reports.schedule.next'), <Moment key="next" at={next} />],
    [t('reports.schedule.last'), last === null ? t('reports.schedule.never') : <LastRun key="last" run={last} />],
  ] as const;
  return (
    <>
      <Facts labelWidth="140px" gap={4} facts={facts} />
      <Problem error={sending.error} />
      <Problem error={ending.error} />
      <Group gap="xs">
        <Button
          size="xs"
          variant="default"
          loading={sending.isPending}
          onClick={() => sending.run(undefined, { onSuccess: () => toast(t('reports.schedule.sent')) })}
        >
          {t('reports.schedule.now')}
        </Button>
        <Button size="xs" variant="subtle" color="red" loading={ending.isPending} onClick={() => ending.run()}>
          {t('reports.schedule.end')}
        </Button>
      </Group>
    </>
  );
}

function LastRun({ run: { at, delivery_id: delivery, outcome } }: { run: NonNullable<Schedule['last_run']> }) {
  const { t } = useTranslation();
  return (
    <Text size="sm" component="span">
      <Moment at={at} /> · {t(`reports.schedule.outcome.${outcome}`)}{' '}
      {delivery !== null ? (
        <Anchor size="sm" renderRoot={(props) => <Link {...props} to={`/deliveries?delivery=${delivery}`} />}>
          {t('reports.schedule.delivery')}
        </Anchor>
      ) : (
        <Anchor size="sm" renderRoot={(props) => <Link {...props} to="/connect" />}>
          {t('reports.schedule.webhook')}
        </Anchor>
      )}
    </Text>
  );
}

function rhythmText(t: Translate, language: string, when: Schedule['when']): string {
  const { time, time_zone: zone } = when;
  switch (when.every) {
    case 'day':
      return t('reports.schedule.daily', { time, zone });
    case 'week':
      return t('reports.schedule.weekly', { day: weekdayName(language, when.weekday ?? 1), time, zone });
    case 'month':
      return t('reports.schedule.monthly', { day: when.month_day ?? 1, time, zone });
  }
}
