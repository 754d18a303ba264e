import { MultiSelect, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TeamView } from '../../../../../src/contract/teams.ts';
import { agentsQuery } from '../agents/agentQueries.ts';
import { FormButtons } from '../components/FormButtons.tsx';
import { Problem } from '../components/Loaded.tsx';
import { Section } from '../components/Page.tsx';
import { toast } from '../components/toast.ts';
import { fieldErrors } from '../form/fieldErrors.ts';
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
  const { data: agents = [] } = useQuery(agentsQuery);
  const [values, setValues] = useState({
    name: read?.name ?? '',
    code: read?.code ?? '',
    agent_ids: read?.agent_ids ?? [],
  });
  const faults = fieldErrors(t, saving.error, (path) => (path.startsWith('agent_ids') ? 'agent_ids' : path));
  const known = agents.filter(({ id, active, role }) => (active && role !== 'dialer') || values.agent_ids.includes(id));

  function change(part: Partial<typeof values>): void {
    saving.reset();
    setValues((before) => ({ ...before, ...part }));
  }

  function save(): void {
    saving.run(
      { name: values.name.trim(), code: values.code.trim(), agent_ids: values.agent_ids },
      {
        onSuccess: () => {
          toast(t('teams.saved'));
          onDone();
        },
      },
    );
  }

  return (
    <Section title={read === null ? t('teams.add') : t('teams.editOf', { name: read.name })}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <Stack gap="sm" maw={480}>
          <TextInput
            label={t('teams.name')}
            required
            data-autofocus
            maxLength={200}
            value={values.name}
            error={faults['name']}
            onChange={(event) => change({ name: event.currentTarget.value })}
          />
          <TextInput
            label={t('teams.code')}
            description={t('teams.codeHint')}
            required
            spellCheck={false}
            autoComplete="off"
            maxLength={64}
            value={values.code}
            error={faults['code']}
            onChange={(event) => change({ code: event.currentTarget.value })}
          />
          <MultiSelect
            label={t('teams.agents')}
            searchable
            hidePickedOptions
            limit={offeredAtMost}
            nothingFoundMessage={t('teams.nobodyFits')}
            data={known.map(({ id, name, agent_code }) => ({ value: id, label: `${name} (${agent_code})` }))}
            value={values.agent_ids}
            error={faults['agent_ids']}
            onChange={(ids) => change({ agent_ids: ids })}
          />
          <Problem error={saving.error} fields={['name', 'code', 'agent_ids']} />
          <FormButtons save={t('teams.save')} isSaving={saving.isPending} onCancel={onDone} />
        </Stack>
      </form>
    </Section>
  );
}
