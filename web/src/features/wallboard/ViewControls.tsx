import { Group, SegmentedControl, Select, Text, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { teamsQuery } from '../../shared/sharedQueries.ts';
import { useShown } from './useWallboard.ts';
import type { Wallboard } from './wallboard.ts';
import type { WallboardSort } from './wallboardOrder.ts';
import classes from './WallboardPage.module.css';

/** How often it is looked who is in the teams. Milliseconds. */
const teamsEveryMs = 60_000;

/** `teamId` null: all are listed. */
type TeamProps = { wallboard: Wallboard; teamId: string | null; onTeam: (teamId: string | null) => void };

/** Which agents are listed, and in which order. */
export function ViewControls({ wallboard, teamId, onTeam }: TeamProps) {
  const { t } = useTranslation();
  const view = useShown(wallboard, ({ view }) => view);
  const sorts: { value: WallboardSort; label: string }[] = [
    { value: 'state', label: t('wallboard.list.byState') },
    { value: 'time', label: t('wallboard.list.byTime') },
    { value: 'name', label: t('wallboard.list.byName') },
  ];
  return (
    <Group justify="space-between" gap="sm">
      <Group gap="sm">
        <TextInput
          size="xs"
          w="20rem"
          type="search"
          aria-label={t('wallboard.list.find')}
          placeholder={t('wallboard.list.findHint')}
          leftSection={<IconSearch size="1.25em" aria-hidden />}
          value={view.text}
          onChange={(event) => wallboard.show({ text: event.currentTarget.value })}
        />
        <TeamChoice wallboard={wallboard} teamId={teamId} onTeam={onTeam} />
        <Listed wallboard={wallboard} />
      </Group>
      <Group gap="xs">
        <Text size="sm" id="wallboard-sort">
          {t('wallboard.list.sort')}
        </Text>
        <SegmentedControl
          size="xs"
          aria-labelledby="wallboard-sort"
          data={sorts}
          value={view.sort}
          onChange={(sort) => wallboard.show({ sort })}
        />
      </Group>
    </Group>
  );
}

/** Of which team agents are listed and counted; nothing where the company has none. */
function TeamChoice({ wallboard, teamId, onTeam }: TeamProps) {
  const { t } = useTranslation();
  const { data: teams = [] } = useQuery({ ...teamsQuery, refetchInterval: teamsEveryMs });
  const chosen = teams.find((team) => team.id === teamId);
  useEffect(() => {
    const team = chosen === undefined ? null : new Set(chosen.agent_ids);
    // Listing anew for nothing would have the first agents wait.
    if (team !== null || wallboard.shown.getState().view.team !== null) wallboard.show({ team });
  }, [wallboard, chosen]);
  if (teams.length === 0) return null;
  return (
    <Select
      size="xs"
      w="12rem"
      aria-label={t('wallboard.list.team')}
      placeholder={t('wallboard.list.allTeams')}
      clearable
      clearButtonProps={{ 'aria-label': t('wallboard.list.allTeams') }}
      data={teams.map(({ id: value, name }) => ({ value, label: name }))}
      value={chosen?.id ?? null}
      onChange={onTeam}
    />
  );
}

/** How many of how many. */
function Listed({ wallboard }: { wallboard: Wallboard }) {
  const { t } = useTranslation();
  const { state } = useShown(wallboard, ({ view }) => view);
  const listed = useShown(wallboard, ({ order }) => order.length);
  const agents = useShown(wallboard, ({ counts }) => counts.agents);
  const away = useShown(wallboard, ({ counts }) => counts.away);
  const parts = [
    listed === agents ? t('wallboard.list.agents', { agents }) : t('wallboard.list.some', { listed, agents }),
    away === 0 ? '' : t('wallboard.list.away', { away }),
    state === null ? '' : t('wallboard.list.only', { state: t(`shared.state.${state}`) }),
  ];
  return (
    <Text size="sm" className={classes.shown ?? ''}>
      {parts.filter((part) => part !== '').join(' · ')}
    </Text>
  );
}
