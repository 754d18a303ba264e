import { Anchor } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/i18n/format.ts';
import { localeOf, type PageLanguage } from '../../lib/i18n/languages.ts';
import { PhoneNumber } from '../phoneNumbers/PhoneNumber.tsx';
import type { Writer, WrittenValue } from './writeValue.ts';

/** Writes values for the reader of this page. */
export function useWriter(): Writer {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  const { language } = i18n;
  return useMemo(
    () => ({ t, format, locale: localeOf(language as PageLanguage, navigator.languages) }),
    [t, format, language],
  );
}

/** A value that has been written; pointing at it shows it as it came. @param came before it was written */
export function ValueText({ value: { text, address, isPhone }, came }: { value: WrittenValue; came: string }) {
  if (address !== null) {
    return (
      <Anchor inherit href={address} target="_blank" rel="noopener noreferrer">
        {text}
      </Anchor>
    );
  }
  if (isPhone) return <PhoneNumber number={text} />;
  return <bdi title={text === came ? undefined : came}>{text}</bdi>;
}
