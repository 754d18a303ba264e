import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { PreviousCallsView } from '../../../../src/contract/previousCalls.ts';
import { isolated } from '../../shared/phoneNumbers/direction.ts';
import { useNow } from '../../shared/time.ts';
import { useWriter } from '../../shared/values/ValueText.tsx';
import { ago } from './ago.ts';

/** Which agent spoke to the customer last, and how long ago. @param agentId who reads it; null: nobody knows */
export function LastSpoken({
  last,
  agentId,
}: {
  last: NonNullable<PreviousCallsView['last_spoken']>;
  agentId: string | null;
}) {
  const { t } = useTranslation();
  const { locale } = useWriter();
  const when = ago(locale, last.at, useNow());
  return (
    <Text size="sm">
      {last.agent.id === agentId
        ? t('customer.lastSpokeYou', { ago: when })
        : t('customer.lastSpoke', { name: isolated(last.agent.name), ago: when })}
    </Text>
  );
}
