import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { otherEndText } from '../../shared/otherEnd.ts';
import { usePhoneText } from '../../shared/phoneNumbers/phoneText.ts';
import { ringingEnd, ringingName } from '../calls/callWords.ts';
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
  const end = view.caller === null ? null : ringingEnd(view);
  const who = end === null ? null : (ringingName(view) ?? otherEndText(t, phoneText, end));
  const isRinging = who !== null;
  const text = who === null ? '' : t('softphone.call.from', { who });

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
      { answer: () => workplace.answer(), decline: () => workplace.reject() },
    );
  }, [isRinging, text, t, workplace]);

  return null;
}

/** Another tab or window is in front. */
function isAway(): boolean {
  return document.hidden || !document.hasFocus();
}
