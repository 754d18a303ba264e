import { Loader, Paper, Text, Title } from '@mantine/core';
import { lazy, Suspense, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { AgentStateView } from '../../../../src/contract/agents.ts';
import { platformName } from '../../../../src/contract/platforms.ts';
import { Boundary } from '../../shared/Boundary.tsx';
import { isolated } from '../../shared/phoneNumbers/direction.ts';
import { otherEndText } from '../../shared/otherEnd.ts';
import { usePhoneText } from '../../shared/phoneNumbers/phoneText.ts';
import { CallPanel } from '../calls/CallPanel.tsx';
import { IncomingCall } from '../calls/IncomingCall.tsx';
import { lasts } from '../calls/callWords.ts';
import { CustomerCard } from '../customer/CustomerCard.tsx';
import { useWorkplace } from '../workplace/workplaceContext.ts';
import type { WrapUpCall } from '../wrapUp/useWrapUpCall.ts';

const fetchWrapUp = () => import('../wrapUp/WrapUp.tsx');
/** The page starts without it, and has it before the first call ends. */
const WrapUp = lazy(async () => ({ default: (await fetchWrapUp()).WrapUp }));
const fetchNotes = () => import('../wrapUp/CallNotes.tsx');
/** Likewise, before the first call begins. */
const CallNotes = lazy(async () => ({ default: (await fetchNotes()).CallNotes }));

type Props = { wrapUp: WrapUpCall; onWrappedUp: () => void };

/** What is going on now: the call, or its wrap-up, and the customer. */
export function WorkArea({ wrapUp, onWrappedUp }: Props) {
  const { t } = useTranslation();
  const { view } = useWorkplace();
  const { agent, call, pop, caller } = view;
  // Fetched again when it is needed, where this fails.
  useEffect(() => void Promise.all([fetchNotes(), fetchWrapUp()]).catch(() => undefined), []);
  const isOfCall = lasts(call) || agent?.state === 'reserved' || caller !== null || isOnPlatformCall(agent);
  const toWrapUp = isOfCall ? null : wrapUp.call;
  // Each has its own place, so that nobody loses the field they type in when something beside it comes or goes.
  return (
    <>
      {isOfCall && <CurrentCall />}
      {lasts(call) && (
        <Suspense fallback={null} key={`notes ${call.id}`}>
          <CallNotes call={call} />
        </Suspense>
      )}
      {toWrapUp !== null && (
        <Suspense fallback={null} key={`wrap-up ${toWrapUp.id}`}>
          <WrapUp call={toWrapUp} isLate={wrapUp.isLate} leave={wrapUp.leave} onDone={onWrappedUp} />
        </Suspense>
      )}
      {(isOfCall || pop !== null) && (
        <Boundary name={t('softphone.customer.label')} key={`customer ${pop?.pop_id ?? ''}`}>
          <CustomerCard />
        </Boundary>
      )}
      {!isOfCall && toWrapUp === null && pop === null && <Idle />}
    </>
  );
}

function CurrentCall() {
  const { agent, call, caller } = useWorkplace().view;
  const isInboundRing = lasts(call) && call.direction === 'inbound' && call.answered_at === null;
  if (caller !== null || isInboundRing) return <IncomingCall />;
  if (lasts(call)) return <CallPanel call={call} />;
  if (isOnPlatformCall(agent)) return <PlatformCall connector={agent?.platform?.connector ?? ''} />;
  return agent?.state === 'reserved' ? <PreviewDial /> : null;
}

/** The agent's call is one of a telephony platform: it has no buttons here. Gateways of before tell of no platform. */
function isOnPlatformCall(agent: AgentStateView | null): boolean {
  if (agent?.platform == null) return false;
  return (agent.state === 'reserved' || agent.state === 'on_call') && (agent.call_id === null || agent.platform.has_call);
}

function PlatformCall({ connector }: { connector: string }) {
  const { t } = useTranslation();
  const name = platformName(connector);
  return (
    <Paper component="section" withBorder p="sm" aria-label={t('softphone.call.label')}>
      <Title order={2}>{t('softphone.call.atPlatform', { name })}</Title>
      <Text size="sm">{t('softphone.call.atPlatformText')}</Text>
    </Paper>
  );
}

function Idle() {
  const { t } = useTranslation();
  const { agent } = useWorkplace().view;
  return (
    <Paper withBorder p="md">
      {agent === null ? (
        <Text size="sm">
          <Loader size={14} mr="xs" aria-hidden />
          {t('softphone.call.connecting')}
        </Text>
      ) : (
        <Text size="sm">{t('softphone.call.none')}</Text>
      )}
    </Paper>
  );
}

/** A click in the CRM is about to become a call: the phone dials by itself in a moment. */
function PreviewDial() {
  const { t } = useTranslation();
  const phoneText = usePhoneText();
  const { pop } = useWorkplace().view;
  return (
    <Paper component="section" withBorder p="sm" aria-label={t('softphone.call.label')}>
      <Title order={2}>{t('softphone.call.preview')}</Title>
      <Text size="sm">{pop === null ? t('softphone.call.previewUnknown') : t('softphone.call.previewText', { who: isolated(otherEndText(t, phoneText, { phone: pop.phone_number })) })}</Text>
    </Paper>
  );
}
