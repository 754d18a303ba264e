import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { teamsQuery } from '../../shared/sharedQueries.ts';
import { useShown } from './useWallboard.ts';
import type { Wallboard } from './wallboard.ts';

type Props = {
  wallboard: Wallboard;
  /** They are others than before: what is open may be of somebody who is not shown any more. */
  onChange: () => void;
};

/** Of which teams a supervisor sees the agents; nothing where it is everybody. */
export function LedTeams({ wallboard, onChange }: Props) {
  const { t } = useTranslation();
  const ids = useShown(wallboard, ({ teams }) => teams);
  const { data: teams = [], refetch } = useQuery(teamsQuery);
  useEffect(
    () =>
      wallboard.shown.subscribe((now, before) => {
        if (now.teams === before.teams) return;
        onChange();
        void refetch();
      }),
    [wallboard, onChange, refetch],
  );
  if (ids === null) return null;
  const names = teams.filter(({ id }) => ids.includes(id)).map(({ name }) => name);
  return (
    <Text size="sm">
      {ids.length === 0 ? t('wallboard.teams.none') : t('wallboard.teams.shown', { teams: names.join(', ') })}
    </Text>
  );
}
