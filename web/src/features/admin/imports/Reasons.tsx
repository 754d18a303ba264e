import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ImportRowView, ImportView } from '../../../../../src/contract/imports.ts';
import { rowReasonText } from './rowTexts.ts';

type Props = Pick<ImportRowView, 'reason' | 'remarks'> & { of: Pick<ImportView, 'columns' | 'has_header'> };

/** Why a row was not written, or which of its cells were left out. */
export function Reasons({ of, reason, remarks }: Props) {
  const { t } = useTranslation();
  return [...(reason === null ? [] : [reason]), ...remarks].map((each, at) => (
    // A remark is its place.
    <Text key={String(at)} size="xs" maw={320}>
      {rowReasonText(t, of, each)}
    </Text>
  ));
}
