import { Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { FoundContact } from '../../../../src/contract/crmSearch.ts';
import { PhoneNumber } from '../../shared/phoneNumbers/PhoneNumber.tsx';
import { TransferRow } from './TransferRow.tsx';

type CallableContact = FoundContact & { phone_number: string };
type Props = { found: CallableContact[]; isBusy: boolean; onChoose: (phone: string, isAskedFirst: boolean) => void };

/** Who of these has a number. */
export function withNumber(found: readonly FoundContact[]): CallableContact[] {
  return found.filter((contact): contact is CallableContact => contact.phone_number !== null);
}

/**
 * Contacts of the company, such as partners, with their numbers; a press hands the call on to one, or calls them first.
 */
export function TransferContacts({ found, isBusy, onChoose }: Props) {
  const { t } = useTranslation();
  return (
    <Stack
      component="ul"
      aria-label={t('transfer.contacts')}
      gap={4}
      mt="xs"
      mb={0}
      p={0}
      style={{ listStyle: 'none' }}
    >
      {found.map(({ id, name, organisation, phone_number: phone, do_not_call: isUnwilling }) => (
        <TransferRow
          key={id}
          name={name ?? organisation?.name ?? phone}
          aside={<PhoneNumber number={phone} />}
          blocker={isUnwilling ? t('shared.problem.do_not_call') : null}
          isBusy={isBusy}
          onChoose={(isAskedFirst) => onChoose(phone, isAskedFirst)}
        />
      ))}
    </Stack>
  );
}
