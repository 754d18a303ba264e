import { VisuallyHidden } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { localeOf, type PageLanguage } from '../../lib/i18n/languages.ts';
import classes from './CountryMark.module.css';

type Props = {
  /** E.164, or as far as it is written. */
  number: string;
  /** The country of numbers without a country code; null: there is none. */
  own: string | null;
  countryOf: (number: string, own: string | null) => string | null;
};

/**
 * Of which country a phone number is, by its letters, with its name for those who point at them or hear the page: flags
 * are no characters of every system, and few people know them all. Nothing where it is not known.
 */
export function CountryMark({ number, own, countryOf }: Props) {
  const { language } = useTranslation().i18n;
  const country = countryOf(number, own);
  const name = useMemo(
    () => (country === null ? null : countryName(country, localeOf(language as PageLanguage, navigator.languages))),
    [country, language],
  );
  if (country === null || name === null) return null;
  return (
    <span title={name} className={classes.mark}>
      <span aria-hidden>{country}</span>
      <VisuallyHidden>{name}</VisuallyHidden>
    </span>
  );
}

function countryName(country: string, locale: string): string {
  return new Intl.DisplayNames(locale, { type: 'region' }).of(country) ?? country;
}
