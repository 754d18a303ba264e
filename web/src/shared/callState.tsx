import {
  type Icon,
  IconBellRinging,
  IconClock,
  IconPhone,
  IconPhoneOff,
  IconPhoneOutgoing,
  IconPlayerPause,
} from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { CallSummary } from '../../../src/contract/calls.ts';
import type { CallState } from '../../../src/contract/vocabulary.ts';
import type { Translate } from '../lib/i18n/catalog.ts';
import classes from './state.module.css';

/** How every page draws how far a call is; ringing and connected as it draws the agents who do so. */
const looks: Readonly<Record<CallState, { icon: Icon; colour: string }>> = {
  queued: { icon: IconClock, colour: classes.offline ?? '' },
  dialing: { icon: IconPhoneOutgoing, colour: classes.dialing ?? '' },
  ringing: { icon: IconBellRinging, colour: classes.reserved ?? '' },
  connected: { icon: IconPhone, colour: classes.onCall ?? '' },
  held: { icon: IconPlayerPause, colour: classes.held ?? '' },
  ended: { icon: IconPhoneOff, colour: classes.offline ?? '' },
};

/** How far a call is as icon, colour and word, in a line of text. */
export function CallStateLabel({ state }: { state: CallState }) {
  const { icon: Mark, colour } = looks[state];
  const { t } = useTranslation();
  return (
    <span className={`${classes.label} ${colour}`}>
      <Mark className={classes.icon} aria-hidden />
      {t(`shared.callState.${state}`)}
    </span>
  );
}

/** Whether somebody was reached and has not hung up, on hold or not. */
export function isTalking(call: Pick<CallSummary, 'state'> | null): boolean {
  return call?.state === 'connected' || call?.state === 'held';
}

/**
 * How a call that is over ended, in a word or two: of one that was talked in,
 * that it failed would say that it was not put through.
 */
export function endText(
  t: Translate,
  { answered_at: answeredAt, end_reason: reason }: Pick<CallSummary, 'answered_at' | 'end_reason'>,
): string {
  if (reason === 'failed' && answeredAt !== null) return t('shared.callEnd.cutOff');
  return reason === null ? t('shared.callState.ended') : t(`shared.callEnd.${reason}`);
}
