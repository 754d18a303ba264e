import { Button, Group, SegmentedControl, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { type ReportGroup, reportGroups } from '../../../../../src/contract/reports.ts';
import { downloadFile } from '../../../lib/gateway/files.ts';
import { useAction } from '../../../lib/gateway/useAction.ts';
import { teamsQuery } from '../../../shared/sharedQueries.ts';
import { useAddressFilter } from '../../../shared/list/addressFilter.ts';
import { useNow } from '../../../shared/time.ts';
import { ChoiceFilter, TimeFilter } from '../components/filters.tsx';
import { Loaded, Problem } from '../components/Loaded.tsx';
import { Page, ReloadButton } from '../components/Page.tsx';
import { areAllShownAt, fieldErrors } from '../../../shared/form/fieldErrors.ts';
import { useAccount } from '../shell/accountContext.ts';
import { ReportFigures } from './ReportFigures.tsx';
import { ReportSchedule } from './ReportSchedule.tsx';
import { ReportTable } from './ReportTable.tsx';
import {
  askedReport,
  filterOfView,
  rangeOf,
  ranges,
  type ReportFilter,
  reportFilters,
  reportQuery,
} from './reportQueries.ts';
import { ViewBar } from './ViewBar.tsx';
import { viewsQuery } from './viewQueries.ts';

/** Larger than all the rest of the page. */
const ReportChart = lazy(async () => ({ default: (await import('./ReportChart.tsx')).ReportChart }));

/** The calls of a time in figures: as a chart, and as a table, which says the same. */
export function ReportsPage() {
  const { t } = useTranslation();
  const address = useAddressFilter(reportFilters, 'view');
  const { opened, set } = address;
  const { data: views } = useQuery(viewsQuery);
  const view = views?.find(({ id }) => id === opened) ?? null;
  // An address that names a view alone shows what that shows.
  const filter = address.isFiltered || view === null ? address.filter : filterOfView(view.filter);
  const asked = askedReport(filter);
  const query = useQuery(reportQuery(asked, new Date(useNow()).toDateString()));
  const isAdmin = useAccount().agent.role === 'admin';
  const download = useAction(() =>
    downloadFile(`/api/reports/calls.csv?${new URLSearchParams(asked).toString()}`, 'report.csv'),
  );
  return (
    <Page
      title={t('admin.pages.reports')}
      actions={
        <>
          <Button size="xs" variant="default" loading={download.isPending} onClick={() => download.run()}>
            {t('reports.csv')}
          </Button>
          <ReloadButton query={query} />
        </>
      }
    >
      <ViewBar
        filter={filter}
        opened={view}
        onOpen={(chosen) => set(chosen === null ? { view: '' } : { view: chosen.id, ...filterOfView(chosen.filter) })}
      />
      <Filters filter={filter} error={query.error} onChange={set} />
      <Problem error={download.error} />
      {areAllShownAt(query.error, reportFilters) ? null : (
        <Loaded query={query}>
          {(report) => (
            <>
              <ReportFigures total={report.total} />
              {report.rows.length > 0 && (
                <Suspense fallback={<div style={{ height: 260 }} />}>
                  <ReportChart report={report} />
                </Suspense>
              )}
              <ReportTable report={report} />
            </>
          )}
        </Loaded>
      )}
      {isAdmin && view !== null && <ReportSchedule key={view.id} view={view} />}
    </Page>
  );
}

type FiltersProps = { filter: ReportFilter; error: unknown; onChange: (change: Partial<ReportFilter>) => void };

function Filters({ filter, error, onChange }: FiltersProps) {
  const { t } = useTranslation();
  const { data: teams = [] } = useQuery(teamsQuery);
  const errors = fieldErrors(t, error);
  const range = rangeOf(filter);
  const group = reportGroups.find((one) => one === filter.group_by) ?? 'day';
  const time = (name: 'since' | 'until') => (
    <TimeFilter
      label={t(`reports.filter.${name}`)}
      value={filter[name]}
      error={errors[name]}
      onChange={(value) => onChange({ [name]: value })}
    />
  );
  return (
    <Group component="search" align="flex-end" gap="sm">
      <Select
        label={t('reports.filter.range')}
        data={ranges.map((value) => ({ value, label: t(`reports.range.${value}`) }))}
        value={range}
        allowDeselect={false}
        onChange={(value) => onChange({ range: value ?? '' })}
        error={range === 'own' ? undefined : errors['since']}
        w={170}
      />
      {range === 'own' && time('since')}
      {range === 'own' && time('until')}
      {teams.length > 0 && (
        <ChoiceFilter
          label={t('reports.filter.team_id')}
          any={t('reports.filter.any')}
          clear={t('reports.filter.any')}
          data={teams.map(({ id, name }) => ({ value: id, label: name }))}
          value={filter.team_id}
          width={170}
          onChange={(value) => onChange({ team_id: value })}
        />
      )}
      <SegmentedControl<ReportGroup>
        aria-label={t('reports.filter.group_by')}
        data={reportGroups.map((value) => ({ value, label: t(`reports.group.${value}`) }))}
        value={group}
        onChange={(value) => onChange({ group_by: value })}
        style={{ flexWrap: 'wrap' }}
      />
    </Group>
  );
}
