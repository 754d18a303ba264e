import { Button, Menu } from '@mantine/core';
import { IconChevronDown, IconLogout, IconPhone } from '@tabler/icons-react';
import type { SignedInAgent } from '../../../../src/contract/auth.ts';
import { askToLeave } from './leaveGuard.ts';

type Props = { agent: SignedInAgent; onSignOut: () => void };

/** Who is signed in, and the way out. */
export function Account({ agent, onSignOut }: Props) {
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <Button variant="subtle" color="gray" size="compact-sm" rightSection={<IconChevronDown size={14} />} maw={200}>
          {agent.name}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {agent.agent_code}, {agent.role}
        </Menu.Label>
        <Menu.Item component="a" href="/" leftSection={<IconPhone size={16} />}>
          Softphone
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => askToLeave(onSignOut)}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
