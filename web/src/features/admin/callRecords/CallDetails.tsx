import { useState } from 'react';
import { Anchor, Button, Drawer, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { CallView } from '../../../../../src/contract/calls.ts';
import { platformName } from '../../../../../src/contract/platforms.ts';
import { useFormat } from '../../../lib/i18n/format.ts';
import { dispositionLabel } from '../../../shared/dispositionLabel.ts';
import type { ExactAnswer } from '../../../shared/customerDetails/exactAnswer.ts';
import { PhoneNumber } from '../../../shared/phoneNumbers/PhoneNumber.tsx';
import { agentQuery } from '../../../shared/sharedQueries.ts';
import { TagList } from '../../../shared/TagList.tsx';
import { clockText } from '../../../shared/time.ts';
import { Facts } from '../components/Facts.tsx';
import { Loaded } from '../components/Loaded.tsx';
import { useLast } from '../components/useAsked.ts';
import { CallCourse } from './CallCourse.tsx';
import { CallDeliveries } from './CallDeliveries.tsx';
import { CorrectCall } from './CorrectCall.tsx';
import { Corrections } from './Corrections.tsx';
import { callQuery } from './callQueries.ts';
import { CallResult } from './CallTable.tsx';
import { Conversation } from './Conversation.tsx';
import { PoppedRecord } from './PoppedRecord.tsx';

/** One call beside the list. @param id null: closed; @param onOpen another one of its conversation */
export function CallDrawer({
  id,
  onClose,
  onOpen,
}: {
  id: string | null;
  onClose: () => void;
  onOpen: (id: string) => void;
}) {
  const { t } = useTranslation();
  const shown = useLast(id);
  return (
    <Drawer opened={id !== null} onClose={onClose} position="right" size={560} title={t('calls.one.title')}>
      {shown !== null && <OneCall key={shown} id={shown} onOpen={onOpen} />}
    </Drawer>
  );
}

type Opening = { onOpen: (id: string) => void };

function OneCall({ id, onOpen }: { id: string } & Opening) {
  return <Loaded query={useQuery(callQuery(id))}>{(call) => <Details call={call} onOpen={onOpen} />}</Loaded>;
}

function Details({ call, onOpen }: { call: ExactAnswer<CallView> } & Opening) {
  const { t } = useTranslation();
  const format = useFormat();
  const facts: [string, React.ReactNode][] = [
    [t('calls.columns.customer'), <bdi key="customer">{call.customer_name ?? '–'}</bdi>],
    [
      t('calls.columns.number'),
      call.phone === null ? (
        <bdi key="number">{call.caller ?? t('shared.withheld')}</bdi>
      ) : (
        <PhoneNumber key="number" number={call.phone} />
      ),
    ],
    [t('calls.columns.agent'), <AgentName key="agent" id={call.agent_id} />],
    [t('calls.columns.result'), <CallResult key="result" call={call} />],
  ];
  // Gateways of before do not tell.
  if (call.dialed_number != null)
    facts.push([t('calls.one.dialedNumber'), <PhoneNumber key="dialed" number={call.dialed_number} />]);
  // Likewise of what the customer saw.
  if (call.caller_id != null)
    facts.push([t('calls.one.callerId'), <PhoneNumber key="shown" number={call.caller_id} />]);
  if (call.end_detail !== null) facts.push([t('calls.one.why'), <code key="why">{call.end_detail}</code>]);
  if (call.transferred_to !== null) {
    facts.push([
      t('calls.one.transferredTo'),
      call.transferred_to.startsWith('+') ? (
        <PhoneNumber key="to" number={call.transferred_to} />
      ) : (
        <bdi key="to">{call.transferred_to}</bdi>
      ),
    ]);
  }
  // Gateways of before do not tell.
  if (call.do_not_call_override_by != null)
    facts.push([t('calls.one.calledAnyway'), <AgentName key="by" id={call.do_not_call_override_by} />]);
  if (call.hold_seconds > 0) facts.push([t('calls.one.held'), clockText(call.hold_seconds * 1_000)]);
  if (call.quality !== null) {
    const {
      jitter_ms: jitter,
      loss_percent: loss,
      mos,
      mos_median: median,
      mos_worst: worst,
      rtt_ms: rtt,
    } = call.quality;
    const measured = { jitter, loss: format.number(loss), mos: format.number(mos) };
    facts.push([
      t('calls.one.quality'),
      rtt === null ? t('calls.one.measured', measured) : t('calls.one.measuredWithRtt', { ...measured, rtt }),
    ]);
    // Gateways of before do not tell, nor softphones.
    if (median != null && worst != null) {
      const spread = { median: format.number(median), worst: format.number(worst) };
      facts.push([t('calls.one.qualitySpread'), t('calls.one.spread', spread)]);
    }
  }
  if (call.sip_code !== null) facts.push([t('calls.one.sipCode'), String(call.sip_code)]);
  if (call.source !== null) facts.push([t('calls.one.platform'), platformName(call.source)]);
  if (call.queue !== null) facts.push([t('calls.one.queue'), <bdi key="queue">{call.queue}</bdi>]);
  if (call.external_id !== null) facts.push([t('calls.one.record'), <bdi key="record">{call.external_id}</bdi>]);
  facts.push([t('calls.one.id'), <code key="id">{call.id}</code>]);
  // Gateways of before do not tell.
  if (call.sip_call_id != null) facts.push([t('calls.one.sipCallId'), <code key="sip">{call.sip_call_id}</code>]);
  return (
    <Stack>
      <Facts labelWidth="140px" gap={4} facts={facts} />
      <PoppedRecord call={call} />
      <Title order={3}>{t('calls.one.course')}</Title>
      <CallCourse call={call} />
      <Conversation call={call} onOpen={onOpen} />
      <Recording url={call.recording_url} />
      <Title order={3}>{t('calls.one.wrapUp')}</Title>
      <WrapUp call={call} />
      <Corrections id={call.id} />
      <CallDeliveries id={call.id} />
    </Stack>
  );
}

function AgentName({ id }: { id: string }) {
  const { data: agent } = useQuery(agentQuery(id));
  return <bdi>{agent === undefined ? '–' : `${agent.name} (${agent.agent_code})`}</bdi>;
}

/** Heard in place where the browser can, and wherever it is otherwise. */
function Recording({ url }: { url: string | null }) {
  const { t } = useTranslation();
  if (url === null) return null;
  return (
    <>
      <Title order={3}>{t('calls.one.recording')}</Title>
      {/* What was said is not written down. */}
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption */}
      <audio controls preload="none" src={url} aria-label={t('calls.one.recording')} style={{ width: '100%' }} />
      <Anchor size="sm" href={url} target="_blank" rel="noopener noreferrer" style={{ overflowWrap: 'anywhere' }}>
        {t('calls.one.openRecording')}
      </Anchor>
    </>
  );
}

function WrapUp({ call }: { call: CallView }) {
  const { t } = useTranslation();
  const [isCorrecting, setCorrecting] = useState(false);
  const { disposition } = call;
  const notes = disposition === null ? call.notes_draft : disposition.notes;
  if (isCorrecting) return <CorrectCall call={call} onClose={() => setCorrecting(false)} />;
  return (
    <Stack gap="xs" align="flex-start">
      <Text size="sm">{disposition === null ? t('calls.one.notWrappedUp') : dispositionLabel(t, disposition)}</Text>
      <TagList tags={call.tags} />
      {notes !== null && (
        <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }} dir="auto">
          {notes}
        </Text>
      )}
      {call.state === 'ended' && (
        <Button size="xs" variant="default" onClick={() => setCorrecting(true)}>
          {t('calls.correct.open')}
        </Button>
      )}
    </Stack>
  );
}
