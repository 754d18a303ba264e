const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];

/**
 * How long ago something was, as people say it: `5 minutes ago`, `yesterday`, `3 weeks ago`.
 * Days are those of the reader's calendar.
 * @param locale BCP 47 @param at ISO 8601 @param now milliseconds since the epoch; what is later counts as now
 */
export function ago(locale: string, at: string, now: number): string {
  const words = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  const before = Math.max(0, now - Date.parse(at));
  const days = Math.round((startOfDay(now) - startOfDay(now - before)) / day);
  if (days === 0) {
    return before < hour
      ? words.format(-Math.floor(before / minute), 'minute')
      : words.format(-Math.floor(before / hour), 'hour');
  }
  if (days < 14) return words.format(-days, 'day');
  if (days < 60) return words.format(-Math.floor(days / 7), 'week');
  return days < 730
    ? words.format(-Math.floor(days / 30.44), 'month')
    : words.format(-Math.floor(days / 365.25), 'year');
}

function startOfDay(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0);
}
