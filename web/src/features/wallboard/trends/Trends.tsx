import '@mantine/charts/styles.css';
import { AreaChart, BarChart } from '@mantine/charts';
import { Alert, Loader, Text, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { DayTrends } from '../../../../../src/contract/live.ts';
import { api } from '../../../lib/gateway/api.ts';
import { messageOf } from '../../../lib/gateway/apiProblem.ts';
import type { Translate } from '../../../lib/i18n/catalog.ts';
import { type Format, useFormat } from '../../../lib/i18n/format.ts';
import { useShown } from '../useWallboard.ts';
import type { Wallboard } from '../wallboard.ts';
import classes from './Trends.module.css';
import { hourRows, quarterRows, totalOf, type TrendRow } from './trendData.ts';

/** The gateway counts no more often. Milliseconds. */
const everyMs = 60_000;
const height = 110;

/** Of the charts, by what they are of; every series has its word in the legend. */
const colours = {
  inboundAnswered: 'var(--mantine-primary-color-filled)',
  inboundMissed: 'var(--mantine-color-red-6)',
  outboundAnswered: 'var(--mantine-color-teal-6)',
  outboundUnanswered: 'var(--mantine-color-gray-5)',
  dialed: 'var(--mantine-primary-color-filled)',
  refused: 'var(--mantine-color-red-6)',
  ready: 'var(--mantine-color-green-6)',
  onCall: 'var(--mantine-primary-color-filled)',
} as const;
type Series = keyof typeof colours;

type Props = { wallboard: Wallboard; /** Null: everybody. */ teamId: string | null };

/** How the day has gone so far: calls, clicks, and how many agents were Ready and on calls. */
export function Trends({ wallboard, teamId }: Props) {
  const { t } = useTranslation();
  const clicks = useShown(wallboard, ({ clicks: told }) => told);
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const { data, error, isPending } = useQuery({
    queryKey: ['live', 'trends', teamId, zone],
    queryFn: ({ signal }) =>
      api.get<DayTrends>('/api/reports/trends', { time_zone: zone, team_id: teamId ?? undefined }, signal),
    refetchInterval: everyMs,
  });
  // Nobody knows which team a click was for that nobody took.
  const rows = useMemo(
    () => (data === undefined ? [] : quarterRows(data, teamId === null ? clicks : [])),
    [data, clicks, teamId],
  );
  if (isPending) return <Loader size="sm" aria-label={t('trends.reading')} />;
  if (data === undefined) {
    return (
      <Alert color="red" variant="light" p="xs">
        {messageOf(t, error)}
      </Alert>
    );
  }
  if (rows.length === 0) return <Text size="sm">{t('trends.nothing')}</Text>;
  return <Charts rows={rows} hasClicks={teamId === null} />;
}

function Charts({ rows, hasClicks }: { rows: readonly TrendRow[]; hasClicks: boolean }) {
  const { t } = useTranslation();
  const format = useFormat();
  const total = totalOf(rows);
  const latest = rows.at(-1);
  const average = (value = 0) => format.number(Math.round(value * 10) / 10);
  return (
    <div className={classes.charts}>
      <Chart
        title={t('trends.calls')}
        total={t('trends.callTotals', {
          answered: total.inboundAnswered + total.outboundAnswered,
          missed: total.inboundMissed,
        })}
        series={['inboundAnswered', 'inboundMissed', 'outboundAnswered', 'outboundUnanswered']}
      >
        {(series) => <Bars {...commonParts(t, format, rows, series)} />}
      </Chart>
      <Chart
        title={t('trends.clicks')}
        total={
          hasClicks
            ? t('trends.clickTotals', { dialed: total.dialed, refused: total.refused })
            : t('trends.clicksOfAll')
        }
        series={hasClicks ? ['dialed', 'refused'] : []}
      >
        {(series) => series.length > 0 && <Bars {...commonParts(t, format, rows, series)} />}
      </Chart>
      <Chart
        title={t('trends.agents')}
        total={t('trends.agentsNow', { ready: average(latest?.ready), onCall: average(latest?.onCall) })}
        series={['ready', 'onCall']}
      >
        {(series) => (
          <AreaChart
            {...commonParts(t, format, rows, series)}
            withDots={false}
            fillOpacity={0.15}
            curveType="linear"
            areaProps={{ isAnimationActive: false }}
            areaChartProps={{ accessibilityLayer: false }}
          />
        )}
      </Chart>
      <HourTable rows={rows} hasClicks={hasClicks} />
    </div>
  );
}

type ChartProps = {
  title: string;
  total: string;
  series: readonly Series[];
  children: (series: readonly Series[]) => ReactNode;
};

function Chart({ title, total, series, children }: ChartProps) {
  const { t } = useTranslation();
  return (
    <section className={classes.chart} aria-label={title}>
      <Text size="sm" fw={600}>
        {title}{' '}
        <Text span size="sm" c="dimmed">
          {total}
        </Text>
      </Text>
      {/* The table says the same. */}
      <div aria-hidden>
        <div dir="ltr">{children(series)}</div>
        <div className={classes.legend}>
          {series.map((name) => (
            <span key={name}>
              <span className={classes.swatch} style={{ background: colours[name] }} /> {t(`trends.series.${name}`)}
            </span>
          ))}
        </div>
      </div>
    </section>
  );
}

function Bars(parts: ReturnType<typeof commonParts>) {
  return (
    <BarChart
      {...parts}
      type="stacked"
      maxBarWidth={24}
      barProps={{ isAnimationActive: false }}
      barChartProps={{ accessibilityLayer: false }}
    />
  );
}

/** What both kinds of charts have in common. */
function commonParts(t: Translate, format: Format, rows: readonly TrendRow[], series: readonly Series[]) {
  return {
    h: height,
    data: rows.map((row) => ({ ...row, at: format.time(row.at) })),
    dataKey: 'at',
    series: series.map((name) => ({ name, label: t(`trends.series.${name}`), color: colours[name] })),
    tickLine: 'none' as const,
    valueFormatter: format.number,
    xAxisProps: { minTickGap: 24 },
    yAxisProps: { allowDecimals: false, width: 32 },
  };
}

/** By hours, to hear. */
function HourTable({ rows, hasClicks }: { rows: readonly TrendRow[]; hasClicks: boolean }) {
  const { t } = useTranslation();
  const format = useFormat();
  const columns: readonly Series[] = [
    'inboundAnswered',
    'inboundMissed',
    'outboundAnswered',
    'outboundUnanswered',
    ...(hasClicks ? (['dialed', 'refused'] as const) : []),
    'ready',
    'onCall',
  ];
  return (
    <VisuallyHidden>
      <table>
        <caption>{t('trends.table')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('trends.hour')}</th>
            {columns.map((column) => (
              <th key={column} scope="col">
                {t(`trends.series.${column}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {hourRows(rows).map((row) => (
            <tr key={row.at}>
              <th scope="row">{format.time(row.at)}</th>
              {columns.map((column) => (
                <td key={column}>{format.number(row[column])}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </VisuallyHidden>
  );
}
