import { Loader, Paper, Text, Title } from '@mantine/core';
import { Suspense, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { AgentStateView } from '../../../../src/contract/agents.ts';
import type { CallSummary } from '../../../../src/contract/calls.ts';
import { platformName } from '../../../../src/contract/platforms.ts';
import { lazyPart } from '../../lib/i18n/lazyPart.tsx';
import { Boundary } from '../../shared/Boundary.tsx';
import { isolated } from '../../shared/phoneNumbers/direction.ts';
import { otherEndText } from '../../shared/otherEnd.ts';
import { usePhoneText } from '../../shared/phoneNumbers/phoneText.ts';
import { CallPanel } from '../calls/CallPanel.tsx';
import { lasts } from '../calls/callWords.ts';
import { UnreadMessages } from '../messages/lazyMessages.ts';
import type { WorkplaceView } from '../workplace/workplace.ts';
import { useWorkplace } from '../workplace/workplaceContext.ts';
import { hasDraft } from '../wrapUp/keptDrafts.ts';
import { useCallKey } from '../wrapUp/useCallKey.ts';
import type { WrapUpCall } from '../wrapUp/useWrapUpCall.ts';

const fetchIncoming = () => import('../calls/IncomingCall.tsx');
/** The page starts without it, and has it before the first call begins. */
const IncomingCall = lazyPart(async () => (await fetchIncoming()).IncomingCall);
const fetchWrapUp = () => import('../wrapUp/WrapUp.tsx');
/** The same. */
const WrapUp = lazyPart(async () => (await fetchWrapUp()).WrapUp);
const fetchCustomer = () => import('../customer/CustomerCard.tsx');
/** The same: the name of who calls stands with the call. */
const CustomerCard = lazyPart(async () => (await fetchCustomer()).CustomerCard);

type Props = { wrapUp: WrapUpCall; onWrappedUp: () => void };

/** What is going on now: the call, or its wrap-up, and the customer. */
export function WorkArea({ wrapUp, onWrappedUp }: Props) {
  const { t } = useTranslation();
  const { view } = useWorkplace();
  const { agent, call, pop, caller } = view;
  // Fetched again when it is needed, where this fails.
  useEffect(() => void Promise.all([fetchIncoming(), fetchCustomer(), fetchWrapUp()]).catch(() => undefined), []);
  const isOfCall = lasts(call) || agent?.state === 'reserved' || caller !== null || isOnPlatformCall(agent);
  const lasting = lasts(call) ? call : null;
  const toWrapUp = wrapUp.call !== null && (!isOfCall || staysOver(wrapUp.call, view)) ? wrapUp.call : null;
  const keyOf = useCallKey(lasting ?? toWrapUp);
  // Each has its own place, so that nobody loses the field they type in when something beside it comes or goes.
  const entries: { of: CallSummary; phase: 'lasts' | 'running' | 'late' }[] = [];
  if (lasting !== null) entries.push({ of: lasting, phase: 'lasts' });
  if (toWrapUp !== null) entries.push({ of: toWrapUp, phase: wrapUp.isLate ? 'late' : 'running' });
  return (
    <>
      {isOfCall && <CurrentCall />}
      {entries.map(({ of, phase }) => (
        <Boundary name={t(phase === 'lasts' ? 'softphone.wrapUp.notes' : 'softphone.wrapUp.title')} key={keyOf(of.id)}>
          <Suspense fallback={null}>
            <WrapUp call={of} phase={phase} leave={wrapUp.leave} onDone={onWrappedUp} />
          </Suspense>
        </Boundary>
      ))}
      {/* Below what is about the call, which stays where it is. */}
      {view.messages.length > 0 && (
        <Suspense fallback={null}>
          <UnreadMessages messages={view.messages} />
        </Suspense>
      )}
      {(isOfCall || pop !== null) && (
        <Boundary name={t('softphone.customer.label')} key={`customer ${pop?.pop_id ?? ''}`}>
          <Suspense fallback={null}>
            <CustomerCard isNamed={isOfCall ? showsWho(view) : toWrapUp !== null && toWrapUp.id === pop?.call_id} />
          </Suspense>
        </Boundary>
      )}
      {!isOfCall && toWrapUp === null && pop === null && <Idle />}
    </>
  );
}

/** Whether what is typed for a call of before stays in sight although another one comes: until that one is answered. */
function staysOver(before: CallSummary, { call, agent }: WorkplaceView): boolean {
  if (agent?.state === 'on_call' || (lasts(call) && (call.answered_at !== null || call.id === before.id))) return false;
  return hasDraft(before.id);
}

/**
 * Whether the part above tells with whom the call is;
 * that of a platform's, and of one that is about to be dialed, does not.
 */
function showsWho({ call, caller }: WorkplaceView): boolean {
  return caller !== null || lasts(call);
}

function CurrentCall() {
  const { agent, call, caller } = useWorkplace().view;
  const isInboundRing = lasts(call) && call.direction === 'inbound' && call.answered_at === null;
  if (caller !== null || isInboundRing) {
    return (
      <Suspense fallback={null}>
        <IncomingCall />
      </Suspense>
    );
  }
  if (lasts(call)) return <CallPanel call={call} />;
  if (isOnPlatformCall(agent)) return <PlatformCall connector={agent?.platform?.connector ?? ''} />;
  return agent?.state === 'reserved' ? <PreviewDial /> : null;
}

/** The agent's call is one of a telephony platform: it has no buttons here. Gateways of before tell of no platform. */
function isOnPlatformCall(agent: AgentStateView | null): boolean {
  if (agent?.platform == null) return false;
  return (
    (agent.state === 'reserved' || agent.state === 'on_call') && (agent.call_id === null || agent.platform.has_call)
  );
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
      <Text size="sm">
        {pop === null
          ? t('softphone.call.previewUnknown')
          : t('softphone.call.previewText', { who: isolated(otherEndText(t, phoneText, { phone: pop.phone_number })) })}
      </Text>
    </Paper>
  );
}
