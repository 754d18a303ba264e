import { NativeSelect } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Translate } from '../../../lib/i18n/catalog.ts';

const [hour, day] = [60, 1_440];
/** What is offered, in minutes; the interface takes any up to a week. */
const usual = [15, 30, hour, 4 * hour, day, 2 * day, 7 * day];
const never = 'never';

type Props = { label: string; minutes: number | null; onChange: (minutes: number | null) => void };

/** When a call that is skipped is due again. */
export function AgainSelect({ label, minutes, onChange }: Props) {
  const { t } = useTranslation();
  const offered =
    minutes === null || usual.includes(minutes) ? usual : [...usual, minutes].toSorted((one, other) => one - other);
  return (
    <NativeSelect
      size="xs"
      aria-label={label}
      value={minutes === null ? never : String(minutes)}
      data={[
        ...offered.map((each) => ({ value: String(each), label: spanText(t, each) })),
        { value: never, label: t('admin.company.again.never') },
      ]}
      onChange={(event) => onChange(event.currentTarget.value === never ? null : Number(event.currentTarget.value))}
    />
  );
}

function spanText(t: Translate, minutes: number): string {
  if (minutes % day === 0) return t('admin.company.again.days', { count: minutes / day });
  return minutes % hour === 0
    ? t('admin.company.again.hours', { count: minutes / hour })
    : t('admin.company.again.minutes', { count: minutes });
}
