import { Anchor } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { CrmScreenPop } from '../../../../src/contract/socket.ts';
import { contactAddress, newContactAddress } from '../crm/areaAddress.ts';
import { useHasArea } from '../crm/useHasArea.ts';
import { useMadeContact } from '../crm/madeContacts.ts';

/** Leads to the contact who is called, or to the form that makes one of an unknown number; nothing where the page has no CRM area. */
export function ContactLink({ pop: { screen_pop: known, phone_number: phone, looking_up } }: { pop: CrmScreenPop }) {
  const { t } = useTranslation();
  const made = useMadeContact(phone);
  const id = known.contact_id ?? made;
  if (!useHasArea() || (id === undefined && (phone === null || looking_up === true))) return null;
  return (
    <Anchor size="sm" href={id === undefined ? newContactAddress(phone ?? '') : contactAddress(id)}>
      {t(id === undefined ? 'softphone.crm.create' : 'softphone.crm.open')}
    </Anchor>
  );
}
