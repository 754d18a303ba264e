import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { localeOf, type PageLanguage } from './languages.ts';

/**
 * What is written as its reader is used to: numbers, times and dates,
 * by the language of the page and the variant of it that the browser has.
 */
export type Format = {
  number: (value: number) => string;
  /** `14:05` or `2:05 PM`; `seconds`: with them. @param at milliseconds since the epoch, or ISO 8601 */
  time: (at: number | string, seconds?: 'seconds') => string;
  /**
   * The time, and the day where it is not today, with the year where it is not this one.
   * @param at milliseconds since the epoch, or ISO 8601
   */
  moment: (at: number | string) => string;
  /**
   * Day and time to the second, for records: `Nov 22, 14:05:09`; with the year where it is not this one.
   * @param at milliseconds since the epoch, or ISO 8601
   */
  exact: (at: number | string) => string;
  /** A day of the calendar, whatever the time zone: `Dec 18, 2026`. @param day `2026-12-18` */
  day: (day: string) => string;
  /** `€12,500.50`; every digit stays. @param value an exact decimal as text @param currency ISO 4217 */
  money: (value: string, currency: string) => string;
};

/** @param locale BCP 47 */
export function formatFor(locale: string): Format {
  const numbers = new Intl.NumberFormat(locale);
  const times = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit' });
  const exactTimes = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', second: '2-digit' });
  const moments = new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
  });
  const otherYearMoments = new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  });
  const exactMoments = new Intl.DateTimeFormat(locale, {
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  });
  const otherYears = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium', hourCycle: 'h23' });
  const days = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
  const time: Format['time'] = (at, seconds) => (seconds === undefined ? times : exactTimes).format(new Date(at));
  return {
    number: (value) => numbers.format(value),
    time,
    moment: (at) => {
      const isToday = new Date(at).toDateString() === new Date().toDateString();
      return isToday ? time(at) : (isThisYear(at) ? moments : otherYearMoments).format(new Date(at));
    },
    exact: (at) => (isThisYear(at) ? exactMoments : otherYears).format(new Date(at)),
    day: (day) => days.format(new Date(`${day}T00:00:00Z`)),
    // Whole amounts without cents. The text itself, as a number would be rounded;
    // with more decimals than the currency has, if there are more.
    money: (value, currency) =>
      new Intl.NumberFormat(locale, {
        style: 'currency',
        currency,
        trailingZeroDisplay: 'stripIfInteger',
        maximumFractionDigits: 20,
      }).format(value as `${number}`),
  };
}

function isThisYear(at: number | string): boolean {
  return new Date(at).getFullYear() === new Date().getFullYear();
}

/** The format of this page, anew when its language changes. */
export function useFormat(): Format {
  const { language } = useTranslation().i18n;
  return useMemo(() => formatFor(localeOf(language as PageLanguage, navigator.languages)), [language]);
}
