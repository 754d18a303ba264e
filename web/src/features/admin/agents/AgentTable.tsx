import { useState } from 'react';
import { Group, SegmentedControl, Switch, Text, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { AgentView } from '../../../../../src/contract/agents.ts';
import { roles } from '../../../../../src/contract/vocabulary.ts';
import { mentions } from '../../../shared/foldText.ts';
import { type Column, DataTable } from '../../../shared/list/DataTable.tsx';
import { MoreButton } from '../../../shared/list/MoreButton.tsx';
import { StateBadge } from '../components/StateBadge.tsx';

/** Rows that are drawn at once; nobody reads more, and drawing thousands takes its time. */
const step = 100;
const code = { ff: 'monospace' } as const;

type Props = {
  agents: readonly AgentView[];
  /** Null: they can be looked at, not changed. */
  onOpen: ((id: string) => void) | null;
};

/** One line per account. */
export function AgentTable({ agents, onOpen }: Props) {
  const { t } = useTranslation();
  const [limit, setLimit] = useState(step);
  const columns: Column<AgentView>[] = [
    { key: 'name', title: t('admin.agents.columns.name'), cell: ({ name }) => name },
    { key: 'code', title: t('admin.agents.columns.code'), cell: ({ agent_code: code }) => code, td: code },
    { key: 'email', title: t('admin.agents.columns.email'), cell: ({ email }) => email ?? '–' },
    {
      key: 'role',
      title: t('admin.agents.columns.role'),
      cell: ({ role, led_team_ids: led }) =>
        `${t(`admin.roles.${role}`)}${
          role === 'supervisor' && led ? ` · ${t('admin.agents.ofTeams', { count: led.length })}` : ''
        }`,
    },
    {
      key: 'sipUser',
      title: t('admin.agents.columns.sipUser'),
      cell: ({ sip_user: user, sip_secret_set: isSet }) =>
        user === null || isSet ? (user ?? '–') : `${user} ${t('admin.agents.noSecret')}`,
      td: code,
    },
    {
      key: 'account',
      title: t('admin.agents.columns.account'),
      cell: ({ active }) => (
        <StateBadge color={active ? 'teal' : 'gray'}>
          {t(active ? 'admin.agents.active' : 'admin.agents.inactive')}
        </StateBadge>
      ),
    },
  ];
  return (
    <>
      <DataTable
        minWidth={680}
        stickyHeader
        columns={columns}
        rows={agents.slice(0, limit)}
        rowKey={({ id }) => id}
        onOpen={onOpen && (({ id }) => onOpen(id))}
      />
      <MoreButton
        query={{
          hasNextPage: agents.length > limit,
          isFetchingNextPage: false,
          fetchNextPage: () => setLimit(limit + step),
        }}
        text={t('admin.agents.more')}
      />
    </>
  );
}

type AgentFilter = { text: string; role: string; withInactive: boolean };

export const everyAgent: AgentFilter = { text: '', role: 'any', withInactive: false };

/** Whether the list shows an agent. */
export function fits(agent: AgentView, { text, role, withInactive }: AgentFilter): boolean {
  return (
    (withInactive || agent.active) &&
    (role === 'any' || agent.role === role) &&
    mentions([agent.name, agent.agent_code, agent.email, agent.sip_user], text)
  );
}

type AgentFiltersProps = { filter: AgentFilter; onChange: (filter: AgentFilter) => void; shown: number; all: number };

/** Which accounts the list shows. */
export function AgentFilters({ filter, onChange, shown, all }: AgentFiltersProps) {
  const { t } = useTranslation();
  return (
    <Group component="search" gap="md">
      <TextInput
        aria-label={t('admin.agents.find')}
        placeholder={t('admin.agents.findHint')}
        leftSection={<IconSearch size={14} />}
        value={filter.text}
        onChange={(event) => onChange({ ...filter, text: event.currentTarget.value })}
        w={250}
      />
      <SegmentedControl
        size="xs"
        aria-label={t('admin.agents.role')}
        data={[
          { value: 'any', label: t('admin.agents.allRoles') },
          ...roles.map((role) => ({ value: role, label: t(`admin.roles.${role}`) })),
        ]}
        value={filter.role}
        onChange={(role) => onChange({ ...filter, role })}
      />
      <Switch
        label={t('admin.agents.inactiveToo')}
        checked={filter.withInactive}
        onChange={(event) => onChange({ ...filter, withInactive: event.currentTarget.checked })}
      />
      <Text size="sm" c="dimmed" aria-live="polite">
        {t('admin.agents.shown', { shown, all })}
      </Text>
    </Group>
  );
}
