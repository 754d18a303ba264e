import { VisuallyHidden } from '@mantine/core';
import { IconPhoneIncoming, IconPhoneOutgoing } from '@tabler/icons-react';
import type { LiveCall } from '../../../../src/contract/live.ts';
import type { CallState } from '../../../../src/contract/vocabulary.ts';
import { Clock } from './Clock.tsx';
import classes from './AgentTable.module.css';
import { otherEndText } from '../../shared/otherEnd.ts';

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
