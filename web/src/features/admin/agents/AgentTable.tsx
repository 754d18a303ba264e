import { useState } from 'react';
import { Button, Center, Group, SegmentedControl, Switch, Table, Text, TextInput, UnstyledButton } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { AgentView } from '../../../../../src/contract/agents.ts';
import { roles } from '../../../../../src/contract/vocabulary.ts';
import { mentions } from '../../../shared/foldText.ts';
import { StateBadge } from '../components/StateBadge.tsx';
import classes from '../components/rows.module.css';

/** Rows that are drawn at once; nobody reads more, and drawing thousands takes its time. */
const step = 100;

type Props = {
  agents: readonly AgentView[];
  /** Null: they can be looked at, not changed. */
  onOpen: ((id: string) => void) | null;
};

/** One line per account. */
export function AgentTable({ agents, onOpen }: Props) {
  const { t } = useTranslation();
  const [limit, setLimit] = useState(step);
  return (
    <>
      <Table.ScrollContainer minWidth={680} type="native">
        <Table highlightOnHover={onOpen !== null} verticalSpacing={4} fz="sm" stickyHeader>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('admin.agents.columns.name')}</Table.Th>
              <Table.Th>{t('admin.agents.columns.code')}</Table.Th>
              <Table.Th>{t('admin.agents.columns.email')}</Table.Th>
              <Table.Th>{t('admin.agents.columns.role')}</Table.Th>
              <Table.Th>{t('admin.agents.columns.sipUser')}</Table.Th>
              <Table.Th>{t('admin.agents.columns.account')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {agents.slice(0, limit).map((agent) => (
              <AgentRow key={agent.id} agent={agent} onOpen={onOpen} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {agents.length > limit && (
        <Center>
          <Button variant="default" size="xs" onClick={() => setLimit(limit + step)}>
            {t('admin.agents.more')}
          </Button>
        </Center>
      )}
    </>
  );
}

function AgentRow({ agent, onOpen }: { agent: AgentView; onOpen: Props['onOpen'] }) {
  const { t } = useTranslation();
  const led = agent.role === 'supervisor' ? agent.led_team_ids : null;
  const name =
    onOpen === null ? (
      agent.name
    ) : (
      <UnstyledButton fz="sm" className={classes.open ?? ''} aria-haspopup="dialog">
        {agent.name}
      </UnstyledButton>
    );
  return (
    <Table.Tr {...(onOpen === null ? {} : { className: classes.row ?? '', onClick: () => onOpen(agent.id) })}>
      <Table.Td>{name}</Table.Td>
      <Table.Td ff="monospace">{agent.agent_code}</Table.Td>
      <Table.Td>{agent.email ?? '–'}</Table.Td>
      <Table.Td>
        {t(`admin.roles.${agent.role}`)}
        {led && ` · ${t('admin.agents.ofTeams', { count: led.length })}`}
      </Table.Td>
      <Table.Td ff="monospace">
        {agent.sip_user ?? '–'}
        {agent.sip_user !== null && !agent.sip_secret_set && ` ${t('admin.agents.noSecret')}`}
      </Table.Td>
      <Table.Td>
        <StateBadge color={agent.active ? 'teal' : 'gray'}>
          {t(agent.active ? 'admin.agents.active' : 'admin.agents.inactive')}
        </StateBadge>
      </Table.Td>
    </Table.Tr>
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
