import { Select } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useTyped } from '../../shared/list/useTyped.ts';
import { usePhoneText } from '../../shared/phoneNumbers/phoneText.ts';
import { searchQuery } from './contactQueries.ts';

type Chosen = { id: string; name: string | null };
type Props = {
  label: string;
  value: Chosen | null;
  onChange: (value: Chosen | null) => void;
  error?: ReactNode;
};

/** One contact of the company: found as its name or number is typed. */
export function ContactSelect({ label, value, onChange, error }: Props) {
  const { t } = useTranslation();
  const phoneText = usePhoneText();
  const { typed, setTyped, asked } = useTyped();
  const { data: found } = useQuery({
    ...searchQuery(asked),
    enabled: asked !== '' && asked !== value?.name,
    placeholderData: keepPreviousData,
  });
  const contacts = (found?.contacts ?? []).map(({ id, name, phone_number, email, organisation }) => ({
    id,
    name: name ?? (phone_number === null ? email : phoneText(phone_number)),
    organisation: organisation?.name,
  }));
  const known = [
    ...(value === null ? [] : [{ ...value, organisation: undefined }]),
    ...contacts.filter(({ id }) => id !== value?.id),
  ];
  return (
    <Select
      label={label}
      placeholder={t('crmArea.select.hint')}
      searchable
      clearable
      data={known.map(({ id, name, organisation }) => ({
        value: id,
        label: [name ?? t('crmArea.contact.nameless'), organisation].filter((part) => part !== undefined).join(' · '),
      }))}
      // What the gateway found is what fits.
      filter={({ options }) => options}
      value={value?.id ?? null}
      onChange={(id) => {
        const chosen = known.find((one) => one.id === id);
        onChange(chosen === undefined ? null : { id: chosen.id, name: chosen.name });
      }}
      searchValue={typed}
      onSearchChange={setTyped}
      nothingFoundMessage={t('crmArea.select.none')}
      error={error}
    />
  );
}
