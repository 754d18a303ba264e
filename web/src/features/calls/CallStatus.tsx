import { useTranslation } from 'react-i18next';
import type { CallView } from '../../../../src/contract/calls.ts';
import { CallStateLabel } from '../../shared/callState.tsx';
import { clockText } from '../../shared/time.ts';
import { useGatewayNow, useWorkplace } from '../workplace/workplaceContext.ts';
import classes from './CallPanel.module.css';

/**
 * How far the call is, for how long the customer has been on hold, and whether they hear the agent; in a line of text.
 */
export function CallStatus({ call }: { call: CallView }) {
  const { t } = useTranslation();
  const { isHeld, isMuted } = useWorkplace().view;
  const now = useGatewayNow();
  return (
    <span className={classes.status}>
      <CallStateLabel state={isHeld ? 'held' : call.state} />
      {isHeld && call.held_at !== null && (
        <span className={classes.clock} role="timer" aria-label={t('softphone.call.holdTime')}>
          {clockText(now - Date.parse(call.held_at))}
        </span>
      )}
      {isMuted && <span>· {t('softphone.call.muted')}</span>}
    </span>
  );
}

/** For how long it has been going on, since it was answered where it was. */
export function CallTime({ call }: { call: CallView }) {
  const { t } = useTranslation();
  return (
    <span className={classes.clock} role="timer" aria-label={t('softphone.call.time')}>
      {clockText(useGatewayNow() - Date.parse(call.answered_at ?? call.created_at))}
    </span>
  );
}
