import { Group, Input, NumberInput, SegmentedControl, Select, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import {
  reportRhythms,
  type ReportViewView,
  type ScheduleReportRequest,
} from '../../../../../src/contract/reportViews.ts';
import { useRecordForm } from '../../../shared/form/useRecordForm.ts';
import { FormButtons } from '../components/FormButtons.tsx';
import { Section } from '../components/Page.tsx';
import { RecordPanel } from '../components/RecordPanel.tsx';
import { toast } from '../components/toast.ts';
import { weekdayName } from './reportWords.ts';
import { useSchedule } from './viewQueries.ts';

const weekdays = [1, 2, 3, 4, 5, 6, 7];
/** So many zones are offered at once; typing finds the others. */
const offeredAtMost = 50;
const fields = ['every', 'weekday', 'month_day', 'time', 'time_zone'];

/** Sets when the report of a view is sent. */
export function ScheduleForm({ view: { id, schedule }, onDone }: { view: ReportViewView; onDone: () => void }) {
  const { t, i18n } = useTranslation();
  const set = schedule?.when;
  const record = useRecordForm(
    {
      every: set?.every ?? 'day',
      weekday: set?.weekday ?? 1,
      month_day: (set?.month_day ?? 1) as number | string,
      time: set?.time ?? '07:00',
      time_zone: set?.time_zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    },
    {
      action: useSchedule(id),
      body: (_changes, { every: rhythm, weekday, month_day: day, ...clock }): ScheduleReportRequest => {
        if (rhythm === 'week') return { every: rhythm, weekday, ...clock };
        return rhythm === 'month' ? { every: rhythm, month_day: Number(day), ...clock } : { every: rhythm, ...clock };
      },
      isGuarded: false,
      onSaved: () => {
        toast(t('reports.schedule.saved'));
        onDone();
      },
    },
  );
  const { form } = record;
  const { every } = form.values;

  return (
    <Section title={t('reports.schedule.title')}>
      <RecordPanel
        record={record}
        fields={fields}
        maw={560}
        isChecked
        end={<FormButtons save={t('reports.schedule.save')} isSaving={record.isSaving} onCancel={onDone} />}
      >
        <Input.Wrapper label={t('reports.schedule.every')} error={form.errors['every']}>
          <div>
            <SegmentedControl
              aria-label={t('reports.schedule.every')}
              value={every}
              onChange={(value) => form.setFieldValue('every', value)}
              data={reportRhythms.map((value) => ({ value, label: t(`reports.schedule.rhythm.${value}`) }))}
            />
          </div>
        </Input.Wrapper>
        <Group align="flex-start">
          {every === 'week' && (
            <Select
              label={t('reports.schedule.weekday')}
              data={weekdays.map((day) => ({ value: String(day), label: weekdayName(i18n.language, day) }))}
              {...form.getInputProps('weekday')}
              value={String(form.values.weekday)}
              onChange={(day) => form.setFieldValue('weekday', Number(day))}
              allowDeselect={false}
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
              {...form.getInputProps('month_day')}
              required
              w={200}
            />
          )}
          <TextInput label={t('reports.schedule.time')} type="time" required {...form.getInputProps('time')} w={120} />
          <Select
            label={t('reports.schedule.zone')}
            data={[...new Set([form.values.time_zone, ...Intl.supportedValuesOf('timeZone'), 'UTC'])]}
            {...form.getInputProps('time_zone')}
            searchable
            limit={offeredAtMost}
            allowDeselect={false}
            w={240}
          />
        </Group>
      </RecordPanel>
    </Section>
  );
}
