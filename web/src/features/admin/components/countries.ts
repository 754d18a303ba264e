import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { localeOf, type PageLanguage } from '../../../lib/i18n/languages.ts';

/** Every country in the page's language, for a Select. */
export function useCountryOptions(): { value: string; label: string }[] {
  const { language } = useTranslation().i18n;
  return useMemo(() => countries(language), [language]);
}

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
/** Codes that browsers name, of areas which have no telephone numbers of their own. */
const noCountries = new Set(['EU', 'EZ', 'UN', 'QO', 'XA', 'XB', 'ZZ']);

/** Every country that this browser has a name for, in order of the names. @param language of the page */
function countries(language: string): { value: string; label: string }[] {
  const locale = localeOf(language as PageLanguage, navigator.languages);
  const names = new Intl.DisplayNames([locale], { type: 'region', fallback: 'none' });
  return letters
    .flatMap((first) => letters.map((second) => first + second))
    .filter((code) => !noCountries.has(code))
    .flatMap((code) => {
      const name = names.of(code);
      return name === undefined ? [] : [{ value: code, label: `${name} (${code})` }];
    })
    .sort((one, other) => one.label.localeCompare(other.label, locale));
}
