import { ActionIcon } from '@mantine/core';
import { IconPhone } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { ContactView } from '../../../../src/contract/contacts.ts';
import { isolated } from '../../shared/phoneNumbers/direction.ts';
import { usePhoneText } from '../../shared/phoneNumbers/phoneText.ts';
import { DialGuard } from '../calls/DialGuard.tsx';
import { useWorkplace } from '../workplace/workplaceContext.ts';

type Props = { phone: string; contact: Pick<ContactView, 'do_not_call'> };

/** Dials a number of a contact by the softphone beside; why it cannot now stands on it. */
export function DialButton({ phone, contact }: Props) {
  const { t } = useTranslation();
  const phoneText = usePhoneText();
  const { workplace, run } = useWorkplace();
  const number = isolated(phoneText(phone));
  return (
    <DialGuard
      isUnwilling={contact.do_not_call}
      dial={(options) => run((more) => workplace.dial(phone, { ...options, ...more }))}
    >
      {({ blocker, onClick }) => (
        <ActionIcon
          variant="subtle"
          disabled={blocker !== null}
          bg={blocker === null ? '' : 'transparent'}
          aria-label={t('softphone.recent.dial', { number })}
          title={blocker ?? t('softphone.recent.dial', { number })}
          onClick={onClick}
        >
          <IconPhone size={16} stroke={1.75} />
        </ActionIcon>
      )}
    </DialGuard>
  );
}
