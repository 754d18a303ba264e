import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { FlatScreenPop, ScreenPop } from '../../../../src/contract/screenPops.ts';
import { api } from '../../lib/gateway/api.ts';
import { messageOf } from '../../lib/gateway/apiProblem.ts';
import { useRead } from '../../lib/gateway/useRead.ts';
import { CustomerDetails } from '../../shared/customerDetails/CustomerDetails.tsx';
import { ContactSummary } from '../customer/ContactSummary.tsx';
import { useWorkplace } from '../workplace/workplaceContext.ts';

/**
 * What is known of whoever has a number, as it would pop with the call.
 * @param contactId whom the call is about, if it is known
 */
export function KnownCustomer({ phone, contactId }: { phone: string; contactId: string | null }) {
  const { t } = useTranslation();
  const { settings } = useWorkplace().view;
  const { data, error } = useRead({
    key: phone,
    read: (signal) => readKnown(phone, signal),
  });
  if (error !== null) return <Text size="sm">{messageOf(t, error)}</Text>;
  if (data === undefined) return <Text size="sm">{t('dialing.preview.reading')}</Text>;
  const contact = data.contact_id ?? contactId;
  return (
    <CustomerDetails
      pop={{ phone_number: phone, screen_pop: data }}
      layout={settings?.pop ?? null}
      contact={contact !== null && <ContactSummary contactId={contact} callId={phone} />}
    />
  );
}

/** Asked flat first: not to be known is no failure, and none for the browser's console. */
async function readKnown(phone: string, signal: AbortSignal): Promise<ScreenPop> {
  const { found } = await api.get<FlatScreenPop>('/api/integrations/lookup', { phone, format: 'flat' }, signal);
  if (found === 'false') return { phone };
  return (await api.get<{ screen_pop: ScreenPop }>('/api/integrations/lookup', { phone }, signal)).screen_pop;
}
