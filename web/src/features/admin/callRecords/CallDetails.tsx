import { useState } from 'react';
import { Anchor, Button, DataList, Drawer, Stack, Text, Timeline, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { useTranslation } from 'react-i18next';
import type { AgentView } from '../../../../../src/contract/agents.ts';
import type { CallView } from '../../../../../src/contract/calls.ts';
import { platformName } from '../../../../../src/contract/platforms.ts';
import { api } from '../../../lib/gateway/api.ts';
import { dispositionLabel } from '../../../shared/dispositionLabel.ts';
import { PhoneNumber } from '../../../shared/phoneNumbers/PhoneNumber.tsx';
import { RecordLink } from '../../../shared/RecordLink.tsx';
import { clockText } from '../../../shared/time.ts';
import { Loaded } from '../components/Loaded.tsx';
import { Moment } from '../components/Moment.tsx';
import { useAccount } from '../shell/accountContext.ts';
import { CorrectCall } from './CorrectCall.tsx';
import { Corrections } from './Corrections.tsx';
import { callQuery } from './callQueries.ts';
import { resultOf } from './CallTable.tsx';

/** One call beside the list. @param id null: closed */
export function CallDrawer({ id, onClose }: { id: string | null; onClose: () => void }) {
  const { t } = useTranslation();
  // What was open stays to be seen while the drawer slides out.
  const [shown, setShown] = useState(id);
  if (id !== null && id !== shown) setShown(id);
  return (
    <Drawer opened={id !== null} onClose={onClose} position="right" size={560} title={t('calls.one.title')}>
      {shown !== null && <OneCall key={shown} id={shown} />}
    </Drawer>
  );
}

function OneCall({ id }: { id: string }) {
  return <Loaded query={useQuery(callQuery(id))}>{(call) => <Details call={call} />}</Loaded>;
}

function Details({ call }: { call: CallView }) {
  const { t } = useTranslation();
  const { data: agent } = useQuery({ queryKey: ['agent', call.agent_id], queryFn: ({ signal }) => api.get<AgentView>(`/api/agents/${call.agent_id}`, {}, signal) });
  const isAdmin = useAccount().agent.role === 'admin';
  const facts: [string, React.ReactNode][] = [
    [t('calls.columns.customer'), <bdi key="customer">{call.customer_name ?? '–'}</bdi>],
    [t('calls.columns.number'), call.phone === null ? <bdi key="number">{call.caller ?? t('shared.withheld')}</bdi> : <PhoneNumber key="number" number={call.phone} />],
    [t('calls.columns.agent'), <bdi key="agent">{agent === undefined ? '–' : `${agent.name} (${agent.agent_code})`}</bdi>],
    [t('calls.columns.result'), resultOf(t, call)],
  ];
  if (call.end_detail !== null) facts.push([t('calls.one.why'), <code key="why">{call.end_detail}</code>]);
  if (call.transferred_to !== null) facts.push([t('calls.one.transferredTo'), call.transferred_to.startsWith('+') ? <PhoneNumber key="to" number={call.transferred_to} /> : <bdi key="to">{call.transferred_to}</bdi>]);
  if (call.sip_code !== null) facts.push([t('calls.one.sipCode'), String(call.sip_code)]);
  if (call.source !== null) facts.push([t('calls.one.platform'), platformName(call.source)]);
  if (call.queue !== null) facts.push([t('calls.one.queue'), <bdi key="queue">{call.queue}</bdi>]);
  if (call.external_id !== null) facts.push([t('calls.one.record'), <bdi key="record">{call.external_id}</bdi>]);
  facts.push([t('calls.one.id'), <code key="id">{call.id}</code>]);
  return (
    <Stack>
      <DataList labelWidth="140px" gap={4}>
        {facts.map(([name, fact]) => (
          <DataList.Item key={name}>
            <DataList.ItemLabel>{name}</DataList.ItemLabel>
            <DataList.ItemValue style={{ overflowWrap: 'anywhere' }}>{fact}</DataList.ItemValue>
          </DataList.Item>
        ))}
      </DataList>
      <RecordLink record={call} />
      <Title order={3}>{t('calls.one.course')}</Title>
      <Course call={call} />
      <Recording url={call.recording_url} />
      <Title order={3}>{t('calls.one.wrapUp')}</Title>
      <WrapUp call={call} />
      <Corrections id={call.id} />
      {isAdmin && (
        <Anchor size="sm" renderRoot={(props) => <Link {...props} to={`/deliveries?call_id=${call.id}`} />}>
          {t('calls.one.deliveries')}
        </Anchor>
      )}
    </Stack>
  );
}

/** When it began, rang, was answered and ended, and how long each lasted. */
function Course({ call: { answered_at: answered, created_at: began, direction, ended_at: ended, ringing_at: rang } }: { call: CallView }) {
  const { t } = useTranslation();
  const steps = [
    { what: t(direction === 'inbound' ? 'calls.step.arrived' : 'calls.step.dialed'), at: began },
    { what: t('calls.step.rang'), at: rang },
    { what: t('calls.step.answered'), at: answered },
    { what: t('calls.step.ended'), at: ended },
  ].flatMap(({ what, at }) => (at === null ? [] : [{ what, at }]));
  return (
    <Timeline bulletSize={12} lineWidth={2} active={steps.length}>
      {steps.map(({ what, at }, place) => {
        const before = steps[place - 1]?.at;
        return (
          <Timeline.Item key={what} title={<Text size="sm">{what}</Text>}>
            <Text size="xs" c="dimmed">
              <Moment at={at} />
              {before !== undefined && ` · ${t('calls.step.after', { length: clockText(Date.parse(at) - Date.parse(before)) })}`}
            </Text>
          </Timeline.Item>
        );
      })}
    </Timeline>
  );
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
