import type { CallReport } from '../../../../../src/contract/reports.ts';
import type { Translate } from '../../../lib/i18n/catalog.ts';
import type { Format } from '../../../lib/i18n/format.ts';
import { dispositionLabel } from '../../../shared/dispositionLabel.ts';

export type ReportRow = CallReport['rows'][number];

/** What a row is of: a day, an hour of the day, a name. */
export function rowName(
  t: Translate,
  format: Format,
  by: CallReport['group_by'],
  { key, name }: Pick<ReportRow, 'key' | 'name'>,
): string {
  if (by === 'day') return format.day(key ?? '');
  if (by === 'hour') return `${key ?? ''}:00`;
  if (by === 'disposition')
    return key === null ? t('reports.notWrappedUp') : dispositionLabel(t, { code: key, label: name ?? key });
  return name ?? '–';
}

/** `Monday`. @param weekday 1 Monday to 7 Sunday */
export function weekdayName(language: string, weekday: number): string {
  // A Monday, and so on.
  return new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' }).format(
    new Date(Date.UTC(2024, 0, weekday)),
  );
}

/** `12 %`. @param share 0 to 1; null: not known */
export function shareText(language: string, share: number | null): string {
  return share === null
    ? '–'
    : new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 0 }).format(share);
}
