import { ActionIcon, Button, Code, EmptyState, Group, Text } from '@mantine/core';
import { IconPencil, IconPlus, IconTrash, IconUsersPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TeamView } from '../../../../../src/contract/teams.ts';
import { teamsQuery } from '../../../shared/teamQueries.ts';
import { agentsQuery } from '../agents/agentQueries.ts';
import { Confirm } from '../components/Confirm.tsx';
import { Loaded } from '../components/Loaded.tsx';
import { Page, Section } from '../components/Page.tsx';
import { TeamForm } from './TeamForm.tsx';
import { useRemoveTeam } from './useTeamActions.ts';

/** The teams of the company, and who is in them. */
export function TeamsPage() {
  const { t } = useTranslation();
  const query = useQuery(teamsQuery);
  /** The team whose form is open; null: the form for a new one; undefined: none. */
  const [edited, setEdited] = useState<TeamView | null>();
  const add = (
    <Button size="xs" leftSection={<IconPlus size={14} />} onClick={() => setEdited(null)}>
      {t('teams.add')}
    </Button>
  );
  return (
    <Page title={t('admin.pages.teams')} actions={add} isNarrow>
      <Text size="sm">{t('teams.note')}</Text>
      {edited !== undefined && <TeamForm key={edited?.id ?? ''} team={edited} onDone={() => setEdited(undefined)} />}
      <Loaded query={query}>
        {(teams) =>
          teams.length === 0 ? (
            edited === undefined && <EmptyState icon={<IconUsersPlus />} title={t('teams.none.title')} description={t('teams.none.text')} />
          ) : (
            <TeamList teams={teams} onEdit={setEdited} />
          )
        }
      </Loaded>
    </Page>
  );
}

function TeamList({ teams, onEdit }: { teams: readonly TeamView[]; onEdit: (team: TeamView) => void }) {
  const { t } = useTranslation();
  const { data: agents = [] } = useQuery(agentsQuery);
  const removing = useRemoveTeam();
  const [asked, setAsked] = useState<TeamView | null>(null);
  const names = new Map(agents.map(({ id, name }) => [id, name]));

  function ask(team: TeamView): void {
    removing.reset();
    setAsked(team);
  }

  return (
    <Section title={t('admin.pages.teams')}>
      {teams.map((team) => (
        <Group key={team.id} justify="space-between" gap="xs" py={6} wrap="nowrap" data-team={team.id}>
          <div style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
            <Text size="sm" fw={600}>
              <bdi>{team.name}</bdi> <Code>{team.code}</Code>
            </Text>
            <Text size="xs" c="dimmed" lineClamp={2}>
              {t('teams.members', { count: team.agent_ids.length })}
              {team.agent_ids.length > 0 && ` · ${namesOf(team, names).join(', ')}`}
            </Text>
          </div>
          <Group gap={2} wrap="nowrap">
            <ActionIcon variant="subtle" color="gray" aria-label={t('teams.editOf', { name: team.name })} onClick={() => onEdit(team)}>
              <IconPencil size={16} />
            </ActionIcon>
            <ActionIcon variant="subtle" color="gray" aria-label={t('teams.removeOf', { name: team.name })} onClick={() => ask(team)}>
              <IconTrash size={16} />
            </ActionIcon>
          </Group>
        </Group>
      ))}
      <Confirm
        isOpen={asked !== null}
        title={t('teams.remove.title', { name: asked?.name ?? '' })}
        action={t('teams.remove.action')}
        isBusy={removing.isPending}
        error={removing.error}
        onConfirm={() => asked !== null && removing.run(asked.id, { onSuccess: () => setAsked(null) })}
        onClose={() => setAsked(null)}
      >
        {t('teams.remove.text')}
      </Confirm>
    </Section>
  );
}

function namesOf({ agent_ids }: TeamView, names: ReadonlyMap<string, string>): string[] {
  return agent_ids.flatMap((id) => names.get(id) ?? []).toSorted((one, other) => one.localeCompare(other));
}
