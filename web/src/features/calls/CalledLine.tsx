import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { lineName } from '../../../../src/contract/callRules.ts';
import type { CallView } from '../../../../src/contract/calls.ts';
import { isolated } from '../../shared/phoneNumbers/direction.ts';
import { usePhoneText } from '../../shared/phoneNumbers/phoneText.ts';
import { useWorkplace } from '../workplace/workplaceContext.ts';

/**
 * What the customer called, the line by its name, else its number, and where they waited. Nothing where the network did
 * not tell.
 */
export function CalledLine({ call }: { call: CallView | null }) {
  const { t } = useTranslation();
  const { view } = useWorkplace();
  const phoneText = usePhoneText();
  // Gateways of before do not tell.
  const number = (call?.dialed_number as string | null | undefined) ?? null;
  const queue = call?.queue ?? null;
  const line = number === null ? null : (lineName(view.settings?.lines ?? [], number) ?? phoneText(number));
  const told = [
    ...(line === null ? [] : [t('softphone.call.forLine', { line: isolated(line) })]),
    ...(queue === null ? [] : [t('softphone.call.fromQueue', { queue: isolated(queue) })]),
  ];
  if (told.length === 0) return null;
  return (
    <Text size="sm" fw={600} data-testid="called-line">
      {told.join(' · ')}
    </Text>
  );
}
