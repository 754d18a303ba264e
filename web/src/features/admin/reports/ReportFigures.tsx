import { Paper, SimpleGrid, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { CallReport } from '../../../../../src/contract/reports.ts';
import { useFormat } from '../../../lib/i18n/format.ts';
import { clockText } from '../../../shared/time.ts';
import { shareText } from './reportWords.ts';

/** The figures of the whole time. */
export function ReportFigures({ total }: { total: CallReport['total'] }) {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  const figures = [
    [
      'calls',
      format.number(total.calls),
      t('reports.directions', { outbound: total.outbound, inbound: total.inbound }),
    ],
    [
      'answered',
      format.number(total.answered),
      total.calls === 0 ? null : shareText(i18n.language, total.answered / total.calls),
    ],
    ['missed', format.number(total.missed), null],
    ['transferred', format.number(total.transferred), null],
    ['talk_seconds', clockText(total.talk_seconds * 1_000), null],
    ['hold_seconds', clockText(total.hold_seconds * 1_000), null],
    ['mos', total.mos === null ? '–' : format.number(total.mos), null],
    ['answer_seconds', total.answer_seconds === null ? '–' : clockText(total.answer_seconds * 1_000), null],
    ['occupancy', shareText(i18n.language, total.occupancy), null],
    ['clicks_refused', total.clicks_refused === null ? '–' : format.number(total.clicks_refused), null],
  ] as const;
  return (
    <SimpleGrid component="dl" cols={{ base: 2, sm: 5 }} spacing="xs" m={0}>
      {figures.map(([name, value, detail]) => (
        <Paper key={name} withBorder px="sm" py="xs">
          <Text component="dt" size="xs" c="dimmed">
            {t(`reports.figure.${name}`)}
          </Text>
          <Text component="dd" m={0} fw={600} fz={22} lh={1.2} style={{ fontVariantNumeric: 'tabular-nums' }}>
            {value}
          </Text>
          {detail !== null && (
            <Text component="dd" m={0} size="xs" c="dimmed">
              {detail}
            </Text>
          )}
        </Paper>
      ))}
    </SimpleGrid>
  );
}
