import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { lineName } from '../../../../src/contract/callRules.ts';
import type { CallView } from '../../../../src/contract/calls.ts';
import { isolated } from '../../shared/phoneNumbers/direction.ts';
import { usePhoneText } from '../../shared/phoneNumbers/phoneText.ts';
import { useWorkplace } from '../workplace/workplaceContext.ts';

/** What the customer called: the line by its name, else its number. Nothing where the network did not tell. */
export function CalledLine({ call }: { call: CallView | null }) {
  const { t } = useTranslation();
  const { view } = useWorkplace();
  const phoneText = usePhoneText();
  // Gateways of before do not tell.
  const number = (call?.dialed_number as string | null | undefined) ?? null;
  if (number === null) return null;
  const line = lineName(view.settings?.lines ?? [], number) ?? phoneText(number);
  return (
    <Text size="sm" fw={600} data-testid="called-line">
      {t('softphone.call.forLine', { line: isolated(line) })}
    </Text>
  );
}
