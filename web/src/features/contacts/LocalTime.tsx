import { useTranslation } from 'react-i18next';
import { localeOf, type PageLanguage } from '../../lib/i18n/languages.ts';
import { useNow } from '../../shared/time.ts';

/** A time zone, and what the clocks show there. @param timeZone IANA */
export function LocalTime({ timeZone }: { timeZone: string }) {
  const { t, i18n } = useTranslation();
  const locale = localeOf(i18n.language as PageLanguage, navigator.languages);
  const now = useNow();
  return t('crmArea.contact.localTime', { zone: timeZone.replaceAll('_', ' '), time: clockIn(locale, timeZone, now) });
}

/** The weekday and time there; empty where the browser does not know the zone. */
function clockIn(locale: string, timeZone: string, now: number): string {
  try {
    return new Intl.DateTimeFormat(locale, { timeZone, weekday: 'short', hour: '2-digit', minute: '2-digit' }).format(
      now,
    );
  } catch {
    return '';
  }
}
