import { VisuallyHidden } from '@mantine/core';
import { IconArrowForwardUp, IconPhoneIncoming, IconPhoneOutgoing } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { AgentStateView } from '../../../../src/contract/agents.ts';
import type { LiveCall } from '../../../../src/contract/live.ts';
import type { Translate } from '../../lib/i18n/catalog.ts';
import { CallStateLabel } from '../../shared/callState.tsx';
import { OtherEnd } from '../../shared/phoneNumbers/OtherEnd.tsx';
import { clockText } from '../../shared/time.ts';
import classes from './AgentTable.module.css';
import { useGatewayNow } from './gatewayClock.ts';
import type { Reasons } from './useReasons.ts';

/**
 * Direction, customer, and for how long they have been talking.
 * @param props.others how many calls the agent has beside that one
 */
export function CallText({ call, others }: { call: LiveCall; others: number }) {
  const { t } = useTranslation();
  const isInbound = call.direction === 'inbound';
  const Icon = isInbound ? IconPhoneIncoming : IconPhoneOutgoing;
  return (
    <span className={classes.call}>
      <Icon size="1.15em" aria-hidden className={classes.callIcon} />
      <VisuallyHidden>{t(`wallboard.direction.${call.direction}`)}</VisuallyHidden>
      <span className={classes.who} title={call.name ?? undefined}>
        <OtherEnd name={call.name} phone={call.phone} caller={call.caller} />
      </span>
      <span className={classes.code}>
        <CallStateLabel state={call.state} />
        {call.answered_at !== null && (
          <>
            {' '}
            <Clock at={call.answered_at} />
          </>
        )}
      </span>
      {call.handed_on_by != null && (
        <span className={classes.code}>
          <IconArrowForwardUp size="1em" aria-hidden /> {t('wallboard.row.handedOnBy', { name: call.handed_on_by })}
        </span>
      )}
      {others > 0 && (
        <span className={classes.code} title={t('wallboard.row.others', { count: others })}>
          <span aria-hidden>+{others}</span>
          <VisuallyHidden>{t('wallboard.row.others', { count: others })}</VisuallyHidden>
        </span>
      )}
    </span>
  );
}

/** How long ago a moment was; ticks. @param at ISO 8601 */
export function Clock({ at }: { at: string }) {
  return <>{clockText(useGatewayNow() - Date.parse(at))}</>;
}

/** What comes after the call or wrap-up, where something was asked for: `Not Ready (Meal)`. Null: nothing was. */
export function pendingText(
  t: Translate,
  { pending_state, pending_reason }: Pick<AgentStateView, 'pending_state' | 'pending_reason'>,
  reasons: Reasons,
): string | null {
  if (pending_state === null) return null;
  const state = t(`shared.state.${pending_state}`);
  return pending_reason === null ? state : t('wallboard.row.pending', { state, reason: reasons.text(pending_reason) });
}
