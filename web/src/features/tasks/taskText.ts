import type { TaskView } from '../../../../src/contract/tasks.ts';
import type { Translate } from '../../lib/i18n/catalog.ts';
import type { PhoneText } from '../../shared/phoneNumbers/phoneText.ts';

/** What is to be done: of a callback, who is to be called. */
export function taskTitle(
  t: Translate,
  phoneText: PhoneText,
  { kind, title, contact, phone_number }: TaskView,
): string {
  if (kind === 'task' && title !== null) return title;
  const who = contact?.name ?? title ?? (phone_number === null ? '' : phoneText(phone_number));
  return t('tasks.due.callback', { who });
}

/**
 * Day and time on the clock of that zone, with the year where it is another than this one there;
 * empty where the browser does not know the zone.
 */
export function momentIn(locale: string, timeZone: string, at: string): string {
  try {
    const yearOf = (time: Date) => new Intl.DateTimeFormat('en', { timeZone, year: 'numeric' }).format(time);
    const time = new Date(at);
    const year = yearOf(time) === yearOf(new Date()) ? {} : ({ year: 'numeric' } as const);
    return new Intl.DateTimeFormat(locale, {
      timeZone,
      weekday: 'short',
      day: 'numeric',
      month: 'short',
      ...year,
      hour: '2-digit',
      minute: '2-digit',
    }).format(time);
  } catch {
    return '';
  }
}

/** Whether the clocks of both zones show the same then. */
export function showSame(one: string, other: string, at: string): boolean {
  return momentIn('en', one, at) === momentIn('en', other, at);
}
