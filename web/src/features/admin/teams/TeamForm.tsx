import { MultiSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TeamView } from '../../../../../src/contract/teams.ts';
import { useRecordForm } from '../../../shared/form/useRecordForm.ts';
import { agentsQuery } from '../../../shared/sharedQueries.ts';
import { FormButtons } from '../components/FormButtons.tsx';
import { Section } from '../components/Page.tsx';
import { RecordPanel } from '../components/RecordPanel.tsx';
import { toast } from '../components/toast.ts';
import { useSaveTeam } from './useTeamActions.ts';

/** So many fitting agents are offered at once; typing finds the others. */
const offeredAtMost = 50;

/** @param team null: a new one */
type Props = { team: TeamView | null; onDone: () => void };

/** The form of a team: how it is called, and who is in it. */
export function TeamForm({ team, onDone }: Props) {
  const { t } = useTranslation();
  // As it was when the form was opened: saving it later is refused where somebody else has changed it.
  const [read] = useState(team);
  const saving = useSaveTeam(read);
  const record = useRecordForm(
    { name: read?.name ?? '', code: read?.code ?? '', agent_ids: read?.agent_ids ?? [] },
    {
      action: saving,
      body: (_changes, { name, code, agent_ids }) => ({ name: name.trim(), code: code.trim(), agent_ids }),
      fieldOf: (path) => (path.startsWith('agent_ids') ? 'agent_ids' : path),
      isGuarded: false,
      onTyped: saving.reset,
      onSaved: () => {
        toast(t('teams.saved'));
        onDone();
      },
    },
  );
  const { form } = record;
  const { data: agents = [] } = useQuery(agentsQuery);
  const known = agents.filter(
    ({ id, active, role }) => (active && role !== 'dialer') || form.values.agent_ids.includes(id),
  );

  return (
    <Section title={read === null ? t('teams.add') : t('teams.editOf', { name: read.name })}>
      <RecordPanel
        record={record}
        fields={['name', 'code', 'agent_ids']}
        maw={480}
        isChecked
        end={<FormButtons save={t('teams.save')} isSaving={record.isSaving} onCancel={onDone} />}
      >
        <TextInput label={t('teams.name')} required data-autofocus maxLength={200} {...form.getInputProps('name')} />
        <TextInput
          label={t('teams.code')}
          description={t('teams.codeHint')}
          required
          spellCheck={false}
          autoComplete="off"
          maxLength={64}
          {...form.getInputProps('code')}
        />
        <MultiSelect
          label={t('teams.agents')}
          searchable
          hidePickedOptions
          limit={offeredAtMost}
          nothingFoundMessage={t('teams.nobodyFits')}
          data={known.map(({ id, name, agent_code }) => ({ value: id, label: `${name} (${agent_code})` }))}
          {...form.getInputProps('agent_ids')}
        />
      </RecordPanel>
    </Section>
  );
}
