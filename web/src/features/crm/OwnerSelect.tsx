import { Select, type SelectProps } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { searchedFrom, useOwners } from './useOwners.ts';

/** Who looks after a record. @param owner who does so now, where that is somebody */
export function OwnerSelect({ owner, ...field }: SelectProps & { owner: Parameters<typeof useOwners>[0] }) {
  const { t } = useTranslation();
  const owners = useOwners(owner);
  return (
    <Select
      placeholder={t('crmArea.form.nobody')}
      data={owners}
      searchable={owners.length >= searchedFrom}
      clearable
      {...field}
    />
  );
}
