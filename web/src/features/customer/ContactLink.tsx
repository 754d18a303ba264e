import { Anchor } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { isContactCandidate } from '../../../../src/contract/callRules.ts';
import type { CrmScreenPop } from '../../../../src/contract/socket.ts';
import { contactAddress, newContactAddress } from '../crm/areaAddress.ts';
import { useHasArea } from '../crm/useHasArea.ts';
import { useMadeContact } from '../crm/madeContacts.ts';

/**
 * Leads to the contact who is called, or to the form that makes one of an unknown number;
 * nothing where the page has no CRM area.
 */
export function ContactLink({ pop: { screen_pop: known, phone_number: phone, looking_up } }: { pop: CrmScreenPop }) {
  const { t } = useTranslation();
  const made = useMadeContact(phone);
  // Of several who have the number somebody is chosen first.
  const isToChoose = known.contact_id === undefined && known.candidates?.some(isContactCandidate) === true;
  const id = known.contact_id ?? made;
  if (!useHasArea() || isToChoose || (id === undefined && (phone === null || looking_up === true))) return null;
  return (
    <Anchor size="sm" href={id === undefined ? newContactAddress(phone ?? '') : contactAddress(id)}>
      {t(id === undefined ? 'softphone.crm.create' : 'softphone.crm.open')}
    </Anchor>
  );
}
