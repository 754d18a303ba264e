import type { ReportFilter } from '../contract/reports.ts';
import type { AgentId, CompanyId, DeliveryId, ReportViewId } from './ids.ts';
import { instantOf } from './localTime.ts';
import { dayAfter, daysOfMonth, localDay, weekdayOf } from './reportTimes.ts';

/** Filters of a report under a name. */
export type ReportView = {
  companyId: CompanyId;
  id: ReportViewId;
  ownerId: AgentId;
  name: string;
  /** Whether everybody who sees reports sees it, or its owner alone. */
  isShared: boolean;
  filter: ReportFilter;
  /** Rises by one per change. */
  version: number;
  createdAt: Date;
  updatedAt: Date;
};

/** When a report is sent, by the clock on the wall. */
export type ReportRhythm = {
  /** `07:00` */
  timeOfDay: string;
  /** IANA */
  timeZone: string;
} & (
  | { every: 'day' }
  /** 1 Monday to 7 Sunday. */
  | { every: 'week'; weekday: number }
  /** 1 to 31; in a shorter month its last day. */
  | { every: 'month'; monthDay: number }
);

/**
 * `sent`: its webhook is on its way. `not_chosen`: the company's webhook does not get the event.
 * `no_webhook`: it has none.
 */
export type ReportOutcome = 'sent' | 'not_chosen' | 'no_webhook';
export type LastRun = { at: Date; outcome: ReportOutcome; deliveryId: DeliveryId | null };

export type ReportSchedule = {
  companyId: CompanyId;
  viewId: ReportViewId;
  rhythm: ReportRhythm;
  /** Which run comes next. */
  nextAt: Date;
  /** Null: it never ran. */
  lastRun: LastRun | null;
};

/**
 * When it is due next, later than `after`: once a day, week or month of its own calendar.
 * A time that the clock skips is an hour later that day; of one that it shows twice the first counts.
 */
export function nextRun(rhythm: ReportRhythm, after: Date): Date {
  const { timeOfDay, timeZone } = rhythm;
  // The day before: what the clock skips may make a run of yesterday fall on today.
  for (let day = dayAfter(localDay(after, timeZone), -1); ; day = dayAfter(day, 1)) {
    if (!isOn(rhythm, day)) continue;
    const at = instantOf(`${day}T${timeOfDay}`, timeZone);
    if (at > after) return at;
  }
}

function isOn(rhythm: ReportRhythm, day: string): boolean {
  switch (rhythm.every) {
    case 'day':
      return true;
    case 'week':
      return weekdayOf(day) === rhythm.weekday;
    case 'month': {
      const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
      return date === Math.min(rhythm.monthDay, daysOfMonth(year, month));
    }
  }
}
