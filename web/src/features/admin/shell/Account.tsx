import { Button, Menu } from '@mantine/core';
import { IconChevronDown, IconKey, IconLogout, IconPhone } from '@tabler/icons-react';
import { useState } from 'react';
import type { SignedInAgent } from '../../../../../src/contract/auth.ts';
import { ChangePassword } from '../../../shared/ChangePassword.tsx';
import { setSignIn } from '../../../lib/gateway/signIn.ts';
import { askToLeave } from './leaveGuard.ts';

type Props = { agent: SignedInAgent; onSignOut: () => void };

/** Who is signed in, their password, and the way out. */
export function Account({ agent, onSignOut }: Props) {
  const [isChanging, setChanging] = useState(false);
  return (
    <>
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
          <Menu.Item leftSection={<IconKey size={16} />} onClick={() => setChanging(true)}>
            Change password
          </Menu.Item>
          <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => askToLeave(onSignOut)}>
            Sign out
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ChangePassword isOpen={isChanging} onClose={() => setChanging(false)} onChanged={setSignIn} />
    </>
  );
}
