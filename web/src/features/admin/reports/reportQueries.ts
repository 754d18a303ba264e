import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { CallReport } from '../../../../../src/contract/reports.ts';
import { api } from '../../../lib/gateway/api.ts';

export const reportFilters = ['range', 'since', 'until', 'group_by', 'team_id'] as const;
export type ReportFilter = Record<(typeof reportFilters)[number], string>;

export const ranges = ['today', 'yesterday', 'week', 'month', 'own'] as const;
export type Range = (typeof ranges)[number];

/** The range that the address names; today where it names none. */
export function rangeOf({ range }: ReportFilter): Range {
  return ranges.find((one) => one === range) ?? 'today';
}

/** What the gateway is asked for: days of the reader's own time zone. */
export function askedReport(filter: ReportFilter, now: Date): Record<string, string> {
  const { since, until } = timesOf(filter, now);
  return {
    time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    group_by: filter.group_by === '' ? 'day' : filter.group_by,
    ...(since === '' ? {} : { since }),
    ...(until === '' ? {} : { until }),
    ...(filter.team_id === '' ? {} : { team_id: filter.team_id }),
  };
}

function timesOf(filter: ReportFilter, now: Date): { since: string; until: string } {
  switch (rangeOf(filter)) {
    case 'today':
      return { since: midnight(now, 0), until: midnight(now, 1) };
    case 'yesterday':
      return { since: midnight(now, -1), until: midnight(now, 0) };
    case 'week':
      return { since: midnight(now, -6), until: midnight(now, 1) };
    case 'month':
      return { since: midnight(now, -29), until: midnight(now, 1) };
    case 'own':
      return { since: filter.since, until: filter.until };
  }
}

/** Midnight so many days from today by the reader's clock, as ISO 8601. */
function midnight(now: Date, days: number): string {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days).toISOString();
}

/** The figures of that time. */
export const reportQuery = (asked: Record<string, string>) =>
  queryOptions({
    queryKey: ['reports', asked],
    queryFn: ({ signal }) => api.get<CallReport>('/api/reports/calls', asked, signal),
    placeholderData: keepPreviousData,
  });
