import { VisuallyHidden } from '@mantine/core';
import { IconPhoneIncoming, IconPhoneOutgoing } from '@tabler/icons-react';
import type { AgentStateView } from '../../../../src/contract/agents.ts';
import type { LiveCall } from '../../../../src/contract/live.ts';
import type { CallState } from '../../../../src/contract/vocabulary.ts';
import { agentStates } from '../../shared/agentState.tsx';
import { otherEndText } from '../../shared/otherEnd.ts';
import { clockText } from '../../shared/time.ts';
import classes from './AgentTable.module.css';
import { useGatewayNow } from './gatewayClock.ts';
import type { Reasons } from './useReasons.ts';

const callStates: Record<CallState, string> = {
  queued: 'about to dial',
  dialing: 'dialing',
  ringing: 'ringing',
  connected: 'talking',
  held: 'on hold',
  ended: 'ended',
};

/** Direction, customer, and for how long they have been talking. */
export function CallText({ call }: { call: LiveCall }) {
  const isInbound = call.direction === 'inbound';
  const Icon = isInbound ? IconPhoneIncoming : IconPhoneOutgoing;
  return (
    <span className={classes.call}>
      <Icon size="1.15em" aria-hidden className={classes.callIcon} />
      <VisuallyHidden>{isInbound ? 'Inbound' : 'Outbound'}</VisuallyHidden>
      <span className={classes.who} title={call.name ?? otherEndText(call)}>{call.name ?? otherEndText(call)}</span>
      <span className={classes.code}>
        {callStates[call.state]}
        {call.answered_at !== null && (
          <>
            {' '}
            <Clock at={call.answered_at} />
          </>
        )}
      </span>
    </span>
  );
}

type Props = {
  /** ISO 8601. */
  at: string;
  /** Down to that moment instead of up from it. */
  isCountdown?: boolean;
};

/** How long ago a moment was, or how long it is until then; ticks. */
export function Clock({ at, isCountdown = false }: Props) {
  const passed = useGatewayNow() - Date.parse(at);
  return <>{clockText(isCountdown ? -passed : passed)}</>;
}

/** What comes after the call or wrap-up, where something was asked for: `Not Ready (Meal)`. Null: nothing was. */
export function pendingText(
  { pending_state, pending_reason }: Pick<AgentStateView, 'pending_state' | 'pending_reason'>,
  reasons: Reasons,
): string | null {
  if (pending_state === null) return null;
  const { label } = agentStates[pending_state];
  return pending_reason === null ? label : `${label} (${reasons.text(pending_reason)})`;
}
