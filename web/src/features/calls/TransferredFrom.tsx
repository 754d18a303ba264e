import { Paper, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { TransferredFrom as From } from '../../../../src/contract/calls.ts';

/** Who hands a call on to this agent, and what they have noted of it. */
export function TransferredFrom({ from: { name, notes } }: { from: From }) {
  const { t } = useTranslation();
  return (
    <Paper component="section" withBorder p="xs" mt="xs" aria-label={t('transfer.from.label')}>
      <Text size="sm" fw={600}>
        {t('transfer.from.who', { name })}
      </Text>
      {notes !== null && (
        <Text
          component="blockquote"
          size="sm"
          m={0}
          style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', maxHeight: '8lh', overflowY: 'auto' }}
          tabIndex={0}
        >
          {notes}
        </Text>
      )}
    </Paper>
  );
}
