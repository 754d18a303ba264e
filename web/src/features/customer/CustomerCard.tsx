import { Paper, Text } from '@mantine/core';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import type { PreviousCallsView } from '../../../../src/contract/previousCalls.ts';
import type { CrmScreenPop } from '../../../../src/contract/socket.ts';
import { api } from '../../lib/gateway/api.ts';
import { useRead } from '../../lib/gateway/useRead.ts';
import { lazyPart } from '../../lib/i18n/lazyPart.tsx';
import { useWorkplace } from '../workplace/workplaceContext.ts';
import { ContactLink } from './ContactLink.tsx';
import { RecordPicker } from './lazyRecordPicker.ts';
import { CustomerDetails } from '../../shared/customerDetails/CustomerDetails.tsx';

/** A company without contacts never loads it. */
const ContactSummary = lazyPart(async () => (await import('./ContactSummary.tsx')).ContactSummary);

/** Once it is known that there are such. */
const LastCalls = lazyPart(async () => (await import('./LastCalls.tsx')).LastCalls);
const LastSpoken = lazyPart(
  async () => (await import('./LastSpoken.tsx')).LastSpoken,
  async () => ({ customer: (await import('../../locales/en/customer.json')).default }),
);

/**
 * What is known of the customer: at once on a click, and before an incoming call is answered.
 * @param isNamed name and number stand above already
 */
export function CustomerCard({ isNamed }: { isNamed: boolean }) {
  const { t } = useTranslation();
  const { pop, caller } = useWorkplace().view;
  return (
    <Paper component="section" withBorder p="sm" aria-label={t('softphone.customer.label')} data-testid="customer-card">
      {pop === null ? (
        <Text size="sm">{t(caller === null ? 'softphone.customer.nothing' : 'softphone.customer.lookingUp')}</Text>
      ) : (
        <Customer pop={pop} isNamed={isNamed} />
      )}
    </Paper>
  );
}

function Customer({ pop, isNamed }: { pop: CrmScreenPop; isNamed: boolean }) {
  const { view, workplace, agentId } = useWorkplace();
  const { call_id: callId, screen_pop: known } = pop;
  const contactId = known.contact_id;
  const previous = usePreviousCalls(callId, pop.phone_number !== null && view.call?.id === callId);
  return (
    <CustomerDetails
      pop={pop}
      isNamed={isNamed}
      layout={view.settings?.pop ?? null}
      links={
        <>
          <ContactLink pop={pop} />
          {known.candidates !== undefined && (
            <Suspense fallback={null}>
              <RecordPicker known={known} onChoose={(candidate) => workplace.chooseRecord(callId, candidate)} />
            </Suspense>
          )}
        </>
      }
      lastSpoken={
        previous?.last_spoken != null && (
          <Suspense fallback={null}>
            <LastSpoken last={previous.last_spoken} agentId={agentId} />
          </Suspense>
        )
      }
      contact={
        <Suspense fallback={null}>
          {contactId !== undefined ? (
            <ContactSummary contactId={contactId} callId={callId} />
          ) : (
            previous !== undefined && <LastCalls calls={previous.calls} />
          )}
        </Suspense>
      }
    />
  );
}

/**
 * The calls before with the number of a call. Undefined: nothing is known, and the call goes on without.
 * @param isRecorded the gateway knows of it, and of a number
 */
function usePreviousCalls(callId: string, isRecorded: boolean): PreviousCallsView | undefined {
  const { data } = useRead({
    key: isRecorded ? callId : null,
    read: (signal) => api.get<PreviousCallsView>(`/api/calls/${callId}/previous`, undefined, signal),
  });
  return isRecorded ? data : undefined;
}
