import { Button, Code, EmptyState, Text } from '@mantine/core';
import { IconPlus, IconUsersPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TeamView } from '../../../../../src/contract/teams.ts';
import { agentsQuery, teamsQuery } from '../../../shared/sharedQueries.ts';
import { EditableRows } from '../components/EditableRows.tsx';
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
            edited === undefined && (
              <EmptyState icon={<IconUsersPlus />} title={t('teams.none.title')} description={t('teams.none.text')} />
            )
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
  const names = new Map(agents.map(({ id, name }) => [id, name]));
  const detail = (team: TeamView) =>
    [t('teams.members', { count: team.agent_ids.length }), namesOf(team, names).join(', ')]
      .filter((text) => text !== '')
      .join(' · ');
  return (
    <Section title={t('admin.pages.teams')}>
      <EditableRows
        items={teams}
        area="teams"
        mark={({ code }) => <Code>{code}</Code>}
        detail={detail}
        removing={removing}
        onEdit={onEdit}
      />
    </Section>
  );
}

function namesOf({ agent_ids }: TeamView, names: ReadonlyMap<string, string>): string[] {
  return agent_ids.flatMap((id) => names.get(id) ?? []).toSorted((one, other) => one.localeCompare(other));
}
