import '@mantine/core/styles/Tooltip.css';
import { Group, Text, Tooltip } from '@mantine/core';
import { IconAntennaBars2, IconAntennaBars3, IconAntennaBars5 } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { VoiceQuality } from '../../lib/sip/phoneCall.ts';
import { useFormat } from '../../lib/i18n/format.ts';

const icons = { good: IconAntennaBars5, fair: IconAntennaBars3, poor: IconAntennaBars2 };

/** How well both sides can hear each other: a sign, and, where that is poorly, why and what helps. */
export function Quality({ quality: { cause, level, mos } }: { quality: VoiceQuality }) {
  const { t } = useTranslation();
  const format = useFormat();
  const Icon = icons[level];
  const what = t(`quality.level.${level}`, { mos: format.number(Math.round(mos * 10) / 10) });
  return (
    <>
      <Tooltip label={what} withinPortal>
        <Group
          component="output"
          gap={4}
          wrap="nowrap"
          data-testid="quality"
          aria-label={what}
          w="fit-content"
          c={level === 'poor' ? 'orange' : 'dimmed'}
        >
          <Icon size={16} aria-hidden />
        </Group>
      </Tooltip>
      {level === 'poor' && (
        <Text size="sm" data-testid="quality-warning">
          {t(`quality.cause.${cause}`)}
        </Text>
      )}
    </>
  );
}
