import { ActionIcon, Button, Group, Paper, Text, Title } from '@mantine/core';
import { IconArrowDownLeft, IconArrowUpRight, IconPhone } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { asksForWrapUp, isMissed } from '../../../../src/contract/callRules.ts';
import type { CallSummary } from '../../../../src/contract/calls.ts';
import { api } from '../../lib/gateway/api.ts';
import { type Read, useRead } from '../../lib/gateway/useRead.ts';
import { useFormat } from '../../lib/i18n/format.ts';
import { dispositionLabel } from '../../shared/dispositionLabel.ts';
import { isolated } from '../../shared/phoneNumbers/direction.ts';
import { OtherEnd } from '../../shared/phoneNumbers/OtherEnd.tsx';
import { otherEndText } from '../../shared/otherEnd.ts';
import { usePhoneText } from '../../shared/phoneNumbers/phoneText.ts';
import { clockText } from '../../shared/time.ts';
import { RecordLink } from '../../shared/RecordLink.tsx';
import { MissedCalls } from '../ring/lazyRing.tsx';
import { useWorkplace } from '../workplace/workplaceContext.ts';
import classes from './RecentCalls.module.css';
import { courseOf, dialBlocker, resultText, whoIs } from './callWords.ts';

type Props = { recent: Read<CallSummary[]>; onWrapUp: (call: CallSummary) => void };

/** The calls before, newest first. */
export function RecentCalls({ recent, onWrapUp }: Props) {
  const { t } = useTranslation();
  const { data: calls, error, isFetching, refetch } = recent;
  const { view, workplace, run, agentId } = useWorkplace();
  const [isOnlyMissed, setOnlyMissed] = useState(false);
  const state = view.agent?.state;
  const canDial = dialBlocker(t, view) === null;
  return (
    <Paper component="section" withBorder p="sm" aria-label={t('softphone.recent.title')}>
      <Group justify="space-between" gap="xs">
        <Title order={2} size="h3">
          {t('softphone.recent.title')}
        </Title>
        <Suspense fallback={null}>
          <MissedCalls agentId={agentId} calls={calls ?? []} isOnly={isOnlyMissed} onOnly={setOnlyMissed} />
        </Suspense>
      </Group>
      {error !== null && (
        <Group gap="xs" aria-live="polite">
          <Text size="sm">{t('softphone.recent.failed')}</Text>
          <Button size="compact-xs" variant="default" loading={isFetching} onClick={refetch}>
            {t('shared.boundary.again')}
          </Button>
        </Group>
      )}
      {calls === undefined && error === null && <Text size="sm">{t('softphone.recent.reading')}</Text>}
      {calls?.length === 0 && <Text size="sm">{t('softphone.recent.none')}</Text>}
      {calls !== undefined && calls.length > 0 && (
        <ol className={classes.list}>
          {calls.filter((call) => !isOnlyMissed || isMissed(courseOf(call))).map((call) => (
            <RecentCall
              key={call.id}
              call={call}
              canDial={canDial}
              canWrapUp={state === 'ready' || state === 'not_ready'}
              onDial={(phone) => run(() => workplace.dial(phone))}
              onWrapUp={() => onWrapUp(call)}
            />
          ))}
        </ol>
      )}
    </Paper>
  );
}

type RecentCallProps = { call: CallSummary; canDial: boolean; canWrapUp: boolean; onDial: (phone: string) => void; onWrapUp: () => void };

/** One call of before: with whom, when, what came of it; dialed again by its button. */
function RecentCall({ call, canDial, canWrapUp, onDial, onWrapUp }: RecentCallProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const Direction = call.direction === 'inbound' ? IconArrowDownLeft : IconArrowUpRight;
  const phoneText = usePhoneText();
  const who = whoIs(t, phoneText, call);
  const { phone } = call;
  const course = courseOf(call);
  const missed = isMissed(course);
  const length = (call.duration_seconds ?? 0) > 0 ? ` ${clockText((call.duration_seconds ?? 0) * 1000)}` : '';
  return (
    <li className={classes.call}>
      <Direction
        size={16}
        aria-label={t(`softphone.call.${missed ? 'missed' : call.direction === 'inbound' ? 'incoming' : 'outgoing'}`)}
        className={missed ? classes.missed : undefined}
      />
      <div>
        <div className={classes.who} title={[who, otherEndText(t, phoneText, call)].map(isolated).join(' ')}>
          <OtherEnd name={call.customer_name} phone={phone} caller={call.caller} />
        </div>
        <Text size="xs" c="dimmed" truncate>
          {format.moment(call.created_at)} · {resultText(t, call)}
          {length}
          {call.disposition === null ? '' : ` · ${dispositionLabel(t, call.disposition)}`}
        </Text>
        <RecordLink record={call} who={who} />
      </div>
      <Group gap={4} wrap="nowrap">
        {canWrapUp && call.disposition === null && asksForWrapUp(course) && (
          <Button size="compact-xs" variant="subtle" onClick={onWrapUp} aria-label={t('softphone.recent.wrapUpWith', { who })}>
            {t('softphone.recent.wrapUp')}
          </Button>
        )}
        {phone !== null && <ActionIcon
          variant="subtle"
          disabled={!canDial}
          bg={canDial ? '' : 'transparent'}
          aria-label={t('softphone.recent.dialAgain', { who })}
          title={t('softphone.recent.dial', { number: isolated(phoneText(phone)) })}
          onClick={() => onDial(phone)}
        >
          <IconPhone size={16} stroke={1.75} />
        </ActionIcon>}
      </Group>
    </li>
  );
}

const shown = 20;

/** The agent's calls that are over, newest first; read again when one ends, is wrapped up, or the connection is back. */
export function useRecentCalls(): Read<CallSummary[]> {
  const { view, agentId } = useWorkplace();
  const { call, line } = view;
  // Without a time the gateway is yet to learn of the end.
  const ended = call?.state === 'ended' && call.ended_at !== null ? [call.id, call.disposition?.submitted_at, call.customer_name, call.record_url].join(' ') : null;
  return useRead({
    key: line === 'connected' ? agentId : null,
    version: ended,
    read: async (signal) => {
      const answer = await api.get<{ calls: CallSummary[] }>('/api/calls', { agent_id: agentId, state: 'ended', limit: shown }, signal);
      return answer.calls;
    },
  });
}
