import { Paper, Text } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { useWorkplace } from '../workplace/workplaceContext.ts';
import { ContactLink } from './ContactLink.tsx';
import { CustomerDetails } from './CustomerDetails.tsx';

/** Few callers have several records, and the softphone starts without it. Where it cannot be fetched, the call goes on without it. */
const RecordPicker = lazy(() =>
  import('./RecordPicker.tsx').then(({ RecordPicker: picker }) => ({ default: picker })).catch(() => ({ default: () => null })),
);

/** The same: a company without contacts never loads it. */
const ContactSummary = lazy(() =>
  import('./ContactSummary.tsx').then(({ ContactSummary: summary }) => ({ default: summary })).catch(() => ({ default: () => null })),
);

/** What is known of the customer: at once on a click, and before an incoming call is answered. */
export function CustomerCard() {
  const { t } = useTranslation();
  const { pop, caller } = useWorkplace().view;
  return (
    <Paper component="section" withBorder p="sm" aria-label={t('softphone.customer.label')} data-testid="customer-card">
      {pop === null ? (
        <Text size="sm">{t(caller === null ? 'softphone.customer.nothing' : 'softphone.customer.lookingUp')}</Text>
      ) : (
        <CustomerDetails
          pop={pop}
          links={
            <>
              <ContactLink pop={pop} />
              {pop.screen_pop.candidates !== undefined && (
                <Suspense fallback={null}>
                  <RecordPicker pop={pop} />
                </Suspense>
              )}
            </>
          }
          contact={
            pop.screen_pop.contact_id !== undefined && (
              <Suspense fallback={null}>
                <ContactSummary contactId={pop.screen_pop.contact_id} callId={pop.call_id} />
              </Suspense>
            )
          }
        />
      )}
    </Paper>
  );
}
