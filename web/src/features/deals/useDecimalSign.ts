import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { localeOf, type PageLanguage } from '../../lib/i18n/languages.ts';
import { decimalSign } from './amounts.ts';

/** The sign between whole and part in the language of the page. */
export function useDecimalSign(): string {
  const { language } = useTranslation().i18n;
  return useMemo(() => decimalSign(localeOf(language as PageLanguage, navigator.languages)), [language]);
}
