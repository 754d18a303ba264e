import { Anchor } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { FieldView } from '../../../../src/contract/contactFields.ts';
import { localeOf, type PageLanguage } from '../../lib/i18n/languages.ts';
import { recordAddress } from '../../shared/RecordLink.tsx';

/** The value of a field that the company has defined, as its reader is used to. */
export function FieldValue({ field, value }: { field: FieldView; value: string | number }) {
  const { language } = useTranslation().i18n;
  const locale = localeOf(language as PageLanguage, navigator.languages);
  const address = field.kind === 'link' ? recordAddress(String(value)) : null;
  if (address === null) return <bdi>{valueText(locale, field.kind, value)}</bdi>;
  return (
    <Anchor inherit href={address} target="_blank" rel="noopener noreferrer">
      {value}
    </Anchor>
  );
}

/** A value as text; one that does not fit its kind stays as it is. @param locale BCP 47 */
export function valueText(locale: string, kind: FieldView['kind'], value: string | number): string {
  if (kind === 'number' && typeof value === 'number') return new Intl.NumberFormat(locale, { maximumFractionDigits: 20 }).format(value);
  if (kind === 'date' && !Number.isNaN(Date.parse(String(value)))) return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(value));
  const [, amount, currency] = kind === 'money' ? (/^(-?\d+(?:\.\d+)?) ([A-Z]{3})$/.exec(String(value)) ?? []) : [];
  if (amount === undefined || currency === undefined) return String(value);
  return new Intl.NumberFormat(locale, { style: 'currency', currency }).format(Number(amount));
}
