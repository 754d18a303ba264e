import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ErasedCounts } from '../../../../../src/contract/eraseContact.ts';

const kinds = [
  'calls',
  'webhook_deliveries',
  'crm_deliveries',
  'pushed_records',
  'tasks',
  'deals',
  'import_rows',
  'import_keys',
  'answers',
  'timeline_entries',
] as const;

/** How much of each kind was erased, of which there was any. */
export function ErasedCountsText({ erased }: { erased: ErasedCounts }) {
  const { t } = useTranslation();
  const some = kinds.filter((kind) => erased[kind] > 0);
  return (
    <Text size="sm">
      {some.length === 0
        ? t('audit.counts.nothing')
        : some.map((kind) => t(`audit.counts.${kind}`, { count: erased[kind] })).join(' · ')}
    </Text>
  );
}
