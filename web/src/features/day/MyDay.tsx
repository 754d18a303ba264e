import { Text } from '@mantine/core';
import { IconChartBar } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { OwnDay } from '../../../../src/contract/reports.ts';
import { api } from '../../lib/gateway/api.ts';
import { messageOf } from '../../lib/gateway/apiProblem.ts';
import { useRead } from '../../lib/gateway/useRead.ts';
import { useFormat } from '../../lib/i18n/format.ts';
import { clockText } from '../../shared/time.ts';
import { ToolPopover } from '../workplace/ToolPopover.tsx';
import { useWorkplace } from '../workplace/workplaceContext.ts';

/** What the agent has done today, and what is left to do; read when it is opened, and after each call. */
export function MyDay() {
  const { t } = useTranslation();
  return (
    <ToolPopover
      title={t('day.title')}
      icon={IconChartBar}
      dropdown={{ tabIndex: -1, 'data-autofocus': true, miw: 240, maw: 320 }}
    >
      {(isOpen) => isOpen && <Figures />}
    </ToolPopover>
  );
}

function Figures() {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  const { view } = useWorkplace();
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const { data: day, error } = useRead({
    key: zone,
    read: (signal) => api.get<OwnDay>('/api/me/today', { time_zone: zone }, signal),
    version: view.agent?.state ?? null,
  });
  if (error !== null) return <Text size="sm">{messageOf(t, error)}</Text>;
  if (day === undefined) return <Text size="sm">{t('day.reading')}</Text>;
  const length = (seconds: number | null) => (seconds === null ? '–' : clockText(seconds * 1_000));
  const figures = [
    ['calls', t('day.ofWhich', { calls: day.calls, answered: day.answered })],
    ['missed', format.number(day.missed)],
    ['talking', length(day.talk_seconds)],
    ['held', length(day.hold_seconds)],
    ['wrapUp', length(day.wrap_up_seconds)],
    ['signedIn', length(day.signed_in_seconds)],
    [
      'occupancy',
      day.occupancy === null ? '–' : new Intl.NumberFormat(i18n.language, { style: 'percent' }).format(day.occupancy),
    ],
    ['due', format.number(day.callbacks_due)],
  ] as const;
  return (
    <dl style={{ display: 'grid', gridTemplateColumns: '1fr auto', gap: '4px 16px', margin: 0 }}>
      {figures.map(([name, value]) => (
        <div key={name} style={{ display: 'contents' }}>
          <Text component="dt" size="sm" c="dimmed">
            {t(`day.${name}`)}
          </Text>
          <Text component="dd" size="sm" m={0} ta="end" style={{ fontVariantNumeric: 'tabular-nums' }}>
            {value}
          </Text>
        </div>
      ))}
    </dl>
  );
}
