import type { ReportRange } from '../contract/reports.ts';
import { instantOf, localTimeOf } from './localTime.ts';
import { unreachable } from './outcome.ts';
import { dayMs } from './reportWindows.ts';

/**
 * What is counted of clicks and agents' times is counted by quarters of an hour: there hours and days begin in every
 * time zone. Milliseconds.
 */
export const quarterMs = 15 * 60_000;

/** Where the quarter of an hour begins that holds this time. @param at milliseconds since the epoch */
export function beginningOfQuarter(at: number): Date {
  return new Date(Math.floor(at / quarterMs) * quarterMs);
}

/** The same day of the calendar so many months before, in UTC; in a shorter month its last day. */
export function monthsBefore(at: number, months: number): Date {
  const date = new Date(at);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() - months);
  date.setUTCDate(Math.min(day, daysOfMonth(date.getUTCFullYear(), date.getUTCMonth() + 1)));
  return date;
}

/** How many days that month has. @param month 1 to 12 */
export function daysOfMonth(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/** The day in that time zone: `2026-11-23`. */
export function localDay(at: Date, timeZone: string): string {
  return localTimeOf(at, timeZone).slice(0, 10);
}

/** The day so many days later. @param day `2026-11-23` */
export function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00Z`) + days * dayMs).toISOString().slice(0, 10);
}

/** 1 Monday to 7 Sunday. @param day `2026-11-23` */
export function weekdayOf(day: string): number {
  return new Date(`${day}T00:00Z`).getUTCDay() || 7;
}

/** When that day begins in that time zone. */
export function beginningOfDay(day: string, timeZone: string): Date {
  return instantOf(`${day}T00:00`, timeZone);
}

/** From when until when, as somebody in that time zone means it who says so then. */
export function timesOfRange(range: ReportRange, at: Date, timeZone: string): { since: Date; until: Date } {
  const today = localDay(at, timeZone);
  const [first, end] = daysOfRange(range, today);
  return { since: beginningOfDay(first, timeZone), until: beginningOfDay(end, timeZone) };
}

/** The first day, and the one after the last. */
function daysOfRange(range: ReportRange, today: string): [string, string] {
  switch (range) {
    case 'today':
      return [today, dayAfter(today, 1)];
    case 'yesterday':
      return [dayAfter(today, -1), today];
    case 'week':
      return [dayAfter(today, -6), dayAfter(today, 1)];
    case 'month':
      return [dayAfter(today, -29), dayAfter(today, 1)];
    case 'last_week': {
      const monday = dayAfter(today, 1 - weekdayOf(today));
      return [dayAfter(monday, -7), monday];
    }
    case 'last_month': {
      const first = `${today.slice(0, 7)}-01`;
      return [`${dayAfter(first, -1).slice(0, 7)}-01`, first];
    }
    default:
      return unreachable(range);
  }
}
