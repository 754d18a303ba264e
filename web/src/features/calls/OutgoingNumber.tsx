import '../../shared/styles/choices.ts';
import { NativeSelect } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { usePhoneText } from '../../shared/phoneNumbers/phoneText.ts';
import { useWorkplace } from '../workplace/workplaceContext.ts';

type Props = {
  /** One of the company's; null: the agent's own. */
  value: string | null;
  onChange: (value: string | null) => void;
};

/** By which of the company's numbers the agent calls, where it has any. */
export function OutgoingNumber({ value, onChange }: Props) {
  const { t } = useTranslation();
  const { view } = useWorkplace();
  const phoneText = usePhoneText();
  const { outgoing_numbers: numbers = [], outgoing_number: usual = null } = view.settings ?? {};
  if (numbers.length === 0) return null;
  const label = (number: string) =>
    `${numbers.find(({ phone_number: one }) => one === number)?.name ?? ''} (${phoneText(number)})`;
  return (
    <NativeSelect
      size="xs"
      mt={6}
      label={t('softphone.dial.shows')}
      data={[
        {
          value: '',
          label:
            usual === null ? t('softphone.dial.showsUsual') : t('softphone.dial.showsOwn', { number: label(usual) }),
        },
        ...numbers
          .filter(({ phone_number: number }) => number !== usual)
          .map(({ phone_number: number }) => ({ value: number, label: label(number) })),
      ]}
      value={value ?? ''}
      onChange={({ currentTarget }) => onChange(currentTarget.value === '' ? null : currentTarget.value)}
    />
  );
}
