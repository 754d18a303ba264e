import { Select } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { OrganisationView } from '../../../../src/contract/organisations.ts';
import { messageOf } from '../../lib/gateway/apiProblem.ts';
import { useAction } from '../../lib/gateway/useAction.ts';
import { usePostOnce } from '../../lib/gateway/usePostOnce.ts';
import { useTyped } from '../../shared/list/useTyped.ts';
import { searchQuery } from './contactQueries.ts';

type Organisation = { id: string; name: string };
type Props = { value: Organisation | null; onChange: (value: Organisation | null) => void; error?: ReactNode };

/** Not the id of any organisation. */
const newOne = 'new';

/** The organisation that a contact belongs to: found as its name is typed, or made when there is none of that name. */
export function OrganisationSelect({ value, onChange, error }: Props) {
  const { t } = useTranslation();
  const { typed, setTyped, asked } = useTyped();
  const { data: found } = useQuery({
    ...searchQuery(asked),
    enabled: asked !== '' && asked !== value?.name,
    placeholderData: keepPreviousData,
  });
  const postOnce = usePostOnce();
  const making = useAction((name: string) => postOnce<OrganisationView>('/api/crm/organisations', { name }));
  const known = [
    ...(value === null ? [] : [value]),
    ...(found?.organisations ?? []).filter(({ id }) => id !== value?.id),
  ];
  const isNew =
    asked !== '' && asked === typed.trim() && !known.some(({ name }) => name.toLowerCase() === asked.toLowerCase());

  function choose(id: string | null): void {
    if (id === newOne) making.run(asked, { onSuccess: (made) => onChange({ id: made.id, name: made.name }) });
    else onChange(known.find((one) => one.id === id) ?? null);
  }

  return (
    <Select
      label={t('crmArea.contact.organisation')}
      placeholder={t('crmArea.form.organisationHint')}
      searchable
      clearable
      data={[
        ...known.map(({ id, name }) => ({ value: id, label: name })),
        ...(isNew ? [{ value: newOne, label: t('crmArea.form.newOrganisation', { name: asked }) }] : []),
      ]}
      // What the gateway found is what fits.
      filter={({ options }) => options}
      value={value?.id ?? null}
      onChange={choose}
      searchValue={typed}
      onSearchChange={setTyped}
      nothingFoundMessage={t('crmArea.form.noOrganisation')}
      error={making.error === null ? error : messageOf(t, making.error)}
    />
  );
}
