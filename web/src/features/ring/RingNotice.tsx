import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { usePhoneText } from '../../shared/phoneNumbers/phoneText.ts';
import { whoCalls } from '../calls/callWords.ts';
import { readRingSettings } from './ringSettings.ts';
import { useWorkplace } from '../workplace/workplaceContext.ts';
import { notifyOfRing } from './ringNotification.ts';
import { ringingIcon, showOnTab } from './tabIcon.ts';

/**
 * Tells of a call that rings outside the page: by the icon of its tab,
 * and by a notification of the browser while another window is in front.
 */
export function RingNotice() {
  const { t } = useTranslation();
  const phoneText = usePhoneText();
  const { view, workplace } = useWorkplace();
  const calling = whoCalls(t, phoneText, view);
  const isRinging = calling !== null;
  const isBeside = calling?.isBeside === true;
  const text = calling === null ? '' : t('softphone.call.from', { who: calling.who });

  useEffect(() => {
    if (!isRinging) return;
    showOnTab({ isRinging: true });
    return () => showOnTab({ isRinging: false });
  }, [isRinging]);

  useEffect(() => {
    if (!isRinging || !isAway() || !readRingSettings().notifies || Notification.permission !== 'granted') return;
    const words = { answer: t('softphone.call.answer'), decline: t('softphone.call.decline') };
    return notifyOfRing(
      { text, icon: ringingIcon, ...words },
      isBeside
        ? { answer: () => workplace.turnToOther(), decline: () => workplace.rejectOther() }
        : { answer: () => workplace.answer(), decline: () => workplace.reject() },
    );
  }, [isRinging, isBeside, text, t, workplace]);

  return null;
}

/** Another tab or window is in front. */
function isAway(): boolean {
  return document.hidden || !document.hasFocus();
}
