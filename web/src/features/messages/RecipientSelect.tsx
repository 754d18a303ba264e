import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { WriteMessageRequest } from '../../../../src/contract/messages.ts';
import { ColleagueSelect } from '../../shared/list/ColleagueSelect.tsx';
import { teamsQuery } from '../../shared/sharedQueries.ts';

const everybody = 'everybody';

type Props = { agent: { id: string; name: string } | null; onChange: (to: WriteMessageRequest['to'] | null) => void };

/** To whom: everybody, a team, or somebody who is found by name, whether signed in or not. */
export function RecipientSelect({ agent, onChange }: Props) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState(agent?.id ?? null);
  const { data: teams = [] } = useQuery(teamsQuery);

  function recipientOf(value: string): WriteMessageRequest['to'] {
    if (value === everybody) return everybody;
    return teams.some(({ id }) => id === value) ? { team_id: value } : { agent_id: value };
  }

  return (
    <ColleagueSelect
      label={t('messages.write.to')}
      placeholder={t('messages.write.toHint')}
      data-autofocus={agent === null || undefined}
      required
      withAsterisk={false}
      known={[
        { value: everybody, label: t('messages.write.everybody') },
        ...teams.map(({ id, name }) => ({ value: id, label: t('messages.write.team', { name }) })),
        ...(agent === null ? [] : [{ value: agent.id, label: agent.name }]),
      ]}
      value={chosen}
      onChange={(value) => {
        setChosen(value);
        onChange(value === null ? null : recipientOf(value));
      }}
      nothingFoundMessage={t('messages.write.nobody')}
      comboboxProps={{ transitionProps: { duration: 0 } }}
    />
  );
}
