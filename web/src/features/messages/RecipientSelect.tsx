import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { WriteMessageRequest } from '../../../../src/contract/messages.ts';
import { mentions } from '../../shared/foldText.ts';
import { typingPauseMs } from '../../shared/list/useTyped.ts';
import { colleaguesQuery, teamsQuery } from '../../shared/sharedQueries.ts';

const teamsListed = 50;

type Recipient = { value: string; label: string; to: WriteMessageRequest['to'] };
type Props = { agent: { id: string; name: string } | null; onChange: (to: WriteMessageRequest['to'] | null) => void };

/** To whom: everybody, a team, or somebody who is found by name, whether signed in or not. */
export function RecipientSelect({ agent, onChange }: Props) {
  const { t } = useTranslation();
  const first = agent === null ? null : recipientOf(agent.id, agent.name);
  const [chosen, setChosen] = useState<Recipient | null>(first);
  const [typed, setTyped] = useState(first?.label ?? '');
  // The text of the chosen one stands in the field, and looks for nobody else.
  const wanted = typed === chosen?.label ? '' : typed.trim();
  const [asked] = useDebouncedValue(wanted, typingPauseMs);
  const { data: teams = [] } = useQuery(teamsQuery);
  const { data: found = [] } = useQuery(colleaguesQuery(asked));
  const everybody: Recipient = { value: 'everybody', label: t('messages.write.everybody'), to: 'everybody' };
  const groups: Recipient[] = [
    everybody,
    ...teams.map(({ id, name }): Recipient => ({
      value: id,
      label: t('messages.write.team', { name }),
      to: { team_id: id },
    })),
  ]
    .filter(({ label }) => mentions([label], wanted))
    .slice(0, teamsListed);
  const people = found.map(({ id, name, agent_code: code }) => recipientOf(id, `${name} (${code})`));
  const offered = [...groups, ...people];
  const choices =
    chosen === null || offered.some(({ value }) => value === chosen.value) ? offered : [chosen, ...offered];
  return (
    <Select
      label={t('messages.write.to')}
      placeholder={t('messages.write.toHint')}
      data-autofocus={agent === null || undefined}
      searchable
      required
      withAsterisk={false}
      data={choices}
      // What is offered is what fits.
      filter={({ options }) => options}
      value={chosen?.value ?? null}
      onChange={(value) => {
        const recipient = choices.find((choice) => choice.value === value) ?? null;
        setChosen(recipient);
        onChange(recipient?.to ?? null);
      }}
      searchValue={typed}
      onSearchChange={setTyped}
      nothingFoundMessage={t('messages.write.nobody')}
      comboboxProps={{ transitionProps: { duration: 0 } }}
    />
  );
}

function recipientOf(id: string, label: string): Recipient {
  return { value: id, label, to: { agent_id: id } };
}
