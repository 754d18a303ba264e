import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import { useTranslation } from 'react-i18next';
import type { CallReport } from '../../../../../src/contract/reports.ts';
import { useFormat } from '../../../lib/i18n/format.ts';
import { rowName } from './reportWords.ts';

/** So many bars can be told apart; the table below has all. */
const mostBars = 40;

/**
 * Answered and other calls of each row. The table below it says the same in words,
 * so that it is hidden from screen readers.
 */
export function ReportChart({ report }: { report: CallReport }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [answered, others] = [t('reports.figure.answered'), t('reports.others')];
  const data = report.rows.slice(0, mostBars).map((row) => ({
    name: rowName(t, format, report.group_by, row),
    [answered]: row.answered,
    [others]: row.calls - row.answered,
  }));
  return (
    <div aria-hidden inert dir="ltr">
      <BarChart
        h={260}
        data={data}
        dataKey="name"
        type="stacked"
        withLegend
        maxBarWidth={48}
        barProps={{ isAnimationActive: false }}
        valueFormatter={format.number}
        yAxisProps={{ allowDecimals: false }}
        series={[
          { name: answered, color: 'var(--mantine-primary-color-filled)' },
          { name: others, color: 'var(--mantine-color-gray-5)' },
        ]}
      />
    </div>
  );
}
