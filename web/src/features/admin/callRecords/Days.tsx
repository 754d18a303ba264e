import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useNow } from '../../../shared/time.ts';
import type { CallFilter } from './callQueries.ts';

type Range = Pick<CallFilter, 'since' | 'until'>;

/** The days that are asked for most. @param now milliseconds, by the clock of whoever looks */
export function dayRanges(now: number): Record<'today' | 'yesterday' | 'week', Range> {
  /** When that many days before today began; not each has 24 hours. */
  const began = (days: number) => {
    const day = new Date(now);
    day.setHours(0, 0, 0, 0);
    day.setDate(day.getDate() - days);
    return day.toISOString();
  };
  return {
    today: { since: began(0), until: '' },
    yesterday: { since: began(1), until: began(0) },
    week: { since: began(6), until: '' },
  };
}

/** Today, yesterday or seven days at one press; pressed again, any time. */
export function Days({ since, until, onChange }: Range & { onChange: (range: Range) => void }) {
  const { t } = useTranslation();
  const ranges = dayRanges(useNow());
  return (
    <Button.Group mt={22} aria-label={t('calls.filter.days')}>
      {(['today', 'yesterday', 'week'] as const).map((name) => {
        const isChosen = Date.parse(ranges[name].since) === Date.parse(since) && ranges[name].until === until;
        return (
          <Button
            key={name}
            variant={isChosen ? 'filled' : 'default'}
            px="xs"
            aria-pressed={isChosen}
            onClick={() => onChange(isChosen ? { since: '', until: '' } : ranges[name])}
          >
            {t(`calls.filter.${name}`)}
          </Button>
        );
      })}
    </Button.Group>
  );
}
