import '../../shared/styles/choices.ts';
import { ActionIcon, Button, Group, NativeSelect } from '@mantine/core';
import { IconPhone } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useTeams } from '../colleagues/useColleagues.ts';
import type { TransferTarget } from '../workplace/colleagueTransfer.ts';

type Props = {
  /** The code of the chosen team; null: of all. */
  team: string | null;
  isBusy: boolean;
  asksFirst: boolean;
  onTeam: (team: string | null) => void;
  onChoose: (target: TransferTarget, isAskedFirst: boolean) => void;
};

/** Hands the call on to whoever has been Ready for the longest time, of all or of a team. */
export function WhoeverIsReady({ team, isBusy, asksFirst, onTeam, onChoose }: Props) {
  const { t } = useTranslation();
  const teams = useTeams();
  const target: TransferTarget = team === null ? 'anybody' : { teamCode: team };
  return (
    <Group gap={4} mt="xs" wrap="nowrap" align="flex-end">
      {teams.length > 0 && (
        <NativeSelect
          size="xs"
          label={t('transfer.team')}
          value={team ?? ''}
          onChange={(event) => onTeam(event.currentTarget.value === '' ? null : event.currentTarget.value)}
          data={[
            { value: '', label: t('transfer.allTeams') },
            ...teams.map(({ code, name }) => ({ value: code, label: name })),
          ]}
        />
      )}
      <Button size="xs" variant="default" fullWidth disabled={isBusy} onClick={() => onChoose(target, false)}>
        {t('transfer.whoever')}
      </Button>
      {asksFirst && (
        <ActionIcon
          size={30}
          variant="default"
          aria-label={t('transfer.askFirstOf', { name: t('transfer.whoever') })}
          title={t('transfer.askFirstOf', { name: t('transfer.whoever') })}
          disabled={isBusy}
          onClick={() => onChoose(target, true)}
        >
          <IconPhone size={14} aria-hidden />
        </ActionIcon>
      )}
    </Group>
  );
}
