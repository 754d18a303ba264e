import { Alert, Anchor, Container, Paper, Text, VisuallyHidden } from '@mantine/core';
import { type ReactNode, Suspense, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { PopView } from '../../../../src/contract/pop.ts';
import type { CrmCandidate } from '../../../../src/contract/screenPops.ts';
import { api } from '../../lib/gateway/api.ts';
import { ApiProblem, messageOf } from '../../lib/gateway/apiProblem.ts';
import { useSignIn } from '../../lib/gateway/signIn.ts';
import { CallStateLabel } from '../../shared/callState.tsx';
import { SignInForm } from '../../shared/SignInForm.tsx';
import { SummaryLists } from '../customer/ContactSummary.tsx';
import { CustomerDetails } from '../../shared/customerDetails/CustomerDetails.tsx';
import type { ExactAnswer } from '../../shared/customerDetails/exactAnswer.ts';
import { LastCalls } from '../customer/LastCalls.tsx';
import { RecordPicker } from '../customer/lazyRecordPicker.ts';
import { LastSpoken } from '../customer/LastSpoken.tsx';
import { linkedSource, type PopSource, signedInSource } from './popSource.ts';
import { usePop } from './usePop.ts';

/**
 * One customer, for a telephony platform that opens an address when a call comes.
 * @param link of whoever need not sign in; null: there is none
 */
export function PopPage({ link }: { link: string | null }) {
  const { t } = useTranslation();
  const isSignedIn = useSignIn() !== null;
  const asked = new URLSearchParams(window.location.search);
  const [phone, call, company] = [asked.get('phone') ?? '', asked.get('call'), asked.get('company')];
  const source = useMemo(
    () => (link === null ? signedInSource(phone, call, company) : linkedSource(link)),
    [link, phone, call, company],
  );
  if (link === null && !isSignedIn) return <SignInForm title={t('pop.title')} />;
  if (link === null && phone === '') {
    return (
      <Frame>
        <Alert variant="light">{t('pop.noNumber')}</Alert>
      </Frame>
    );
  }
  return <Pop source={source} mayCreate={link === null} />;
}

function Frame({ children }: { children: ReactNode }) {
  return (
    <Container component="main" size="sm" p="sm">
      {children}
    </Container>
  );
}

function Pop({ source, mayCreate }: { source: PopSource; mayCreate: boolean }) {
  const { t } = useTranslation();
  const { pop, error } = usePop(source);
  const why = failure(error);
  return (
    <Frame>
      <VisuallyHidden component="h1">{t('pop.title')}</VisuallyHidden>
      {error !== null && (
        <Alert color={pop === null ? 'red' : 'yellow'} variant="light" mb="sm" role="alert">
          {why === null ? messageOf(t, error) : t(`pop.${why}`)}
        </Alert>
      )}
      {pop === null ? (
        error === null && <Text size="sm">{t('pop.loading')}</Text>
      ) : (
        <Shown pop={pop} mayCreate={mayCreate} />
      )}
    </Frame>
  );
}

/** What is wrong with a link, with the number, or with who is signed in; null: anything else. */
function failure(error: unknown): 'linkOver' | 'noNumber' | 'otherCompany' | null {
  if (!(error instanceof ApiProblem)) return null;
  if (error.code === 'wrong_company') return 'otherCompany';
  return error.code === 'invalid_token' ? 'linkOver' : error.code === 'invalid_phone' ? 'noNumber' : null;
}

function Shown({ pop, mayCreate }: { pop: ExactAnswer<PopView>; mayCreate: boolean }) {
  const { t } = useTranslation();
  const agentId = useSignIn()?.agent.id ?? null;
  const { call, call_id: callId, exact, layout, previous, summary } = pop;
  const last = previous?.last_spoken ?? null;
  const contactId = pop.screen_pop.contact_id;
  return (
    <Paper component="section" withBorder p="sm" aria-label={t('softphone.customer.label')} data-testid="pop-card">
      <output aria-label={t('pop.call')}>{call !== null && <CallState call={call} />}</output>
      <CustomerDetails
        pop={{ phone_number: pop.phone, screen_pop: pop.screen_pop, ...(exact === undefined ? {} : { exact }) }}
        layout={layout ?? null}
        links={
          <>
            {mayCreate && pop.has_contacts && (contactId !== undefined || pop.screen_pop.candidates === undefined) && (
              <AreaLink phone={pop.phone} contactId={contactId} />
            )}
            {pop.screen_pop.candidates !== undefined && (
              <Suspense fallback={null}>
                <RecordPicker
                  known={pop.screen_pop}
                  onChoose={mayCreate && callId != null ? (candidate) => choose(callId, candidate) : null}
                />
              </Suspense>
            )}
          </>
        }
        lastSpoken={last !== null && <LastSpoken last={last} agentId={agentId} />}
        contact={
          summary !== null ? (
            <SummaryLists summary={summary} />
          ) : (
            previous != null && <LastCalls calls={previous.calls} />
          )
        }
      />
    </Paper>
  );
}

/** The page sees it at its next look. */
function choose(callId: string, { object, id }: CrmCandidate): Promise<unknown> {
  return api.post(`/api/calls/${callId}/record`, { object, id });
}

function CallState({
  call: { state, queue, dialed_number: dialed = null, line = null },
}: {
  call: NonNullable<PopView['call']>;
}) {
  return (
    <Text size="sm" fw={600} mb="xs">
      <CallStateLabel state={state} />
      {queue !== null && <bdi> · {queue}</bdi>}
      {dialed !== null && <bdi> · {line ?? dialed}</bdi>}
    </Text>
  );
}

/** Leads to the contact in the softphone's CRM area, or to the form that makes one; in a tab of its own. */
function AreaLink({ phone, contactId }: { phone: string; contactId: string | undefined }) {
  const { t } = useTranslation();
  const place = contactId === undefined ? `contacts/new?phone=${encodeURIComponent(phone)}` : `contacts/${contactId}`;
  return (
    <Anchor size="sm" href={`/#/${place}`} target="_blank" rel="noopener noreferrer">
      {t(contactId === undefined ? 'softphone.crm.create' : 'softphone.crm.open')}
    </Anchor>
  );
}
