import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import {
  type CallReport,
  type ReportFilter as StoredFilter,
  reportGroups,
  reportRanges,
} from '../../../../../src/contract/reports.ts';
import { api } from '../../../lib/gateway/api.ts';

export const reportFilters = ['range', 'since', 'until', 'group_by', 'team_id'] as const;
/** What the address says; empty: nothing. */
export type ReportFilter = Record<(typeof reportFilters)[number], string>;

/** Those that have a name, and what is chosen by its ends. */
export const ranges = [...reportRanges, 'own'] as const;
export type Range = (typeof ranges)[number];

/** The range that the address names; today where it names none. */
export function rangeOf({ range }: Pick<ReportFilter, 'range'>): Range {
  return ranges.find((one) => one === range) ?? 'today';
}

/** What a view keeps of it. */
export function filterToKeep(filter: ReportFilter): StoredFilter {
  const range = rangeOf(filter);
  const { since, team_id: team, until } = filter;
  return {
    ...(range === 'own' ? { ...(since === '' ? {} : { since }), ...(until === '' ? {} : { until }) } : { range }),
    group_by: reportGroups.find((one) => one === filter.group_by) ?? 'day',
    ...(team === '' ? {} : { team_id: team }),
  };
}

/** What the address says of what a view keeps. */
export function filterOfView({
  group_by: group,
  range = 'own' as Range,
  since = '',
  team_id: team = '',
  until = '',
}: Omit<StoredFilter, 'range'> & { range?: Range | undefined }): ReportFilter {
  return { range, since, until, group_by: group, team_id: team };
}

/** What the gateway is asked for: days of the reader's own time zone. */
export function askedReport(filter: ReportFilter): Record<string, string> {
  const asked = Object.entries(filterToKeep(filter)).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, value]],
  );
  return { time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone, ...Object.fromEntries(asked) };
}

/** The figures of that time. @param today anew after midnight: today is another day then */
export const reportQuery = (asked: Record<string, string>, today: string) =>
  queryOptions({
    queryKey: ['reports', asked, today],
    queryFn: ({ signal }) => api.get<CallReport>('/api/reports/calls', asked, signal),
    placeholderData: keepPreviousData,
  });
