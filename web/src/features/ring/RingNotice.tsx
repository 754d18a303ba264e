import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { otherEndText } from '../../shared/otherEnd.ts';
import { usePhoneText } from '../../shared/phoneNumbers/phoneText.ts';
import { ringingEnd } from '../calls/callWords.ts';
import { readRingSettings } from '../workplace/ringSettings.ts';
import { useWorkplace } from '../workplace/workplaceContext.ts';

const ringingIcon = new URL('./icon-ringing.svg', import.meta.url).href;

/** Tells of a call that rings outside the page: by the icon of its tab, and by a notification of the browser while another window is in front. */
export function RingNotice() {
  const { t } = useTranslation();
  const phoneText = usePhoneText();
  const { view } = useWorkplace();
  const end = view.caller === null ? null : ringingEnd(view);
  const who = end === null ? null : (view.pop?.screen_pop.name ?? view.caller?.displayName ?? otherEndText(t, phoneText, end));
  const isRinging = who !== null;
  const text = who === null ? '' : t('softphone.call.from', { who });

  useEffect(() => {
    if (!isRinging) return;
    const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    icon?.setAttribute('href', ringingIcon);
    return () => icon?.setAttribute('href', '/icon.svg');
  }, [isRinging]);

  useEffect(() => {
    if (!isRinging || !isAway() || !readRingSettings().notifies || Notification.permission !== 'granted') return;
    const shown = new Notification(text, { tag: 'readyline-ring', icon: ringingIcon, requireInteraction: true });
    shown.onclick = () => {
      window.focus();
      shown.close();
    };
    return () => shown.close();
  }, [isRinging, text]);

  return null;
}

/** Another tab or window is in front. */
function isAway(): boolean {
  return document.hidden || !document.hasFocus();
}
