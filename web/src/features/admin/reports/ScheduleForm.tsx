import { Group, Input, NumberInput, SegmentedControl, Select, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  reportRhythms,
  type ReportViewView,
  type ScheduleReportRequest,
} from '../../../../../src/contract/reportViews.ts';
import { FormButtons } from '../components/FormButtons.tsx';
import { Problem } from '../components/Loaded.tsx';
import { Section } from '../components/Page.tsx';
import { toast } from '../components/toast.ts';
import { fieldErrors } from '../form/fieldErrors.ts';
import { weekdayName } from './reportWords.ts';
import { useSchedule } from './viewQueries.ts';

const weekdays = [1, 2, 3, 4, 5, 6, 7];
/** So many zones are offered at once; typing finds the others. */
const offeredAtMost = 50;
const fields = ['every', 'weekday', 'month_day', 'time', 'time_zone'];

/** Sets when the report of a view is sent. */
export function ScheduleForm({ view: { id, schedule }, onDone }: { view: ReportViewView; onDone: () => void }) {
  const { t, i18n } = useTranslation();
  const scheduling = useSchedule(id);
  const set = schedule?.when;
  const [every, setEvery] = useState(set?.every ?? 'day');
  const [weekday, setWeekday] = useState(set?.weekday ?? 1);
  const [monthDay, setMonthDay] = useState<number | string>(set?.month_day ?? 1);
  const [time, setTime] = useState(set?.time ?? '07:00');
  const [zone, setZone] = useState(set?.time_zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone);
  const faults = fieldErrors(t, scheduling.error);

  function asked(): ScheduleReportRequest {
    const clock = { time, time_zone: zone };
    if (every === 'week') return { every, weekday, ...clock };
    return every === 'month' ? { every, month_day: Number(monthDay), ...clock } : { every, ...clock };
  }

  return (
    <Section title={t('reports.schedule.title')}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          scheduling.run(asked(), {
            onSuccess: () => {
              toast(t('reports.schedule.saved'));
              onDone();
            },
          });
        }}
      >
        <Stack gap="sm" maw={560}>
          <Input.Wrapper label={t('reports.schedule.every')} error={faults['every']}>
            <div>
              <SegmentedControl
                aria-label={t('reports.schedule.every')}
                value={every}
                onChange={setEvery}
                data={reportRhythms.map((value) => ({ value, label: t(`reports.schedule.rhythm.${value}`) }))}
              />
            </div>
          </Input.Wrapper>
          <Group align="flex-start">
            {every === 'week' && (
              <Select
                label={t('reports.schedule.weekday')}
                data={weekdays.map((day) => ({ value: String(day), label: weekdayName(i18n.language, day) }))}
                value={String(weekday)}
                onChange={(day) => setWeekday(Number(day))}
                allowDeselect={false}
                error={faults['weekday']}
                w={160}
              />
            )}
            {every === 'month' && (
              <NumberInput
                label={t('reports.schedule.monthDay')}
                description={t('reports.schedule.monthDayHint')}
                min={1}
                max={31}
                allowDecimal={false}
                value={monthDay}
                onChange={setMonthDay}
                error={faults['month_day']}
                required
                w={200}
              />
            )}
            <TextInput
              label={t('reports.schedule.time')}
              type="time"
              required
              value={time}
              onChange={(event) => setTime(event.currentTarget.value)}
              error={faults['time']}
              w={120}
            />
            <Select
              label={t('reports.schedule.zone')}
              data={[...new Set([zone, ...Intl.supportedValuesOf('timeZone'), 'UTC'])]}
              value={zone}
              onChange={(chosen) => setZone(chosen ?? zone)}
              searchable
              limit={offeredAtMost}
              allowDeselect={false}
              error={faults['time_zone']}
              w={240}
            />
          </Group>
          <Problem error={scheduling.error} fields={fields} />
          <FormButtons save={t('reports.schedule.save')} isSaving={scheduling.isPending} onCancel={onDone} />
        </Stack>
      </form>
    </Section>
  );
}
