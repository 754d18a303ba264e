import { Group, SegmentedControl, Switch, Text, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import type { AgentView } from '../../../../../src/contract/agents.ts';
import { roles } from '../../../../../src/contract/vocabulary.ts';
import { mentions } from '../../../shared/foldText.ts';
import { roleNames } from './roleNames.ts';

export type AgentFilter = { text: string; role: string; withInactive: boolean };

export const everyAgent: AgentFilter = { text: '', role: 'any', withInactive: false };

/** Whether the list shows an agent. */
export function fits(agent: AgentView, { text, role, withInactive }: AgentFilter): boolean {
  return (
    (withInactive || agent.active) &&
    (role === 'any' || agent.role === role) &&
    mentions([agent.name, agent.agent_code, agent.email, agent.sip_user], text)
  );
}

type Props = { filter: AgentFilter; onChange: (filter: AgentFilter) => void; shown: number; all: number };

/** Which accounts the list shows. */
export function AgentFilters({ filter, onChange, shown, all }: Props) {
  return (
    <Group component="search" gap="md">
      <TextInput
        aria-label="Find an agent"
        placeholder="Name, code, e-mail or SIP user"
        leftSection={<IconSearch size={14} />}
        value={filter.text}
        onChange={(event) => onChange({ ...filter, text: event.currentTarget.value })}
        w={250}
      />
      <SegmentedControl
        size="xs"
        aria-label="Role"
        data={[{ value: 'any', label: 'All roles' }, ...roles.map((role) => ({ value: role, label: roleNames[role] }))]}
        value={filter.role}
        onChange={(role) => onChange({ ...filter, role })}
      />
      <Switch
        label="Inactive too"
        checked={filter.withInactive}
        onChange={(event) => onChange({ ...filter, withInactive: event.currentTarget.checked })}
      />
      <Text size="sm" c="dimmed" aria-live="polite">
        {shown} of {all}
      </Text>
    </Group>
  );
}
