import { MultiSelect, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { teamsQuery } from '../../../shared/sharedQueries.ts';
import type { Form } from '../../../shared/form/useRecordForm.ts';
import type { AgentFields } from './AgentFields.tsx';

/**
 * Whom a supervisor sees and may act on: everybody, or the agents of some teams.
 * Nothing where there is nothing to choose.
 */
export function LedTeamsField({ form }: { form: Form<AgentFields> }) {
  const { t } = useTranslation();
  const { role, led_team_ids: led } = form.values;
  const { data: teams = [] } = useQuery({ ...teamsQuery, enabled: role === 'supervisor' });
  if (role !== 'supervisor' || (teams.length === 0 && led === null)) return null;
  return (
    <>
      <Select
        label={t('admin.agents.sees.label')}
        data={[
          { value: 'company', label: t('admin.agents.sees.company') },
          { value: 'teams', label: t('admin.agents.sees.teams') },
        ]}
        value={led === null ? 'company' : 'teams'}
        onChange={(value) => form.setFieldValue('led_team_ids', value === 'company' ? null : [])}
        allowDeselect={false}
      />
      {led !== null && (
        <MultiSelect
          label={t('admin.agents.sees.which')}
          description={led.length === 0 ? t('admin.agents.sees.nobody') : t('admin.agents.sees.hint')}
          searchable
          hidePickedOptions
          data={teams.map(({ id, name }) => ({ value: id, label: name }))}
          {...form.getInputProps('led_team_ids')}
          value={led}
          withAsterisk
        />
      )}
    </>
  );
}
